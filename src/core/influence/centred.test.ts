/** The centred estimators' sensitivity and bias against enumeration of all small datasets, and the witnesses that attain them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ALL_KEYS,
  distance,
  LEVELS,
  latticeBounds,
  latticeStatistics,
  type Multiset,
} from "../../../test/support/enumerate.ts";
import {
  centredBiasByEnumeration,
  centredSensitivityByEnumeration,
  countsOf,
  evaluateAll,
  evaluateCentred,
  gridPatterns,
  samplesOf,
  type UserCounts,
  type UserSamples,
} from "../../../test/support/enumerate-centred.ts";
import { Rational } from "../arithmetic/index.ts";
import {
  dataFreeError,
  guaranteeOf,
  makeObjective,
  sensitivity,
  sensitivityWitness,
  splitBudget,
  worstCaseBias,
} from "./index.ts";

const centred = latticeStatistics("centred");
const kept = latticeStatistics();
const cases = centred.map((statistic, index) => [statistic.key, statistic, kept[index]!] as const);

/** Grids small enough to try every dataset: five records on three levels, four on five. */
const SMALL = [
  { most: 5, levels: 3 },
  { most: 4, levels: 5 },
] as const;

function* smallGrids(): Generator<{ users: UserCounts[]; levels: 3 | 5 }> {
  for (const { most, levels } of SMALL)
    for (let total = 1; total <= most; total++) for (const users of gridPatterns(total)) yield { users, levels };
}

/** Users of a grid of any size, some of whose records are left out. */
const grids = fc.array(
  fc
    .record({ kept: fc.oneof(fc.constant(0), fc.nat(60)), leftOut: fc.oneof(fc.constant(0), fc.nat(60)) })
    .filter(({ kept, leftOut }) => kept + leftOut > 0)
    .map(({ kept, leftOut }) => ({ records: kept + leftOut, kept })),
  { minLength: 1, maxLength: 5 },
);

