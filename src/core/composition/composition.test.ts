/** Losses against enumeration over all neighbouring datasets of tiny arrays, and the two rules against each other. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  distance,
  evaluate,
  latticeBounds,
  latticeStatistics,
  type Multiset,
  multisets,
  union,
} from "../../../test/support/enumerate.ts";
import { evaluateCentred } from "../../../test/support/enumerate-centred.ts";
import { maximum, parseDecimal, Rational, sum } from "../arithmetic/index.ts";
import {
  ESTIMATORS,
  type EstimatorName,
  makeObjective,
  noiseScale,
  type Objective,
  parseBounds,
  parseStatistics,
  sensitivity,
  splitBudget,
} from "../influence/index.ts";
import { Kept, type Occupancy, occupancyFromTriples } from "../occupancy/index.ts";
import { continuousLossOfUser, jointLosses, type NoiseBudget, noiseLattice, simpleLosses } from "./index.ts";

function objectiveOf(keys: string, estimator?: EstimatorName): Objective {
  return makeObjective(latticeBounds, { statistics: keys, estimator });
}

function noiseFor(kept: Kept, objective: Objective, epsilon: Rational): NoiseBudget {
  const grids = Array.from(kept.ofGrid, (_, grid) => grid);
  return {
    statistics: objective.statistics,
    epsilonOfGrid: grids.map(() => epsilon),
    epsilonsOfGrid: grids.map((grid) => splitBudget(objective, kept.countsOf(grid), { epsilon, split: "even" })),
  };
}

/** A tiny array with Γ somewhere between 1 and m, every grid keeping something; centred also 0 and nothing. */
const arraysFor = (estimator: EstimatorName) => (estimator === "kept" ? tinyArrays(1) : tinyArrays(0));
const tinyArrays = (least: 0 | 1) =>
  fc
    .array(fc.record({ user: fc.nat(3), grid: fc.nat(1), count: fc.integer({ min: 1, max: 3 }), dropped: fc.nat(2) }), {
      minLength: 2,
      maxLength: 6,
    })
    .map((rows) => {
      const occupancy = occupancyFromTriples(rows.map((row) => [`u${row.user}`, `g${row.grid}`, row.count] as const));
      const ofEntry = occupancy.byUser.count.map((count, entry) =>
        Math.max(least, count - rows[entry % rows.length]!.dropped),
      );
      return new Kept(occupancy, ofEntry);
    });

/**
 * The privacy loss of releasing every statistic with independent Laplace noise is, at the worst output, the distance of the two
 * answers measured in noise scales. Here its largest value over all datasets and all ways to change one user's values,
 * in all grids at once.
 */
function lossByEnumeration(kept: Kept, objective: Objective, noise: NoiseBudget, user: number): Rational {
  const { start, grid, count } = kept.occupancy.byUser;
  let total = Rational.ZERO;
  for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
    const counts = kept.countsOf(grid[entry]!);
    const owned = kept.ofEntry[entry]!;
    const leftOut = count[entry]! - owned;
    const scales = objective.statistics.map((statistic, index) =>
      noiseScale(statistic, counts, noise.epsilonsOfGrid[grid[entry]!]![index]!),
    );
    // Grids share no record, so the worst of each grid can be had together; within a grid all statistics see the same records.
    let largest = Rational.ZERO;
    const own = multisets(owned, 3).flatMap((samples) =>
      leftOut === 0 || objective.estimator === "kept"
        ? [{ kept: spread(samples), leftOut: spread([]) }]
        : // What the user has besides: all low or all high. Every mixture is tried in the tests of the sensitivity itself.
          [spread([leftOut]), spread([0, 0, leftOut])].map((rest) => ({ kept: spread(samples), leftOut: rest })),
    );
    for (const others of multisets(counts.kept - owned, 3).map(spread)) {
      // Where the others' left-out records are makes no difference to a difference.
      const rest = { kept: others, leftOut: spread([counts.total - counts.kept - leftOut]) };
      const outcomes = own.map((mine) =>
        objective.statistics.map((statistic) =>
          objective.estimator === "kept"
            ? evaluate(statistic, union(others, mine.kept))
            : evaluateCentred(statistic, [mine, rest]),
        ),
      );
      for (const before of outcomes) {
        for (const after of outcomes) {
          const terms = objective.statistics.map((statistic, index) => {
            const moved = distance(before[index]!, after[index]!);
            if (!scales[index]!.isZero()) return moved.divide(scales[index]!);
            if (!moved.isZero()) throw new Error(`the ${statistic.key} can be moved and has no noise`);
            return moved;
          });
          largest = maximum(largest, sum(terms));
        }
      }
    }
    total = total.add(largest);
  }
  return total;
}

