/** Tiny arrays with something asked of them, for tests of the frontier that try every choice. */
import fc from "fast-check";
import { Rational } from "../../src/core/arithmetic/index.ts";
import { makeObjective, type Objective, parseBounds } from "../../src/core/influence/index.ts";
import { type Occupancy, occupancyFromTriples } from "../../src/core/occupancy/index.ts";
import type { ErrorTarget } from "../../src/core/planning/index.ts";

export interface FrontierCase {
  readonly occupancy: Occupancy;
  readonly objective: Objective;
  readonly target: ErrorTarget;
  readonly seed: number;
}

/** Counts by grid and user. */
type Counts = number[][];

const count = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1) },
);

function matrix(grids: number, users: number, of: fc.Arbitrary<number>): fc.Arbitrary<Counts> {
  const row = fc.array(of, { minLength: users, maxLength: users });
  return fc.array(row, { minLength: grids, maxLength: grids });
}

/** One user owns almost everything, the others a record or none. */
const lopsided = fc
  .record({ counts: matrix(2, 3, fc.constantFrom(0, 1)), heavy: fc.integer({ min: 3, max: 9 }) })
  .map(({ counts, heavy }) => counts.map(([first, ...rest], grid) => [first! + (grid === 0 ? heavy : 1), ...rest]));

/** Grids with one record each, beside a larger one. */
const singles = fc
  .record({ large: fc.array(count, { minLength: 3, maxLength: 3 }), owners: fc.tuple(fc.nat(2), fc.nat(2)) })
  .map(({ large, owners }) => [large, ...owners.map((owner) => [0, 1, 2].map((user) => (user === owner ? 1 : 0)))]);

/** Counts of every kind, small enough to try every choice. */
export const tinyCounts: fc.Arbitrary<Counts> = fc
  .oneof(
    matrix(1, 4, count),
    matrix(2, 3, count),
    matrix(2, 2, fc.integer({ min: 0, max: 7 })),
    matrix(3, 2, count),
    matrix(3, 3, fc.integer({ min: 0, max: 3 })),
    lopsided,
    singles,
  )
  .filter((counts) => counts.some((row) => row.some((each) => each > 0)));

/** One grid of few users with so many records that ranges of kept counts are worth dividing. */
export const longGrids: fc.Arbitrary<Counts> = fc.oneof(
  matrix(1, 2, fc.integer({ min: 1, max: 45 })),
  matrix(1, 3, fc.integer({ min: 1, max: 13 })),
);

export function occupancyOf(counts: Counts): Occupancy {
  return occupancyFromTriples(
    counts.flatMap((row, grid) =>
      row.flatMap((each, user) => (each > 0 ? [[`u${user}`, `g${grid}`, each] as const] : [])),
    ),
  );
}

/** Every statistic alone, and pairs of them. */
export const FRONTIER_STATISTICS = [
  "mean",
  "variance",
  "mean,variance",
  "second-moment",
  "sum",
  "share:50",
  "histogram:20/40",
  "mean,sum",
  "variance,sum",
] as const;

/** Percent of the data-free error: kept may be asked for more than that. */
const percent = fc.oneof(fc.integer({ min: 3, max: 130 }), fc.constantFrom(98, 99, 100, 50, 25));

export const objectives: fc.Arbitrary<Objective> = fc
  .record({
    statistics: fc.constantFrom(...FRONTIER_STATISTICS),
    metric: fc.constantFrom("sum" as const, "relative" as const),
    estimator: fc.constantFrom("kept" as const, "centred" as const),
    light: fc.boolean(),
  })
  .map(({ statistics, metric, estimator, light }) =>
    makeObjective(parseBounds("0,65"), {
      statistics,
      metric,
      estimator,
      weights: light && statistics === "mean,variance" ? "variance=0.05" : undefined,
    }),
  );

export function frontierCases(counts: fc.Arbitrary<Counts> = tinyCounts): fc.Arbitrary<FrontierCase> {
  return fc
    .record({
      counts,
      objective: objectives,
      each: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
      percents: fc.tuple(percent, percent),
      seed: fc.nat(2 ** 31),
    })
    .map(({ counts: chosen, objective, each, percents, seed }) => {
      const occupancy = occupancyOf(chosen);
      const most = occupancy.samplesOfGrid.reduce((left, right) => Math.max(left, right), 0);
      const parts = objective.statistics.map((statistic, index) =>
        statistic.dataFreeError(most).multiply(Rational.of(percents[index % 2]!, 100)),
      );
      const together =
        objective.metric === "relative"
          ? Rational.of(percents[0]!, 100)
          : parts.reduce((sum, part, index) => sum.add(part.multiply(objective.weights[index]!)), Rational.ZERO);
      const target: ErrorTarget = each ? { kind: "each", errors: parts } : { kind: "together", error: together };
      return { occupancy, objective, target, seed };
    });
}

/** One line that says all there is to know about a case. */
export function describeCase({ occupancy, objective, target }: Omit<FrontierCase, "seed">): string {
  const rows: string[] = [];
  for (let grid = 0; grid < occupancy.grids.length; grid++) {
    const row = Array.from(occupancy.users, (_, user) => {
      const entry = occupancy.entryOf(user, grid);
      return entry < 0 ? 0 : occupancy.byUser.count[entry]!;
    });
    rows.push(`[${row.join(" ")}]`);
  }
  const { statistics, metric, estimator } = objective;
  const wanted =
    target.kind === "each" ? target.errors.map((error) => error.toShortString()) : target.error.toShortString();
  return `${rows.join("")} ${statistics.map((each) => each.key).join(",")} ${metric} ${estimator} ${target.kind} ${wanted}`;
}
