/** Writes and reads the canonical result of a release: what is committed, byte for byte, and all that files and pages are rendered from. */
import { type Rational, tryParseExact } from "../../core/arithmetic/index.ts";
import { VeilgridError } from "../../core/errors/index.ts";
import type { About } from "../../core/options/index.ts";
import type { Spread } from "../../core/planning/index.ts";

export const RESULT_FORMAT = "veilgrid-result/1";

/** What every file made with replayed noise says in itself. */
export const NOT_PRIVATE = "NOT PRIVATE: noise from a known seed";

/** One statistic of one grid. */
export interface ReleasedStatistic {
  /** The noisy numbers, one per coordinate (the bins of a histogram), each steps · 2^stepExponent. */
  readonly steps: readonly bigint[];
  readonly stepExponent: number;
  /** ⌈Δ/s⌉ (B bins: + B − 1): the noise has P(k) ∝ exp(−|k|·ε/deltaSteps). 0 where nobody can move the statistic and none was added. */
  readonly deltaSteps: bigint;
  /** ε_t; 0 without noise. */
  readonly epsilon: Rational;
  /** Δ/ε_t: expected |noise| of a coordinate. */
  readonly scale: Rational;
  /** Worst-case bias of what was left out. */
  readonly bias: Rational;
  /** What rounding adds at most: of values to the input lattice and, where no noise was added, of the number to its steps. */
  readonly latticeError: Rational;
}

/** A noisy feature of a grid, each coordinate steps · 2^stepExponent. */
export interface ReleasedFeature {
  readonly key: string;
  readonly steps: readonly bigint[];
  readonly stepExponent: number;
  /** b of each coordinate's noise. */
  readonly scale: Rational;
  /** The most that weights and window can put it off: one number, or all bins together. */
  readonly bias: Rational;
  /** Standard deviation of what weights and window typically put it off under the model, as a share of its range. */
  readonly modelError: Rational;
  /** What users' averages were clamped to; null: to nothing. */
  readonly window: readonly [low: Rational, high: Rational] | null;
}

/** What a balanced plan publishes of a grid: its statistics are made of these features. */
export interface WeightedGrid {
  /** Around which a variance's squares were taken. */
  readonly centre: Rational;
  /** ½·Σ |p − a|, rounded up; null where there are windows. */
  readonly distance: Rational | null;
  readonly features: readonly ReleasedFeature[];
}

export interface ReleasedGrid {
  readonly grid: string;
  /** Users with records in the grid, its records, and how many of them the statistics are made of. All public. */
  readonly users: number;
  readonly samples: number;
  readonly kept: number;
  /** In the order of the header's statistics; null where nothing is kept, unless the estimator is centred, and of balanced plans. */
  readonly statistics: readonly ReleasedStatistic[] | null;
  /** Of balanced plans. */
  readonly weighted?: WeightedGrid | undefined;
}

/** What is the same for every grid; written down when the release is first reserved. */
export interface ReleaseHeader {
  /** Of the program: `veilgrid 0.1.0`. */
  readonly tool: string;
  readonly dataset: string;
  readonly key: string;
  /** ISO 8601, UTC. */
  readonly reservedAt: string;
  /** Noise from a seed that is known: for experiments, nobody is protected. */
  readonly notPrivate: boolean;
  readonly plan: string;
  /** SHA-256 of the occupancy array. */
  readonly occupancy: string;
  readonly bounds: readonly [lower: Rational, upper: Rational];
  readonly latticeStep: Rational;
  /** Keys such as `mean`, `share:50`. */
  readonly statistics: readonly string[];
  readonly estimator: string;
  readonly strategy: string;
  /** ε per grid; null where every grid has its own. */
  readonly epsilon: Rational | null;
  /** Of balanced plans: the public model, and how many passes were made. */
  readonly spread?: Spread | undefined;
  readonly passes?: 1 | 2 | undefined;
  /** From a record to its grid, as flags by name (`by`, `h3`, `slot`, `tz`, `missing`, …). */
  readonly partition: Readonly<Record<string, string>>;
  /** Unit, title and description of what is published, where they are given. */
  readonly about?: About | undefined;
  /** Of the whole plan. */
  readonly users: number;
  readonly grids: number;
  readonly samples: number;
  /** Joint loss of the worst user if every grid of the plan is released, and the paper's count. */
  readonly loss: Rational;
  readonly lossSimple: Rational;
}

export interface ReleaseResult extends ReleaseHeader {
  readonly rows: readonly ReleasedGrid[];
}

