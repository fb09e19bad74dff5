/** Schemas of all requests and answers: requests are checked with them, answers written by them, the OpenAPI document and the client made from them. */
import {
  type TBoolean,
  type TLiteral,
  type TObjectOptions,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  Type,
} from "typebox";
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

const describedBy = (description: string | undefined) => (description === undefined ? {} : { description });
export const text = (description?: string): TString => Type.String(describedBy(description));
export const int = (description?: string) => Type.Integer(describedBy(description));
export const number = (description?: string) => Type.Number(describedBy(description));
export const flag = (description?: string) => Type.Boolean(describedBy(description));
export const texts = Type.Array(text());
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
export const oneOf = <const Name extends string>(...names: readonly Name[]) =>
  Type.Union(names.map((name) => Type.Literal(name))) as unknown as TLiteral<Name>;
const Text = (description: string, most = MOST_CHARACTERS): TString =>
  Type.String({ minLength: 1, maxLength: most, description });

/** Nothing but these fields: what a request holds beside them is refused. */
export const closed = <Fields extends TProperties>(fields: Fields, options: TObjectOptions = {}) =>
  Type.Object(fields, { additionalProperties: false, ...options });
/** At least these fields: nothing is dropped of an answer that another room writes. */
export const open = <Fields extends TProperties>(fields: Fields, options: TObjectOptions = {}) =>
  Type.Object(fields, { additionalProperties: true, ...options });

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
export const ErrorBody = closed(
  { error: closed({ code: text(), message: text() }) },
  { description: "what went wrong: a code of docs/errors.md and one sentence" },
);

/** From a record to its grid: the flags of the command line by name. */
const Recipe = closed(fieldsOf(RECORDS_OPTIONS), {
  title: "Recipe",
  description: "what the columns of a file of records are, as on the command line",
});

export const NewDataset = closed({
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
  onlyReleased: Type.Optional(flag("analysts get only what is released already")),
});

export const Uploaded = closed({ source: text("for registering a dataset, and for a look"), bytes: int() });

export const LookBody = closed({
  source: NewDataset.properties.source,
  delimiter: Type.Optional(Text("CSV: what stands between fields: ; or tab", 20)),
  header: Type.Optional(oneOf("yes", "no")),
});

export const Look = closed(
  {
    source: text(),
    columns: Type.Array(
      closed({
        name: text(),
        type: oneOf("number", "time", "point", "cell", "text", "empty"),
        samples: orNull(Type.Array(text(), { description: "null where they may be protected values" })),
        role: orNull(text()),
      }),
    ),
    guess: Type.Record(text(), text(), { description: "flags of the command line, without dashes" }),
    open: Type.Array(closed({ flag: text(), says: text() }, { description: "could not be guessed" })),
    doubts: texts,
    told: Type.Array(text(), { description: "how the file was read" }),
    isOccupancy: flag("an array of counts: planning can be tried on it, but it cannot be released"),
  },
  { title: "Look" },
);

export const NewRelease = closed(fieldsOf(RELEASE_OPTIONS));

export const DatasetSettings = closed(
  { plan: NewRelease.properties.plan, key: NewRelease.properties.key, onlyReleased: Type.Optional(flag()) },
  { minProperties: 1 },
);

const Counted = closed(
  {
    records: int("that passed the filters, repeated ones among them"),
    repeated: int("of them, repeated ones that were taken out"),
    missing: int("without a value: set to the midpoint or left out, as the recipe says"),
    withoutUser: int("whose user is empty: counted as one user or left out, as the recipe says"),
    withoutGrid: int("in grids with a part that is missing or empty"),
    inOtherGrids: int("left out by minUsers and top"),
  },
  { description: "what became of the records when they were last counted" },
);

export const Dataset = closed(
  {
    name: DatasetName,
    source: text(),
    recipe: Recipe,
    bounds: text(),
    statistics: orNull(text()),
    unit: orNull(text()),
    plan: orNull(text()),
    key: orNull(text()),
    onlyReleased: flag(),
    created: text(),
    surveyed: orNull(text("when its counts were last taken; null: never")),
    counted: orNull(Counted),
    warnings: Type.Array(text(), {
      description: "mistakes that were noticed when its records were last counted, as sentences",
    }),
  },
  { title: "Dataset" },
);

/** Options of a plan beside the dataset's own. */
export const PlanOptionsBody = closed(fieldsOf(PLAN_OPTIONS));

const { h3, slot } = COMPARED_RECORDS_OPTIONS;
export const CompareOptionsBody = closed(fieldsOf({ ...COMPARE_OPTIONS, h3, slot }));

export const Job = closed(
  {
    id: text(),
    kind: oneOf("survey", "plan", "compare", "release"),
    dataset: DatasetName,
    state: oneOf("queued", "running", "done", "failed", "cancelled", "interrupted"),
    created: text(),
    started: orNull(text()),
    ended: orNull(text()),
    result: Type.Unknown({ description: "null until done; what the command prints with --json" }),
    error: orNull(closed({ code: text(), message: text() })),
  },
  { title: "Job" },
);

export const Plan = closed(
  { hash: text(), dataset: DatasetName, created: text(), summary: Type.Unknown() },
  { title: "PlanEntry" },
);

export const PublishedDataset = closed(
  {
    name: DatasetName,
    unit: orNull(text()),
    statistics: texts,
    grids: int("that can be asked for"),
    released: int("of them, those that anyone has asked for"),
    onlyReleased: flag(),
  },
  { title: "PublishedDataset" },
);

export const PublishedGrid = closed({ grid: text(), released: flag() });

export const Redeemed = closed({
  token: text("for the header Authorization: Bearer …; shown once"),
  role: oneOf("curator", "analyst"),
  datasets: orNull(texts),
  expires: orNull(text()),
});

/** An answer that is not, or not only, JSON, or such a body: a schema by content type. */
export function answerAs(description: string, types: Readonly<Record<string, TSchema>>): TSchema {
  const content = Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]));
  return { description, content } as unknown as TSchema;
}

export const listOf = <Item extends TSchema>(name: string, item: Item) => closed({ [name]: Type.Array(item) });
