/** A believable release for looking at and for tests: bus speeds in hexagons around a city, noise as the mechanism would add it. */
import { gridDisk, latLngToCell } from "h3-js";
import { parseDecimal, Rational } from "../../src/core/arithmetic/index.ts";
import { noiseLattice } from "../../src/core/composition/index.ts";
import {
  type EstimatorName,
  makeBounds,
  parseStatistics,
  type Statistic,
  sensitivity,
  worstCaseBias,
} from "../../src/core/influence/index.ts";
import { gridId } from "../../src/data/partition/index.ts";
import type { ReleasedGrid, ReleasedStatistic, ReleaseResult } from "../../src/publish/release/index.ts";

export interface SampleOptions {
  readonly cells?: number;
  readonly resolution?: number;
  readonly centre?: readonly [latitude: number, longitude: number];
  readonly slots?: readonly string[];
  readonly by?: readonly string[];
  /** Values of one column, instead of cells and slots. */
  readonly ids?: readonly string[];
  readonly statistics?: readonly string[];
  readonly estimator?: EstimatorName;
  readonly missing?: "refuse" | "midpoint" | "drop";
  readonly emptyUser?: "one" | "drop" | undefined;
  readonly notPrivate?: boolean;
  readonly dataset?: string;
  readonly bounds?: readonly [string, string];
  /** Indices of grids where nothing is kept. */
  readonly empty?: readonly number[];
  readonly seed?: number;
}