/** What the noise lattices may add or take: B·2⁻⁴⁰·ε_t per statistic, and 10⁻¹⁸ of rounding up, per grid. */
function latticeTolerance(kept: Kept, noise: NoiseBudget, user: number): Rational {
  const { start, grid } = kept.occupancy.byUser;
  const perGrid = Array.from({ length: start[user + 1]! - start[user]! }, (_, at) => grid[start[user]! + at]!).map(
    (g) => {
      const terms = noise.statistics.map((statistic, index) =>
        noise.epsilonsOfGrid[g]![index]!.multiply(Rational.of(statistic.coordinates)),
      );
      return sum(terms)
        .multiply(Rational.powerOfTwo(-40))
        .add(Rational.of(1n, 10n ** 18n));
    },
  );
  return sum(perGrid);
}

/** Low, middle and high on the five-level lattice. */
function spread([low = 0, middle = 0, high = 0]: Multiset): Multiset {
  return [low, 0, middle, 0, high];
}

describe.each(ESTIMATORS)("joint loss, %s", (estimator) => {
  const objective = objectiveOf("mean,variance", estimator);
  const arrays = arraysFor(estimator);

  test("of every user is the enumerated one where it owns at most half of each grid, and an upper bound elsewhere", () => {
    let tight = 0;
    fc.assert(
      fc.property(arrays, (kept) => {
        const noise = noiseFor(kept, objective, Rational.of(1, 2));
        const { start, grid } = kept.occupancy.byUser;
        for (let user = 0; user < kept.occupancy.users.length; user++) {
          const claimed = continuousLossOfUser(kept, noise, user);
          const enumerated = lossByEnumeration(kept, objective, noise, user);
          expect(enumerated.compare(claimed)).toBeLessThanOrEqual(0);
          const slots = Array.from({ length: start[user + 1]! - start[user]! }, (_, at) => start[user]! + at);
          if (slots.every((entry) => 2 * kept.ofEntry[entry]! <= kept.ofGrid[grid[entry]!]!)) {
            tight += 1;
            expect(enumerated).toEqual(claimed);
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(tight).toBeGreaterThan(50);
  });

  test("on the lattices is within B·2^-40·ε of its limit per statistic and grid, and the overall loss is the largest user's", () => {
    fc.assert(
      fc.property(
        arrays,
        fc.constantFrom("0.1", "1", "3"),
        fc.constantFrom("mean,variance", "mean", "variance,sum,histogram:1/3"),
        (kept, text, keys) => {
          const noise = noiseFor(kept, objectiveOf(keys, estimator), parseDecimal(text, "ε"));
          const joint = jointLosses(kept, noise);
          let largest = Rational.ZERO;
          for (let user = 0; user < kept.occupancy.users.length; user++) {
            const limit = continuousLossOfUser(kept, noise, user);
            const tolerance = latticeTolerance(kept, noise, user);
            expect(joint.of(user).subtract(limit).absolute().compare(tolerance)).toBeLessThanOrEqual(0);
            largest = maximum(largest, joint.of(user));
          }
          expect(joint.largest()).toEqual(largest);
        },
      ),
    );
  });

  test("on the lattices is, to the last unit, the sum over grids of Σ ⌈Δ_ℓ/s⌉/t rounded up to 10^-18", () => {
    fc.assert(
      fc.property(
        arrays,
        fc.constantFrom("0.1", "3"),
        fc.constantFrom("mean,variance", "histogram:1/3,sum"),
        (kept, text, keys) => {
          const noise = noiseFor(kept, objectiveOf(keys, estimator), parseDecimal(text, "ε"));
          const joint = jointLosses(kept, noise);
          const { start, grid } = kept.occupancy.byUser;
          for (let user = 0; user < joint.length; user++) {
            let expected = Rational.ZERO;
            for (let entry = start[user]!; entry < start[user + 1]!; entry++) {
              if (kept.ofEntry[entry] === 0) continue;
              const counts = kept.countsOf(grid[entry]!);
              const terms = noise.statistics.map((statistic, index) => {
                const epsilon = noise.epsilonsOfGrid[grid[entry]!]![index]!;
                if (epsilon.isZero()) return Rational.ZERO;
                const step = Rational.powerOfTwo(noiseLattice(statistic, counts, epsilon).stepExponent);
                const steps = (owned: number): Rational =>
                  Rational.of(
                    sensitivity(statistic, owned, counts).divide(step).ceilToInteger() +
                      BigInt(statistic.coordinates - 1),
                  );
                return steps(kept.ofEntry[entry]!).multiply(epsilon).divide(steps(counts.largest));
              });
              expected = expected.add(sum(terms).ceilToMultipleOf(Rational.of(1n, 10n ** 18n)));
            }
            expect(joint.of(user)).toEqual(expected);
          }
        },
      ),
    );
  });

  test("never exceeds the simple one, and the heaviest user of a single grid loses exactly ε", () => {
    fc.assert(
      fc.property(arrays, fc.constantFrom("mean,variance", "histogram:1/3,mean", "share:1.5"), (kept, keys) => {
        const epsilon = parseDecimal("0.7", "ε");
        const noise = noiseFor(kept, objectiveOf(keys, estimator), epsilon);
        const [joint, simple] = [jointLosses(kept, noise), simpleLosses(kept, noise)];
        for (let user = 0; user < joint.length; user++)
          expect(joint.of(user).compare(simple.of(user))).toBeLessThanOrEqual(0);
        expect(simple.largest()).toEqual(epsilon.multiply(Rational.of(kept.maxGridsPerUser())));
      }),
    );
    const kept = Kept.all(
      occupancyFromTriples([
        ["a", "g", 5],
        ["b", "g", 3],
      ]),
    );
    const epsilon = parseDecimal("0.123456789012345678", "ε");
    expect(jointLosses(kept, noiseFor(kept, objective, epsilon)).of(0)).toEqual(epsilon);
  });

  test.each(
    ESTIMATORS,
  )("of given grids, as a ledger charges them, is that of all of them to the last unit, whole or grid by grid (%s)", (estimator) => {
    fc.assert(
      fc.property(arraysFor(estimator), fc.constantFrom("mean,variance", "histogram:1/3,sum"), (kept, keys) => {
        const noise = noiseFor(kept, objectiveOf(keys, estimator), parseDecimal("0.7"));
        const all = jointLosses(kept, noise);
        const grids = Array.from(kept.ofGrid, (_, grid) => grid);
        const together = jointLosses(kept, noise, grids);
        const apart = grids.map((grid) => jointLosses(kept, noise, [grid]));
        for (let user = 0; user < all.length; user++) {
          expect(together.unitsOf(user)).toBe(all.unitsOf(user));
          expect(apart.reduce((units, each) => units + each.unitsOf(user), 0n)).toBe(all.unitsOf(user));
        }
      }),
    );
  });

  test("a suppressed user loses nothing", () => {
    const occupancy = occupancyFromTriples([
      ["a", "g", 5],
      ["b", "g", 3],
      ["c", "g", 1],
    ]);
    const kept = new Kept(occupancy, Uint32Array.of(5, 0, 1));
    const noise = noiseFor(kept, objective, Rational.ONE);
    expect(jointLosses(kept, noise).of(1)).toEqual(Rational.ZERO);
    expect(simpleLosses(kept, noise).of(1)).toEqual(Rational.ZERO);
    expect(jointLosses(kept, noise).of(2).sign()).toBe(1);
  });

  test("a grid that keeps nothing costs nothing, whatever noise it was given", () => {
    const occupancy = occupancyFromTriples([
      ["a", "g", 5],
      ["a", "h", 2],
      ["b", "g", 3],
    ]);
    const kept = new Kept(occupancy, Uint32Array.of(5, 0, 3));
    const noise = noiseFor(kept, objective, Rational.ONE);
    const epsilonsOfGrid = [noise.epsilonsOfGrid[0]!, noise.epsilonsOfGrid[0]!];
    for (const losses of [
      jointLosses(kept, { ...noise, epsilonsOfGrid }),
      jointLosses(kept, { ...noise, epsilonsOfGrid }, [0, 1]),
      simpleLosses(kept, noise),
    ])
      expect(losses.of(0)).toEqual(Rational.ONE);
  });

  test("billions of records per entry stay exact", () => {
    const occupancy: Occupancy = occupancyFromTriples([
      ["a", "g", 1_000_000_000],
      ["b", "g", 999_999_999],
      ["b", "h", 4_000_000_000],
      ["c", "h", 1],
    ]);
    const kept = new Kept(occupancy, Uint32Array.of(1_000_000_000, 999_999_999, 3_999_999_937, 1));
    const noise = noiseFor(kept, objective, Rational.ONE);
    const joint = jointLosses(kept, noise);
    for (let user = 0; user < 3; user++) {
      const difference = joint
        .of(user)
        .subtract(continuousLossOfUser(kept, noise, user))
        .absolute();
      expect(difference.compare(latticeTolerance(kept, noise, user))).toBeLessThanOrEqual(0);
    }
  });
});

describe.each(ESTIMATORS)("noise lattice, %s", (estimator) => {
  const counts = { total: 9, kept: 8, largest: 3 };
  /** Moved by so much that a step is a whole number, above 1. */
  const wide = parseStatistics("mean,variance,sum", parseBounds("0,1e20"), estimator);
  test.each(
    [...latticeStatistics(estimator), ...wide].map((each) => [each.key, each] as const),
  )("%s: step and steps by definition", (_, statistic) => {
    for (const epsilon of [Rational.of(1, 10), Rational.of(7)]) {
      const { stepExponent, deltaSteps } = noiseLattice(statistic, counts, epsilon);
      const delta = noiseScale(statistic, counts, Rational.ONE);
      const limit = (epsilon.compare(Rational.ONE) > 0 ? delta.divide(epsilon) : delta).multiply(
        Rational.powerOfTwo(-40),
      );
      const step = Rational.powerOfTwo(stepExponent);
      expect(step.compare(limit)).toBeLessThanOrEqual(0);
      expect(step.multiply(Rational.of(2)).compare(limit)).toBe(1);
      expect(deltaSteps).toBe(delta.divide(step).ceilToInteger() + BigInt(statistic.coordinates - 1));
    }
  });
});
