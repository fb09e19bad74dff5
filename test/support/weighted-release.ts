/** Balanced plans without an engine: a plan for small counts, entries' sums from plain lists of lattice integers, and features by their definition. */
import { parseDecimal, Rational } from "../../src/core/arithmetic/index.ts";
import { type Feature, makeObjective, parseBounds } from "../../src/core/influence/index.ts";
import { type Occupancy, occupancyFromTriples } from "../../src/core/occupancy/index.ts";
import { makePlan, runNow } from "../../src/core/planning/index.ts";
import type { EntrySums, SumsRequest } from "../../src/data/engines/index.ts";
import { Ledger, MemoryStore } from "../../src/publish/ledger/index.ts";
import { type ReleaseResult, readResult, release } from "../../src/publish/release/index.ts";
import { SeededRandom } from "./random.ts";
import { replayedBytes } from "./replayed-bytes.ts";
import { sampleResult } from "./sample-result.ts";
import { releaseRequest } from "./small-release.ts";

interface BalancedOptions {
  readonly bounds?: string;
  readonly statistics?: string;
  readonly loss?: string;
  readonly passes?: 1 | 2;
  readonly step?: string;
  readonly partition?: Readonly<Record<string, string>>;
}

export function balancedPlan(
  occupancy: Occupancy,
  { bounds = "0,64", statistics = "mean", loss = "1", passes = 2, step, partition }: BalancedOptions = {},
) {
  const objective = makeObjective(parseBounds(bounds), { statistics, estimator: "weighted" });
  const made = makePlan(occupancy, {
    objective,
    balanced: { loss: parseDecimal(loss), passes },
    step: step === undefined ? undefined : parseDecimal(step),
    partition,
  });
  return runNow(made);
}

/** Each entry's records, as lattice integers from 0 to `most`. */
export function drawnValues({ byUser }: Occupancy, most: bigint, seed: number): bigint[][] {
  const random = new SeededRandom(seed);
  return Array.from(byUser.count, (count) =>
    Array.from({ length: count }, () => (BigInt(random.bits()) * (most + 1n)) >> 32n),
  );
}

/** What an engine gives for these records. */
export function sumsOf(
  values: ReadonlyArray<readonly bigint[]>,
  { thresholds = [] }: Pick<SumsRequest, "thresholds"> = {},
): EntrySums {
  const of = (entry: number): readonly bigint[] => values[entry]!;
  return {
    sum: (entry) => of(entry).reduce((sum, value) => sum + value, 0n),
    sumOfSquares: (entry) => of(entry).reduce((sum, value) => sum + value * value, 0n),
    atLeast: (threshold, entry) => of(entry).filter((value) => value >= thresholds[threshold]!).length,
  };
}

/** f(x) by what the feature's name says, one number per coordinate; squares are taken around `centre`. */
export function featureByDefinition({ key, cuts }: Feature, x: Rational, centre: Rational): Rational[] {
  const square = (from: Rational): Rational => x.subtract(from).multiply(x.subtract(from));
  if (key === "value") return [x];
  if (key === "variance") return [square(centre)];
  if (key === "second-moment") return [square(Rational.ZERO)];
  const beyond = cuts.map(({ at, inclusive }) => x.compare(at) > 0 || (inclusive && x.equals(at)));
  if (key.startsWith("share")) return [beyond[0] ? Rational.ONE : Rational.ZERO];
  const bin = beyond.filter(Boolean).length;
  return Array.from({ length: cuts.length + 1 }, (_, at) => (at === bin ? Rational.ONE : Rational.ZERO));
}

/** A release of a balanced plan: twelve hexagons, forty users with values that are drawn. */
export async function weightedResult(options: Omit<BalancedOptions, "partition"> = {}): Promise<ReleaseResult> {
  const { rows, partition } = sampleResult();
  const triples = rows.flatMap(({ grid }, at) =>
    Array.from({ length: 40 }, (_, user) => [`u${user}`, grid, (user * 5 + at * 3) % 7] as const),
  );
  const occupancy = occupancyFromTriples(triples.filter(([, , count]) => count > 0));
  const { plan, evaluation } = balancedPlan(occupancy, { step: "1", ...options, partition });
  const values = drawnValues(occupancy, 64n, 3);
  const ledger = new Ledger(new MemoryStore());
  await ledger.init({ dataset: "buses", budget: 10, occupancyIsPublic: true });
  const { text } = await release(
    {
      engine: {
        readTotals: () => Promise.reject(new Error("a balanced plan has no totals")),
        readSums: async (_, __, request) => ({ sums: sumsOf(values, request), clampedValues: 0 }),
      },
      ledger,
      random: replayedBytes(5),
    },
    releaseRequest({ occupancy, plan, evaluation }),
  );
  return readResult(text);
}