export function sampleResult(options: SampleOptions = {}): ReleaseResult {
  const random = uniform(options.seed ?? 7);
  const [lower, upper] = (options.bounds ?? ["0", "65"]).map((each) => parseDecimal(each)) as [Rational, Rational];
  const bounds = makeBounds(lower, upper);
  const keys = options.statistics ?? ["mean", "variance"];
  const estimator = options.estimator ?? "kept";
  const statistics = parseStatistics(keys.join(","), bounds, estimator);
  const latticeStep = bounds.width.divide(Rational.of(1 << 20));
  const epsilon = Rational.of(2);
  const ids = options.ids?.map((id) => gridId([id])) ?? idsOf(options);
  const rows = ids.map((grid, index): ReleasedGrid => {
    const users = 60 + Math.floor(random() * 160);
    const samples = users * (12 + Math.floor(random() * 30));
    const kept = samples - Math.floor(random() * 0.06 * samples);
    if (options.empty?.includes(index)) {
      const middles = (): ReleasedStatistic[] => statistics.map((statistic) => middle(statistic, latticeStep));
      return { grid, users: 1, samples: 3, kept: 0, statistics: estimator === "kept" ? null : middles() };
    }
    // Some grids have one heavy user, and noise that drowns everything.
    const largest = random() < 0.08 ? Math.floor(0.8 * kept) : Math.ceil(kept / (users * 0.7));
    const released = statistics.map((statistic) =>
      release(statistic, {
        total: samples,
        kept,
        largest,
        epsilon: epsilon.divide(Rational.of(statistics.length)),
        latticeStep,
        random,
      }),
    );
    return { grid, users, samples, kept, statistics: released };
  });

  /** Of a grid of three records of which none is kept; rounded to a step that needs no thought. */
  function middle(statistic: Statistic, latticeStep: Rational): ReleasedStatistic {
    const bias = worstCaseBias(statistic, { kept: 0, total: 3 });
    const step = Rational.powerOfTwo(-30);
    const none = {
      kept: 0,
      sum: Rational.ZERO,
      sumOfSquares: Rational.ZERO,
      counts: statistic.cuts.map(() => Rational.ZERO),
    };
    const values = statistic.value({
      ...none,
      total: 3,
      clampedSum: bounds.width.multiply(Rational.of(3, 2)),
      of: (value) => (typeof value === "number" ? Rational.of(value) : value),
    });
    return {
      steps: values.map((value) => value.divide(step).roundHalfUpToInteger()),
      stepExponent: -30,
      deltaSteps: 0n,
      epsilon: Rational.ZERO,
      scale: Rational.ZERO,
      bias,
      latticeError: statistic.latticeError(latticeStep, 3).add(step.multiply(Rational.of(statistic.coordinates))),
    };
  }

  function release(
    statistic: Statistic,
    given: {
      total: number;
      kept: number;
      largest: number;
      epsilon: Rational;
      latticeStep: Rational;
      random: () => number;
    },
  ): ReleasedStatistic {
    const delta = sensitivity(statistic, given.largest, given);
    const { stepExponent, deltaSteps } = noiseLattice(statistic, given, given.epsilon);
    const step = 2 ** stepExponent;
    const steps = Array.from({ length: statistic.coordinates }, () => {
      const uniformNumber = random() - 0.5;
      const noise = -Math.sign(uniformNumber) * Math.log(1 - 2 * Math.abs(uniformNumber)) * deltaNumber(delta, given);
      return BigInt(Math.round((truth(statistic, given.total) + noise) / step));
    });
    return {
      steps,
      stepExponent,
      deltaSteps,
      epsilon: given.epsilon,
      scale: delta.divide(given.epsilon),
      bias: worstCaseBias(statistic, given),
      latticeError: statistic.latticeError(given.latticeStep, given.total),
    };
  }

  function truth(statistic: Statistic, total: number): number {
    const low = bounds.lower.toNumberNearest();
    const width = bounds.width.toNumberNearest();
    const mean = low + width * (0.23 + 0.31 * random());
    if (statistic.key === "mean") return mean;
    if (statistic.key === "variance") return width * width * (0.01 + 0.02 * random());
    if (statistic.key === "sum") return mean * total;
    return random() / statistic.coordinates;
  }

  return {
    tool: "veilgrid 0.1.0",
    dataset: options.dataset ?? "surat-buses",
    key: "december",
    reservedAt: "2025-12-16T09:30:00Z",
    notPrivate: options.notPrivate ?? false,
    plan: "3f9a5c0d7b21e84466f0a1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f506",
    occupancy: "9b21e84466f0a1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5063f9a5c0d",
    bounds: [lower, upper],
    latticeStep,
    statistics: keys,
    estimator,
    strategy: "frontier",
    epsilon,
    partition: partitionOf(options),
    users: 486,
    grids: rows.length,
    samples: rows.reduce((total, row) => total + row.samples, 0),
    loss: parseDecimal("1.734210000000000123"),
    lossSimple: Rational.of(9),
    rows,
  };
}

function deltaNumber(delta: Rational, { epsilon }: { epsilon: Rational }): number {
  return delta.divide(epsilon).toNumberNearest();
}

function idsOf(options: SampleOptions): string[] {
  const [latitude, longitude] = options.centre ?? [21.17, 72.83];
  const count = options.cells ?? 12;
  const centre = latLngToCell(latitude, longitude, options.resolution ?? 7);
  const radius = Math.ceil(Math.sqrt(count / 3)) + 1;
  const cells = gridDisk(centre, radius).slice(0, count).sort();
  return cells.flatMap((cell) =>
    (options.slots ?? [undefined]).map((slot) => gridId(slot === undefined ? [cell] : [cell, slot])),
  );
}

function partitionOf(options: SampleOptions): Record<string, string> {
  const place = options.ids === undefined;
  return {
    user: "bus",
    value: "speed",
    ...(options.by === undefined ? {} : { by: options.by.join(",") }),
    ...(place ? { lat: "lat", lon: "lon", h3: String(options.resolution ?? 7) } : {}),
    ...(options.slots === undefined ? {} : { time: "at", timeFormat: "auto", slot: "1h", tz: "Asia/Kolkata" }),
    ...(options.emptyUser === undefined ? {} : { emptyUser: options.emptyUser }),
    missing: options.missing ?? "refuse",
    minUsers: "1",
  };
}

/** mulberry32: enough for a picture, and the same on every machine. */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
