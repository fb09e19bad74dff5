/** What goes in and out of the service, as schemas: requests are held to them, answers are written by them, the OpenAPI document and the client are made of them. */
import { type TOptional, type TSchema, type TString, Type } from "typebox";

const closed = { additionalProperties: false } as const;
const Text = (description: string, most = 400): TString => Type.String({ minLength: 1, maxLength: most, description });
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const DatasetName = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
  description: "letters, digits, dots, hyphens and underscores, at most 64",
});
/** Decimal text, so that nothing is rounded on the way. */
const Decimal = Type.String({ pattern: "^\\d{1,30}(\\.\\d{1,30})?$", description: "a decimal number as text: 0.5" });

export const ErrorBody = Type.Object(
  {
    error: Type.Object({ code: Type.String(), message: Type.String() }, closed),
  },
  { ...closed, description: "what went wrong: a code of docs/errors.md and one sentence" },
);

const RECIPE_FIELDS = {
  user: "whose record it is",
  value: "the number whose statistics are wanted, which is protected",
  by: "columns whose values are grids",
  lat: "latitude, for hexagons",
  lon: "longitude",
  point: "a column with [longitude, latitude]",
  cell: "a column with H3 cells, hexadecimal or integers; as stored, or with h3 those around them",
  h3: "resolution of the hexagons",
  time: "when it was",
  timeFormat: "iso, epoch-s, epoch-ms, epoch-us, dd/mm/yyyy, mm/dd/yy, dd-mmm-yy, yyyymmdd, …",
  slot: "time slots: 15m, 1h, 1d",
  tz: "zone of slots and hours",
  from: "only records from this time on",
  to: "only records before this time",
  hours: "only these local hours: 9-10",
  emptyUser: "records whose user is empty: refuse, one, drop",
  dedupe: "records that agree in these columns count once",
  missing: "records without a value: refuse, midpoint, drop",
  minUsers: "only grids with at least so many users",
  top: "only so many grids, those with most records",
  delimiter: "CSV: what stands between fields",
  header: "CSV: yes or no",
  encoding: "CSV: utf-8, utf-16 or latin-1",
} as const;

/** From a record to its grid: the flags of the command line by name. */
const Recipe = Type.Object(
  {
    ...(Object.fromEntries(
      Object.entries(RECIPE_FIELDS).map(([name, description]) => [name, Type.Optional(Text(description))]),
    ) as { [Field in keyof typeof RECIPE_FIELDS]: TOptional<TString> }),
    decimalComma: Type.Optional(Type.Boolean({ description: "CSV: numbers are written 3,5" })),
    oneRecordPerUser: Type.Optional(
      Type.Boolean({ description: "nobody has more than one record; plans of such records are refused otherwise" }),
    ),
  },
  { ...closed, title: "Recipe", description: "what the columns of a file of records are, as on the command line" },
);

export const NewDataset = Type.Object(
  {
    name: DatasetName,
    source: Text(
      "a file or glob of records, relative to one of the service's data folders, or the address of a table as serve --data has it",
      1000,
    ),
    recipe: Recipe,
    bounds: Text("the range that values are clamped to, never taken from the data: 0,65"),
    statistics: Type.Optional(Text("mean,variance")),
    unit: Type.Optional(Text("what values are measured in", 40)),
    budget: Type.String({ ...Decimal, description: "the loss that no user may ever exceed" }),
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

/** Under which answers are kept; the same for all time, so no template. */
const Key = Type.String({
  pattern: "^[^{}]{1,200}$",
  description: "release key, without templates (default: the dataset's, or the plan's hash)",
});

export const DatasetSettings = Type.Object(
  {
    plan: Type.Optional(
      Type.String({ pattern: "^[0-9a-f]{64}$", description: "questions are answered under this plan" }),
    ),
    key: Type.Optional(Key),
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

/** Options of a plan beside the dataset's own; as text, as flags are. */
export const PlanOptionsBody = Type.Object(
  {
    loss: Type.Optional(Text("least error for this loss: 0.5, 2/52, common")),
    error: Type.Optional(
      Text("least loss for this error: mean=2,sd=5, or one number; of several statistics only with metric"),
    ),
    epsilon: Type.Optional(Decimal),
    strategy: Type.Optional(Text("frontier, baseline, clip-user, clip-user-optimal")),
    estimator: Type.Optional(Text("kept or centred")),
    statistics: Type.Optional(Text("mean,variance")),
    weights: Type.Optional(Text("mean=1,variance=1, with metric sum")),
    split: Type.Optional(Text("even or best")),
    metric: Type.Optional(
      Text("relative or sum; default: relative for several statistics, sum for one and for the paper's strategies"),
    ),
    step: Type.Optional(Decimal),
    timeLimit: Type.Optional(Decimal),
    errorBound: Type.Optional(Decimal),
    protectLowest: Type.Optional(Type.Boolean()),
    wholeStages: Type.Optional(Type.Boolean()),
    caps: Type.Optional(Type.Boolean()),
    keep: Type.Optional(Text("spread or first")),
  },
  closed,
);

export const CompareOptionsBody = Type.Object(
  {
    loss: Type.Optional(Text("at these losses: 0.5,1,2")),
    error: Type.Optional(Text("at these errors; of several statistics only with metric")),
    epsilon: Type.Optional(Text("at the baseline's errors for these ε")),
    strategies: Type.Optional(Text("baseline,clip-user,frontier")),
    estimator: Type.Optional(Text("kept,centred")),
    statistics: Type.Optional(Text("mean,variance")),
    metric: Type.Optional(
      Text("relative or sum, for all strategies alike; default: relative for several statistics, sum for one"),
    ),
    h3: Type.Optional(Text("hexagon sizes to compare: 7,8")),
    slot: Type.Optional(Text("slots to compare: 1h,1d")),
    timeLimit: Type.Optional(Decimal),
    seed: Type.Optional(Decimal),
  },
  closed,
);

export const NewRelease = Type.Object(
  {
    plan: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$", description: "default: the dataset's plan" })),
    key: Type.Optional(Key),
  },
  closed,
);

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