const HEADER_KEYS = [
  ...["tool", "dataset", "key", "reservedAt", "notPrivate", "plan", "occupancy", "bounds", "latticeStep", "statistics"],
  ...[
    "estimator",
    "strategy",
    "epsilon",
    "spread",
    "passes",
    "partition",
    "about",
    "users",
    "grids",
    "samples",
    "loss",
    "lossSimple",
  ],
];
const GRID_KEYS = ["grid", "users", "samples", "kept", "statistics", "weighted"];
const WEIGHTED_KEYS = ["centre", "distance", "features"];
const FEATURE_KEYS = ["key", "steps", "stepExponent", "scale", "bias", "modelError", "window"];
const STATISTIC_KEYS = ["steps", "stepExponent", "deltaSteps", "epsilon", "scale", "bias", "latticeError"];

/** One line of JSON, keys in this order, exact numbers as text. */
export function headerText(header: ReleaseHeader): string {
  const warning = header.notPrivate ? { warning: NOT_PRIVATE } : {};
  return JSON.stringify({ format: RESULT_FORMAT, ...warning, ...inOrder(header, HEADER_KEYS) });
}

export function gridText(row: ReleasedGrid): string {
  const statistics = row.statistics?.map((each) => inOrder(each, STATISTIC_KEYS)) ?? null;
  const features = row.weighted?.features.map((each) => inOrder(each, FEATURE_KEYS));
  const weighted = row.weighted && inOrder({ ...row.weighted, features }, WEIGHTED_KEYS);
  return JSON.stringify(inOrder({ ...row, statistics, weighted }, GRID_KEYS), (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

/** These keys of an object and no others, in this order. */
function inOrder(values: object, keys: readonly string[]): object {
  const all = new Map(Object.entries(values));
  return Object.fromEntries(keys.map((key) => [key, all.get(key)]));
}

/** The canonical bytes: header and grids as they were committed. */
export function resultText(header: string, grids: readonly string[]): string {
  return `${header.slice(0, -1)},"rows":[${grids.join(",")}]}\n`;
}

/** Reads back what `resultText` wrote. */
export function readResult(text: string): ReleaseResult {
  const { rows, ...header } = parse(text);
  return reading(() => ({ ...exactHeader(header), rows: rows.map(exactGrid) }));
}

/** Reads back what `headerText` wrote. */
export function readHeader(text: string): ReleaseHeader {
  return reading(() => exactHeader(parse(text)));
}

function parse(text: string): RawResult {
  return reading(() => {
    const parsed = JSON.parse(text) as RawResult;
    if (parsed.format !== RESULT_FORMAT) throw new TypeError();
    return parsed;
  });
}

function exactHeader({ format: _, warning: __, ...header }: RawHeader): ReleaseHeader {
  return {
    ...header,
    bounds: [exact(header.bounds[0]), exact(header.bounds[1])],
    latticeStep: exact(header.latticeStep),
    epsilon: header.epsilon === null ? null : exact(header.epsilon),
    spread: header.spread && {
      users: exact(header.spread.users),
      records: exact(header.spread.records),
      trend: exact(header.spread.trend),
    },
    loss: exact(header.loss),
    lossSimple: exact(header.lossSimple),
  };
}

function exactGrid(row: Texts<ReleasedGrid>): ReleasedGrid {
  return {
    ...row,
    statistics:
      row.statistics?.map((each) => ({
        steps: each.steps.map(BigInt),
        stepExponent: each.stepExponent,
        deltaSteps: BigInt(each.deltaSteps),
        epsilon: exact(each.epsilon),
        scale: exact(each.scale),
        bias: exact(each.bias),
        latticeError: exact(each.latticeError),
      })) ?? null,
    weighted: row.weighted && exactWeighted(row.weighted),
  };
}

function exactWeighted({ centre, distance, features }: Texts<WeightedGrid>): WeightedGrid {
  return {
    centre: exact(centre),
    distance: distance === null ? null : exact(distance),
    features: features.map(({ key, steps, stepExponent, scale, bias, modelError, window }) => ({
      key,
      steps: steps.map(BigInt),
      stepExponent,
      scale: exact(scale),
      bias: exact(bias),
      modelError: exact(modelError),
      window: window && [exact(window[0]), exact(window[1])],
    })),
  };
}

function exact(text: unknown): Rational {
  const value = typeof text === "string" ? tryParseExact(text) : undefined;
  if (value === undefined) throw new TypeError();
  return value;
}

/** An error quotes nothing of the text, whatever is wrong with it. */
function reading<Value>(read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new VeilgridError("INPUT_MALFORMED", "the text is no result of a release in its canonical form");
  }
}

/** As JSON has it: exact numbers are texts. */
type Texts<Value> = Value extends Rational | bigint
  ? string
  : Value extends object
    ? { readonly [Key in keyof Value]: Texts<Value[Key]> }
    : Value;
type RawHeader = Texts<ReleaseHeader> & { readonly format: string; readonly warning?: string };
type RawResult = RawHeader & Texts<Pick<ReleaseResult, "rows">>;
