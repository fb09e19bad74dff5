/** Released statistics as schemas: what src/publish/report writes, described for programs; nothing is dropped that they do not name. */
import { Type } from "typebox";

const open = { additionalProperties: true } as const;
const Texts = Type.Record(Type.String(), Type.String());
const TextOrNull = Type.Union([Type.String(), Type.Null()]);

const NUMBER_FIELDS = {
  value: Type.Number({ description: "clamped to what it can be" }),
  raw: Type.Number(),
  low: Type.Number({ description: "of the interval" }),
  high: Type.Number(),
  scale: Type.Number({ description: "expected size of the noise" }),
  bias: Type.Number({ description: "the most that what was left out can have moved it" }),
};

const QUALITY_FIELDS = {
  error: Type.Number({ description: "guaranteed: bias, noise and rounding" }),
  dataFreeError: Type.Number({ description: "of publishing the middle of the range" }),
  useful: Type.Boolean(),
};

const ReleasedNumber = Type.Object(
  {
    ...NUMBER_FIELDS,
    sd: Type.Optional(Type.Object({ value: Type.Number(), low: Type.Number(), high: Type.Number() }, open)),
    ...QUALITY_FIELDS,
  },
  { ...open, title: "ReleasedNumber" },
);

const ReleasedHistogram = Type.Object(
  { bins: Type.Array(Type.Object({ bin: Type.String(), ...NUMBER_FIELDS }, open)), ...QUALITY_FIELDS },
  { ...open, title: "ReleasedHistogram" },
);

const ReleasedRow = Type.Object(
  {
    grid: Type.String(),
    by: Type.Record(Type.String(), TextOrNull),
    cell: TextOrNull,
    slot: TextOrNull,
    users: Type.Integer(),
    samples: Type.Integer(),
    kept: Type.Integer(),
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
