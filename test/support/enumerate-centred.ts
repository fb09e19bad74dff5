/** The centred estimators from their definition, and their sensitivity and bias by trying every dataset on a small lattice. */
import { maximum, Rational } from "../../src/core/arithmetic/index.ts";
import type { Statistic } from "../../src/core/influence/index.ts";
import { distance, evaluate, LEVELS, latticeBounds, type Multiset, multisets, partitions, union } from "./enumerate.ts";
import { givenOf, referenceOf } from "./statistic-references.ts";

/** A user's samples in a grid: what the plan keeps and what it leaves out. */
export interface UserSamples {
  readonly kept: Multiset;
  readonly leftOut: Multiset;
}

/** m and Γ of a user in a grid. */
export interface UserCounts {
  readonly records: number;
  readonly kept: number;
}

const WIDTH = LEVELS - 1;
const NONE: Multiset = new Array<number>(LEVELS).fill(0);

const sizeOf = (samples: Multiset): number => samples.reduce((total, count) => total + count, 0);
const totalOf = (samples: Multiset): number => samples.reduce((total, count, level) => total + count * level, 0);

/** A user's sum over all its records, held to m·mid ± Γ·U/2; doubled, so that it is whole. */
function doubledClampedSum({ kept, leftOut }: UserSamples): number {
  const records = sizeOf(kept) + sizeOf(leftOut);
  const [middle, reach] = [records * WIDTH, sizeOf(kept) * WIDTH];
  return Math.min(middle + reach, Math.max(middle - reach, 2 * (totalOf(kept) + totalOf(leftOut))));
}

/** What is published of a grid before noise. */
export function evaluateCentred(statistic: Statistic, users: readonly UserSamples[]): Rational[] {
  const kept = users.reduce((all, user) => union(all, user.kept), NONE);
  const leftOut = users.reduce((count, user) => count + sizeOf(user.leftOut), 0);
  const clampedSum = Rational.of(
    users.reduce((all, user) => all + doubledClampedSum(user), 0),
    2,
  );
  const counts = { kept: sizeOf(kept), total: sizeOf(kept) + leftOut };
  const ofKept = evaluate(statistic, kept);
  return referenceOf(statistic).centred({ ...givenOf(statistic, latticeBounds), ...counts, ofKept, clampedSum });
}

/** The textbook statistic of everything. */
export function evaluateAll(statistic: Statistic, users: readonly UserSamples[]): Rational[] {
  return evaluate(
    statistic,
    users.reduce((all, user) => union(all, union(user.kept, user.leftOut)), NONE),
  );
}

/** Every dataset a user with these counts can have, with values on so many levels (3: low, middle and high). */
export function samplesOf({ records, kept }: UserCounts, levels: 3 | 5): UserSamples[] {
  const spread = (samples: Multiset): Multiset =>
    levels === 5 ? samples : [samples[0]!, 0, samples[1]!, 0, samples[2]!];
  return multisets(kept, levels).flatMap((own) =>
    multisets(records - kept, levels).map((rest) => ({ kept: spread(own), leftOut: spread(rest) })),
  );
}

/** Every way to choose one of each list. */
export function* choices<Item>(lists: ReadonlyArray<readonly Item[]>): Generator<Item[]> {
  const [first, ...rest] = lists;
  if (first === undefined) yield [];
  else for (const others of choices(rest)) for (const item of first) yield [item, ...others];
}

/** Every grid of `total` records, up to the order of its users: how many each has, and how many of them are kept. */
export function* gridPatterns(total: number): Generator<UserCounts[]> {
  const seen = new Set<string>();
  for (const counts of partitions(total)) {
    for (const kept of choices(counts.map((count) => Array.from({ length: count + 1 }, (_, at) => at)))) {
      const users = counts.map((records, at) => ({ records, kept: kept[at]! }));
      const name = users
        .map((user) => `${user.records}/${user.kept}`)
        .sort()
        .join();
      if (!seen.has(name)) yield users;
      seen.add(name);
    }
  }
}

/** The largest change of what is published when the user changes its values, whatever those of the others are. */
export function centredSensitivityByEnumeration(
  statistic: Statistic,
  users: readonly UserCounts[],
  user: number,
  levels: 3 | 5,
): Rational {
  const own = samplesOf(users[user]!, levels);
  const others = users.filter((_, at) => at !== user).map((each) => samplesOf(each, levels));
  let largest = Rational.ZERO;
  for (const chosen of choices(others)) {
    const outcomes = distinct(own.map((mine) => evaluateCentred(statistic, [mine, ...chosen])));
    for (const before of outcomes) for (const after of outcomes) largest = maximum(largest, distance(before, after));
  }
  return largest;
}

/** The largest distance between what is published and the statistic of all records. */
export function centredBiasByEnumeration(statistic: Statistic, users: readonly UserCounts[], levels: 3 | 5): Rational {
  let largest = Rational.ZERO;
  for (const chosen of choices(users.map((each) => samplesOf(each, levels))))
    largest = maximum(largest, distance(evaluateCentred(statistic, chosen), evaluateAll(statistic, chosen)));
  return largest;
}

function distinct(outcomes: readonly Rational[][]): Rational[][] {
  return [...new Map(outcomes.map((outcome) => [outcome.join(), outcome])).values()];
}

/** k and n of a grid. */
export function countsOf(users: readonly UserCounts[]): { kept: number; total: number } {
  const add = (numbers: number[]): number => numbers.reduce((all, each) => all + each, 0);
  return { kept: add(users.map(({ kept }) => kept)), total: add(users.map(({ records }) => records)) };
}
