/** Describes released statistics, as src/publish/report writes them, in schemas for programs; fields that they do not name stay. */
import { type TSchema, Type } from "typebox";
import {
  COUNT_FIELDS,
  DEVIATION_FIELDS,
  type Field,
  NUMBER_FIELDS,
  STATISTIC_FIELDS,
} from "../../publish/report/index.ts";

const open = { additionalProperties: true } as const;
const Texts = Type.Record(Type.String(), Type.String());
const TextOrNull = Type.Union([Type.String(), Type.Null()]);

/** A number for each field, but for those that say otherwise. */
function fieldSchemas(fields: Readonly<Record<string, Field<never>>>): Record<string, TSchema> {
  const schemaOf = ({ note, type }: Field<never>): TSchema => {
    const options = note === undefined ? {} : { description: note };
    return type === "boolean" ? Type.Boolean(options) : Type.Number(options);
  };
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaOf(field)]));
}

const numberSchemas = fieldSchemas(NUMBER_FIELDS);
const statisticSchemas = fieldSchemas(STATISTIC_FIELDS);

const ReleasedNumber = Type.Object(
  {
    ...numberSchemas,
    sd: Type.Optional(Type.Object(fieldSchemas(DEVIATION_FIELDS), open)),
    ...statisticSchemas,
  },
  { ...open, title: "ReleasedNumber" },
);

const ReleasedHistogram = Type.Object(
  { bins: Type.Array(Type.Object({ bin: Type.String(), ...numberSchemas }, open)), ...statisticSchemas },
  { ...open, title: "ReleasedHistogram" },
);

const ReleasedRow = Type.Object(
  {
    grid: Type.String(),
    by: Type.Record(Type.String(), TextOrNull),
    cell: TextOrNull,
    slot: TextOrNull,
    ...Object.fromEntries(Object.keys(COUNT_FIELDS).map((key) => [key, Type.Integer()])),
    statistics: Type.Union([
      Type.Record(Type.String(), Type.Union([ReleasedNumber, ReleasedHistogram])),
      Type.Null({ description: "nothing is kept of this grid" }),
    ]),
  },
  { ...open, title: "ReleasedRow" },
);

const PrivacyFacts = Type.Object(
  {
    warning: Type.Optional(Type.String()),
    neighbours: Type.String(),
    loss: Type.Object(
      {
        exact: Type.String(),
        roundedUp: Type.String(),
        simpleExact: Type.String(),
        simpleRoundedUp: Type.String(),
        epsilonPerGrid: TextOrNull,
        guessesRightAtMostPercent: Type.String(),
        inWords: Type.String(),
        simpleInWords: Type.String(),
      },
      open,
    ),
    protected: Type.Array(Type.String()),
    notProtected: Type.Array(Type.String()),
    method: Type.Array(Type.String()),
    identity: Texts,
  },
  { ...open, title: "PrivacyFacts" },
);

const HEAD_FIELDS = {
  warning: Type.Optional(Type.String()),
  format: Type.String(),
  confidence: Type.String(),
  bounds: Type.Array(Type.String()),
  statistics: Type.Array(Type.String()),
  estimator: Type.String(),
  partition: Texts,
  grids: Type.Integer({ description: "of the whole plan" }),
  users: Type.Integer(),
  samples: Type.Integer(),
  privacy: PrivacyFacts,
  dictionary: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        type: Type.String(),
        meaning: Type.String(),
        unit: Type.String(),
        range: Type.String(),
      },
      open,
    ),
  ),
};

export const Released = Type.Object(
  { ...HEAD_FIELDS, rows: Type.Array(ReleasedRow) },
  { ...open, title: "Released", description: "as the JSON file of a release: rows, privacy, dictionary" },
);

export const ReleasedGeoJson = Type.Object(
  {
    warning: Type.Optional(Type.String()),
    type: Type.Literal("FeatureCollection"),
    veilgrid: Type.Object(HEAD_FIELDS, open),
    features: Type.Array(
      Type.Object(
        {
          type: Type.Literal("Feature"),
          id: Type.String(),
          geometry: Type.Unknown({ description: "a hexagon; null without a place" }),
          properties: Type.Record(Type.String(), Type.Unknown()),
        },
        open,
      ),
    ),
  },
  { ...open, title: "ReleasedGeoJson", description: "the same as GeoJSON, a feature per grid" },
);
