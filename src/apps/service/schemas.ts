/** What goes in and out of the service, as schemas: requests are held to them, answers are written by them, the OpenAPI document and the client are made of them. */
import { type TBoolean, type TOptional, type TSchema, type TString, Type } from "typebox";
import {
  COMPARE_OPTIONS,
  COMPARED_RECORDS_OPTIONS,
  DECIMAL,
  MOST_CHARACTERS,
  type Option,
  type OptionTable,
  PLAN_OPTIONS,
  RECORDS_OPTIONS,
  RELEASE_OPTIONS,
} from "../../core/options/index.ts";

const closed = { additionalProperties: false } as const;
const Text = (description: string, most = MOST_CHARACTERS): TString =>
  Type.String({ minLength: 1, maxLength: most, description });
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

type Fields<Table extends OptionTable> = {
  [Name in keyof Table as Table[Name] extends { readonly served: true | object } ? Name : never]: TOptional<
    Table[Name] extends { readonly takes: string } ? TString : TBoolean
  >;
};

/** The options of a table that requests take, each of which may be absent. */
function fieldsOf<const Table extends OptionTable>(table: Table): Fields<Table> {
  const fields = Object.entries<Option>(table).flatMap(([name, { takes, help, served }]) => {
    if (!served) return [];
    const text = served === true ? Text(help) : Type.String({ ...served, description: help });
    return [[name, Type.Optional(takes === undefined ? Type.Boolean({ description: help }) : text)]];
  });
  return Object.fromEntries(fields) as Fields<Table>;
}

export const DatasetName = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
  description: "letters, digits, dots, hyphens and underscores, at most 64",
});
export const ErrorBody = Type.Object(
  {
    error: Type.Object({ code: Type.String(), message: Type.String() }, closed),
  },
  { ...closed, description: "what went wrong: a code of docs/errors.md and one sentence" },
);

/** From a record to its grid: the flags of the command line by name. */
const Recipe = Type.Object(fieldsOf(RECORDS_OPTIONS), {
  ...closed,
  title: "Recipe",
  description: "what the columns of a file of records are, as on the command line",
});

export const NewDataset = Type.Object(
  {
    name: DatasetName,
    source: Text(
      "a file or glob of records, relative to one of the service's data folders, or the address of a table as serve --data has it",
      1000,
    ),
    recipe: Recipe,
    bounds: Text(PLAN_OPTIONS.bounds.help),
    statistics: Type.Optional(Text(PLAN_OPTIONS.statistics.help)),
    unit: Type.Optional(Text(COMPARE_OPTIONS.unit.help, 40)),
    budget: Type.String({ ...DECIMAL, description: "the loss that no user may ever exceed" }),
    occupancyIsPublic: Type.Literal(true, {
      description: "who was where how often is published and not protected: say so",
    }),
    onlyReleased: Type.Optional(Type.Boolean({ description: "analysts get only what is released already" })),
  },
  closed,
);

export const Uploaded = Type.Object(
  {
    source: Type.String({ description: "for registering a dataset, and for a look" }),
    bytes: Type.Integer(),
  },
  closed,
);

export const LookBody = Type.Object(
  {
    source: NewDataset.properties.source,
    delimiter: Type.Optional(Text("CSV: what stands between fields: ; or tab", 20)),
    header: Type.Optional(Type.Union([Type.Literal("yes"), Type.Literal("no")])),
  },
  closed,
);

export const Look = Type.Object(
  {
    source: Type.String(),
    columns: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          type: Type.Union(["number", "time", "point", "cell", "text", "empty"].map((type) => Type.Literal(type))),
          samples: orNull(Type.Array(Type.String(), { description: "null where they may be protected values" })),
          role: orNull(Type.String()),
        },
        closed,
      ),
    ),
    guess: Type.Record(Type.String(), Type.String(), { description: "flags of the command line, without dashes" }),
    open: Type.Array(
      Type.Object({ flag: Type.String(), says: Type.String() }, { ...closed, description: "could not be guessed" }),
    ),
    doubts: Type.Array(Type.String()),
    told: Type.Array(Type.String(), { description: "how the file was read" }),
    isOccupancy: Type.Boolean({
      description: "an array of counts: planning can be tried on it, but it cannot be released",
    }),
  },
  { ...closed, title: "Look" },
);