describe.each(cases)("%s, centred", (_, statistic, paper) => {
  test("sensitivity to every user of every grid up to 5 records is the enumerated one, 0 for a suppressed user", () => {
    let grids = 0;
    for (const { users, levels } of smallGrids()) {
      users.forEach((user, at) => {
        if (users.findIndex(({ records, kept }) => records === user.records && kept === user.kept) < at) return;
        const found = centredSensitivityByEnumeration(statistic, users, at, levels);
        expect(found, JSON.stringify({ users, at })).toEqual(sensitivity(statistic, user.kept, countsOf(users)));
        if (user.kept === 0) expect(found).toEqual(Rational.ZERO);
      });
      grids += 1;
    }
    expect(grids).toBeGreaterThan(150);
  });

  test("worst-case bias of every grid up to 5 records is the enumerated one, emptied grids included", () => {
    for (const { users, levels } of smallGrids()) {
      const found = centredBiasByEnumeration(statistic, users, levels);
      expect(found, JSON.stringify(users)).toEqual(worstCaseBias(statistic, countsOf(users)));
    }
  });

  test("no dataset on the finer lattice exceeds them", () => {
    const datasets = grids
      .map((users) => users.map(({ records, kept }) => ({ records: records % 7, kept: kept % 4 })))
      .map((users) => users.map(({ records, kept }) => ({ records: Math.max(1, records, kept), kept })))
      .chain((users) =>
        fc.record({
          users: fc.constant(users),
          samples: fc.tuple(...users.map((user) => fc.constantFrom(...samplesOf(user, 5)))),
          other: fc.constantFrom(...samplesOf(users[0]!, 5)),
        }),
      );
    fc.assert(
      fc.property(datasets, ({ users, samples, other }) => {
        const counts = countsOf(users);
        const published = evaluateCentred(statistic, samples);
        const moved = distance(published, evaluateCentred(statistic, [other, ...samples.slice(1)]));
        expect(moved.compare(sensitivity(statistic, users[0]!.kept, counts))).toBeLessThanOrEqual(0);
        const off = distance(published, evaluateAll(statistic, samples));
        expect(off.compare(worstCaseBias(statistic, counts))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });

  test("witnesses attain sensitivity and bias at any size", () => {
    fc.assert(
      fc.property(grids, (users) => {
        const counts = countsOf(users);
        const { records, kept: owned } = users[0]!;
        const witness = sensitivityWitness(statistic, { owned, kept: counts.kept, leftOut: records - owned });
        const others: UserSamples = {
          kept: levelsOf(witness.others),
          // Wherever they are: it makes no difference.
          leftOut: levelsOf({ atLower: 0, atUpper: counts.total - counts.kept - (records - owned) }),
        };
        const before = { kept: levelsOf(witness.ownBefore), leftOut: levelsOf(witness.ownLeftOutBefore) };
        const after = { kept: levelsOf(witness.ownAfter), leftOut: levelsOf(witness.ownLeftOutAfter) };
        expect(
          distance(evaluateCentred(statistic, [before, others]), evaluateCentred(statistic, [after, others])),
        ).toEqual(sensitivity(statistic, owned, counts));

        // All at the end of the range: as far from the middle as what is left out can be, and no spread at all.
        const all = users.map((user) => ({
          kept: levelsOf({ atLower: 0, atUpper: user.kept }),
          leftOut: levelsOf({ atLower: 0, atUpper: user.records - user.kept }),
        }));
        expect(distance(evaluateCentred(statistic, all), evaluateAll(statistic, all))).toEqual(
          worstCaseBias(statistic, counts),
        );
      }),
    );
  });

  test("is never moved further than the paper's and never more biased, and moved kept/total as far if it is said to be", () => {
    fc.assert(
      fc.property(grids, (users) => {
        const counts = countsOf(users);
        fc.pre(counts.kept > 0);
        const owned = users[0]!.kept;
        const [ours, theirs] = [statistic, paper].map((each) => sensitivity(each, owned, counts));
        expect(ours!.compare(theirs!)).toBeLessThanOrEqual(0);
        const share = statistic.scaledByKeptShare ? Rational.of(counts.kept, counts.total) : Rational.ONE;
        expect(ours).toEqual(theirs!.multiply(share));
        expect(worstCaseBias(statistic, counts).compare(worstCaseBias(paper, counts))).toBeLessThanOrEqual(0);
      }),
    );
  });

  test("where nothing is left out both estimators are the same", () => {
    fc.assert(
      fc.property(grids, (users) => {
        const { total } = countsOf(users);
        const counts = { kept: total, total };
        const owned = users[0]!.records;
        expect(sensitivity(statistic, owned, counts)).toEqual(sensitivity(paper, owned, counts));
        expect(worstCaseBias(statistic, counts)).toEqual(Rational.ZERO);
      }),
    );
  });
});

test("the bias is half of the paper's, of three bins two thirds, of a sum as much", () => {
  const counts = { kept: 4, total: 10 };
  const ratios = centred.map((each, index) => [
    each.kind.name,
    worstCaseBias(each, counts).divide(worstCaseBias(kept[index]!, counts)).toString(),
  ]);
  expect(Object.fromEntries(ratios)).toMatchObject({
    mean: "0.5",
    variance: "0.5",
    share: "0.5",
    sum: "1",
    histogram: "2/3",
  });
});

describe.each(["sum", "relative"] as const)("a whole grid, by %s", (metric) => {
  const objective = makeObjective(latticeBounds, { statistics: ALL_KEYS, metric, estimator: "centred" });

  test.each([
    "even",
    "best",
  ] as const)("an emptied one spends nothing under the %s split and ends at the data-free line", (split) => {
    for (const total of [2, 6, 40]) {
      const counts = { total, kept: 0, largest: 0 };
      const epsilons = splitBudget(objective, counts, { epsilon: Rational.ONE, split });
      expect(epsilons.every((epsilon) => epsilon.isZero())).toBe(true);
      const guarantee = guaranteeOf(objective, counts, epsilons)!;
      expect(guarantee.scale.every((scale) => scale.isZero())).toBe(true);
      expect(guarantee.error).toEqual(dataFreeError(objective, total));
    }
  });

  test("keeping some of it is worth it from some ε on", () => {
    const counts = { total: 40, kept: 30, largest: 2 };
    const errorAt = (epsilon: Rational): Rational =>
      guaranteeOf(objective, counts, splitBudget(objective, counts, { epsilon, split: "best" }))!.error;
    expect(errorAt(Rational.of(1, 100)).compare(dataFreeError(objective, 40))).toBe(1);
    expect(errorAt(Rational.of(100)).compare(dataFreeError(objective, 40))).toBe(-1);
  });
});

function levelsOf({ atLower, atUpper }: { atLower: number; atUpper: number }): Multiset {
  return [atLower, ...new Array<number>(LEVELS - 2).fill(0), atUpper];
}
