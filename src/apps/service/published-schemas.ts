/** Schemas of what src/publish writes: budgets and released statistics. Fields that they do not name stay in the answer. */
import { type TSchema, Type } from "typebox";
import {
  COUNT_FIELDS,
  DEVIATION_FIELDS,
  DEVIATION_MODEL_FIELDS,
  type Field,
  MODEL_FIELDS,
  NUMBER_FIELDS,
  STATISTIC_FIELDS,
} from "../../publish/report/index.ts";
import { flag, int, number, oneOf, open, orNull, text, texts } from "./schemas.ts";

export const Standing = open(
  {
    dataset: text(),
    created: text(),
    budget: number(),
    loss: number("the largest of any user so far"),
    left: number(),
    users: int("with a loss above 0"),
    usersAreHashed: flag(),
    heaviest: Type.Array(open({ user: text(), loss: number() })),
    distribution: Type.Array(
      open({ from: number(), to: number(), users: int("with a loss above from and at most to") }),
      { description: "twenty equal steps from 0 to the budget" },
    ),
    releases: Type.Array(
      open({
        key: text(),
        planHash: text(),
        created: text(),
        state: oneOf("committed", "pending", "void"),
        loss: number("of the user it charges most"),
        exactLoss: text(),
        committed: int(),
        pending: texts,
      }),
    ),
    moreLikeLast: Type.Union([number(), Type.Null()], {
      description: "how many more releases at the price of the last the budget holds",
    }),
    trail: Type.Array(open({ time: text(), kind: text(), what: text() })),
    exact: open({ budget: text(), loss: text(), left: text() }),
  },
  { title: "Standing", description: "budget, losses, releases and audit trail, as ledger show --json" },
);

export const Verification = open(
  {
    consistent: flag(),
    problems: texts,
    counts: open({ datasets: int(), releases: int(), parts: int(), users: int(), lines: int() }),
  },
  { title: "Verification", description: "whether every balance follows from the journal, as ledger verify --json" },
);

const TextRecord = Type.Record(text(), text());
const TextOrNull = orNull(text());

/** A number for each field, but for those that say otherwise. */
function fieldSchemas(fields: Readonly<Record<string, Field<never>>>): Record<string, TSchema> {
  const schemas = Object.entries(fields).map(([key, { note, type }]) => [
    key,
    type === "boolean" ? flag(note) : number(note),
  ]);
  return Object.fromEntries(schemas);
}

/** Fields of balanced plans alone. */
function modelSchemas(fields: Readonly<Record<string, Field<never>>>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fieldSchemas(fields)).map(([key, schema]) => [key, Type.Optional(schema)]));
}

const numberSchemas = { ...fieldSchemas(NUMBER_FIELDS), ...modelSchemas(MODEL_FIELDS) };
const deviationSchemas = { ...fieldSchemas(DEVIATION_FIELDS), ...modelSchemas(DEVIATION_MODEL_FIELDS) };
const statisticSchemas = fieldSchemas(STATISTIC_FIELDS);

const ReleasedNumber = open(
  { ...numberSchemas, sd: Type.Optional(open(deviationSchemas)), ...statisticSchemas },
  { title: "ReleasedNumber" },
);

const ReleasedHistogram = open(
  { bins: Type.Array(open({ bin: text(), ...numberSchemas })), ...statisticSchemas },
  { title: "ReleasedHistogram" },
);

const ReleasedRow = open(
  {
    grid: text(),
    by: Type.Record(text(), TextOrNull),
    cell: TextOrNull,
    slot: TextOrNull,
    ...Object.fromEntries(Object.keys(COUNT_FIELDS).map((key) => [key, int()])),
    statistics: Type.Union([
      Type.Record(text(), Type.Union([ReleasedNumber, ReleasedHistogram])),
      Type.Null({ description: "nothing is kept of this grid" }),
    ]),
  },
  { title: "ReleasedRow" },
);

const PrivacyFacts = open(
  {
    warning: Type.Optional(text()),
    neighbours: text(),
    loss: open({
      exact: text(),
      roundedUp: text(),
      simpleExact: text(),
      simpleRoundedUp: text(),
      epsilonPerGrid: TextOrNull,
      guessesRightAtMostPercent: text(),
      inWords: text(),
      simpleInWords: text(),
    }),
    protected: texts,
    notProtected: texts,
    method: texts,
    identity: TextRecord,
  },
  { title: "PrivacyFacts" },
);

const HEAD_FIELDS = {
  warning: Type.Optional(text()),
  format: text(),
  confidence: text(),
  bounds: texts,
  statistics: texts,
  estimator: text(),
  partition: TextRecord,
  grids: int("of the whole plan"),
  users: int(),
  samples: int(),
  privacy: PrivacyFacts,
  dictionary: Type.Array(open({ name: text(), type: text(), meaning: text(), unit: text(), range: text() })),
};

export const Released = open(
  { ...HEAD_FIELDS, rows: Type.Array(ReleasedRow) },
  { title: "Released", description: "as the JSON file of a release: rows, privacy, dictionary" },
);

export const ReleasedGeoJson = open(
  {
    warning: Type.Optional(text()),
    type: Type.Literal("FeatureCollection"),
    veilgrid: open(HEAD_FIELDS),
    features: Type.Array(
      open({
        type: Type.Literal("Feature"),
        id: text(),
        geometry: Type.Unknown({ description: "a hexagon; null without a place" }),
        properties: Type.Record(text(), Type.Unknown()),
      }),
    ),
  },
  { title: "ReleasedGeoJson", description: "the same as GeoJSON, a feature per grid" },
);