export const NewRelease = Type.Object(fieldsOf(RELEASE_OPTIONS), closed);

export const DatasetSettings = Type.Object(
  {
    ...NewRelease.properties,
    onlyReleased: Type.Optional(Type.Boolean()),
  },
  { ...closed, minProperties: 1 },
);

const Counted = Type.Object(
  {
    records: Type.Integer({ description: "that passed the filters, repeated ones among them" }),
    repeated: Type.Integer({ description: "of them, repeated ones that were taken out" }),
    missing: Type.Integer({ description: "without a value: set to the midpoint or left out, as the recipe says" }),
    withoutUser: Type.Integer({
      description: "whose user is empty: counted as one user or left out, as the recipe says",
    }),
    withoutGrid: Type.Integer({ description: "in grids with a part that is missing or empty" }),
    inOtherGrids: Type.Integer({ description: "left out by minUsers and top" }),
  },
  { ...closed, description: "what became of the records when they were last counted" },
);

export const Dataset = Type.Object(
  {
    name: DatasetName,
    source: Type.String(),
    recipe: Recipe,
    bounds: Type.String(),
    statistics: orNull(Type.String()),
    unit: orNull(Type.String()),
    plan: orNull(Type.String()),
    key: orNull(Type.String()),
    onlyReleased: Type.Boolean(),
    created: Type.String(),
    surveyed: orNull(Type.String({ description: "when its counts were last taken; null: never" })),
    counted: orNull(Counted),
    warnings: Type.Array(Type.String(), {
      description: "mistakes that were noticed when its records were last counted, as sentences",
    }),
  },
  { ...closed, title: "Dataset" },
);

/** Options of a plan beside the dataset's own. */
export const PlanOptionsBody = Type.Object(fieldsOf(PLAN_OPTIONS), closed);

const { h3, slot } = COMPARED_RECORDS_OPTIONS;
export const CompareOptionsBody = Type.Object(fieldsOf({ ...COMPARE_OPTIONS, h3, slot }), closed);

export const Job = Type.Object(
  {
    id: Type.String(),
    kind: Type.Union(["survey", "plan", "compare", "release"].map((kind) => Type.Literal(kind))),
    dataset: DatasetName,
    state: Type.Union(
      ["queued", "running", "done", "failed", "cancelled", "interrupted"].map((state) => Type.Literal(state)),
    ),
    created: Type.String(),
    started: orNull(Type.String()),
    ended: orNull(Type.String()),
    result: Type.Unknown({ description: "null until done; what the command prints with --json" }),
    error: orNull(Type.Object({ code: Type.String(), message: Type.String() }, closed)),
  },
  { ...closed, title: "Job" },
);

export const Plan = Type.Object(
  { hash: Type.String(), dataset: DatasetName, created: Type.String(), summary: Type.Unknown() },
  { ...closed, title: "PlanEntry" },
);

export const PublishedDataset = Type.Object(
  {
    name: DatasetName,
    unit: orNull(Type.String()),
    statistics: Type.Array(Type.String()),
    grids: Type.Integer({ description: "that can be asked for" }),
    released: Type.Integer({ description: "of them, those that anyone has asked for" }),
    onlyReleased: Type.Boolean(),
  },
  { ...closed, title: "PublishedDataset" },
);

export const PublishedGrid = Type.Object({ grid: Type.String(), released: Type.Boolean() }, closed);

export const Redeemed = Type.Object(
  {
    token: Type.String({ description: "for the header Authorization: Bearer …; shown once" }),
    role: Type.Union([Type.Literal("curator"), Type.Literal("analyst")]),
    datasets: orNull(Type.Array(Type.String())),
    expires: orNull(Type.String()),
  },
  closed,
);

/** An answer that is not, or not only, JSON: a schema by content type. */
export function answerAs(description: string, types: Readonly<Record<string, TSchema>>): TSchema {
  const content = Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]));
  return { description, content } as unknown as TSchema;
}

/** A body that is not JSON, by content type. */
export function bodyAs(description: string, types: Readonly<Record<string, TSchema>>): TSchema {
  return answerAs(description, types);
}

export const listOf = <Item extends TSchema>(name: string, item: Item) =>
  Type.Object({ [name]: Type.Array(item) }, closed);
