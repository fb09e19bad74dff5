/** CLIP-USER against its definition in rational arithmetic, its invariants, near-ties and the smallest and largest inputs. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../../../test/support/random.ts";
import { errorOfGrid, matrixOf, referenceClipUser } from "../../../../test/support/reference-clip-user.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { ErrorModel, type Metric, makeObjective, type Objective, parseBounds } from "../../influence/index.ts";
import { Kept, type Occupancy, OccupancyBuilder, occupancyFromTriples } from "../../occupancy/index.ts";
import { runCooperatively, runNow } from "../long-work.ts";
import { type ClipUserOptions, clipUser } from "./clip-user.ts";

function objectiveOf(keys = "mean,variance", metric: Metric = "sum"): Objective {
  return makeObjective(parseBounds("0,65"), { statistics: keys, metric });
}

function run(occupancy: Occupancy, objective: Objective, epsilon: Rational, options: ClipUserOptions = {}) {
  const result = runNow(clipUser(occupancy, new ErrorModel(objective, epsilon), options));
  const pairs = Array.from(result.suppressed, (entry) => [occupancy.userOfEntry(entry), occupancy.byUser.grid[entry]!]);
  return { ...result, pairs };
}

/** Small arrays full of ties, or with a few heavy users, or with many users per grid so that the largest counts are searched again. */
const arrays = fc
  .record({
    users: fc.constantFrom(1, 2, 5, 12, 40),
    grids: fc.integer({ min: 1, max: 6 }),
    largest: fc.constantFrom(1, 2, 6, 50),
    density: fc.constantFrom(30, 60, 100),
    seed: fc.nat(1_000_000),
  })
  .map(({ users, grids, largest, density, seed }) => {
    const random = new SeededRandom(seed);
    const builder = new OccupancyBuilder();
    builder.add("u00", "g0", 1 + random.below(largest));
    for (let user = 0; user < users; user++) {
      for (let grid = 0; grid < grids; grid++) {
        if (random.below(100) >= density) continue;
        const heavy = random.below(12) === 0 ? 5 : 1;
        builder.add(`u${String(user).padStart(2, "0")}`, `g${grid}`, heavy * (1 + random.below(largest)));
      }
    }
    return builder.build().occupancy;
  });

const options = fc.record({
  epsilon: fc.constantFrom("0.05", "0.5", "2", "40").map((text) => parseDecimal(text, "ε")),
  protectLowest: fc.boolean(),
  wholeStages: fc.boolean(),
  slack: fc.constantFrom(0, 1, 50, 1000),
});

describe("against the definition, in order", () => {
  test.each([
    ["mean,variance", "sum"],
    ["mean,variance", "relative"],
    ["variance", "sum"],
    ["mean", "sum"],
    ["mean,sum,share:10,histogram:20/30", "sum"],
    ["mean,sum,variance", "relative"],
  ] as const)("%s by %s", (keys, metric) => {
    const objective = objectiveOf(keys, metric);
    let drops = 0;
    fc.assert(
      fc.property(arrays, options, (occupancy, { epsilon, slack, ...flags }) => {
        const base = referenceClipUser(occupancy, objective, { epsilon, ...flags });
        const errorBound = slack === 0 ? undefined : base.errorBound.multiply(Rational.of(100 + slack, 100));
        const expected =
          slack === 0 ? base : referenceClipUser(occupancy, objective, { epsilon, errorBound, ...flags });
        const result = run(occupancy, objective, epsilon, { errorBound, ...flags });
        expect(result.pairs).toEqual(expected.suppressed);
        expect(result.errorBound).toEqual(expected.errorBound);
        expect(result.kept.maxGridsPerUser()).toBe(expected.degradation);
        // A whole stage takes one grid from everyone who has the most.
        expect(result.wholeStages).toBe(occupancy.maxGridsPerUser() - expected.degradation);
        drops += result.pairs.length;
      }),
      { numRuns: 120 },
    );
    expect(drops).toBeGreaterThan(100);
  });
});

describe("invariants", () => {
  const objective = objectiveOf();

  test("no grid's error exceeds E after any drop, and K never rises", () => {
    fc.assert(
      fc.property(arrays, options, (occupancy, { epsilon, protectLowest }) => {
        const { pairs, errorBound } = run(occupancy, objective, epsilon, { protectLowest });
        const original = matrixOf(occupancy);
        const kept = original.map((row) => [...row]);
        let most = occupancy.maxGridsPerUser();
        for (const [user, grid] of pairs as Array<[number, number]>) {
          kept[grid]![user] = 0;
          expect(
            errorOfGrid(objective, epsilon, original[grid]!, kept[grid]!)!.compare(errorBound),
          ).toBeLessThanOrEqual(0);
          const now = Math.max(...original[0]!.map((_, each) => kept.filter((row) => row[each]! > 0).length));
          expect(now).toBeLessThanOrEqual(most);
          most = now;
        }
      }),
      { numRuns: 60 },
    );
  });

  test("whole stages give the same K with a prefix of the drops", () => {
    fc.assert(
      fc.property(arrays, options, (occupancy, { epsilon, protectLowest }) => {
        const partial = run(occupancy, objective, epsilon, { protectLowest });
        const whole = run(occupancy, objective, epsilon, { protectLowest, wholeStages: true });
        expect(whole.kept.maxGridsPerUser()).toBe(partial.kept.maxGridsPerUser());
        expect(partial.pairs.slice(0, whole.pairs.length)).toEqual(whole.pairs);
      }),
    );
  });

  test("a bound below some grid's error is refused, naming the grid", () => {
    const occupancy = occupancyFromTriples([
      ["a", "calm", 1],
      ["b", "calm", 1],
      ["c", "calm", 1],
      ["a", "crowded\u001b[31m", 9],
      ["b", "crowded\u001b[31m", 1],
    ]);
    expect(() => run(occupancy, objective, Rational.ONE, { errorBound: Rational.of(1) })).toThrow(
      expect.objectContaining({
        code: "ERROR_BOUND_TOO_LOW",
        message: expect.stringContaining("'crowded\\u001b[31m'"),
      }),
    );
  });
});

test("of grids with the same error above the bound the first is named", () => {
  const alike = occupancyFromTriples(
    ["a", "b"].flatMap((user) => ["one", "two"].map((grid) => [user, grid, 1] as const)),
  );
  expect(() => run(alike, objectiveOf(), Rational.ONE, { errorBound: Rational.of(1) })).toThrow("'one'");
});

test("a bound that is the error after some drop allows it, and a little less does not", () => {
  const little = Rational.of(1n, 10n ** 25n);
  let met = 0;
  for (const keys of ["mean", "mean,variance"]) {
    const objective = objectiveOf(keys);
    const random = new SeededRandom(17);
    const builder = new OccupancyBuilder();
    for (let user = 0; user < 9; user++)
      for (let grid = 0; grid < 3; grid++) builder.add(`u${user}`, `g${grid}`, 1 + random.below(4));
    const { occupancy } = builder.build();
    const original = matrixOf(occupancy);
    const worst = referenceClipUser(occupancy, objective, { epsilon: Rational.ONE }).errorBound;
    const kept = original.map((row) => [...row]);
    const free = referenceClipUser(occupancy, objective, { epsilon: Rational.ONE, errorBound: Rational.of(1_000_000) });
    for (const [user, grid] of free.suppressed) {
      kept[grid]![user] = 0;
      const error = errorOfGrid(objective, Rational.ONE, original[grid]!, kept[grid]!)!;
      for (const errorBound of [error, error.subtract(little), error.add(little)]) {
        if (errorBound.compare(worst) < 0) continue;
        met += 1;
        const expected = referenceClipUser(occupancy, objective, { epsilon: Rational.ONE, errorBound });
        expect(run(occupancy, objective, Rational.ONE, { errorBound }).pairs).toEqual(expected.suppressed);
      }
    }
    // The worst error itself is no bound too low.
    expect(run(occupancy, objective, Rational.ONE, { errorBound: worst }).errorBound).toEqual(worst);
  }
  expect(met).toBeGreaterThan(50);
});

test.each([
  { protectLowest: false, drops: 41 },
  { protectLowest: true, drops: 21 },
])("where grids differ much in size, one look per drop and one that ends it: %o", ({ protectLowest, drops }) => {
  const everywhere = Array.from({ length: 12 }, (_, user) =>
    ["a", "b", "c"].map((grid) => [`u${user}`, grid, 2] as const),
  );
  const others = (grid: string, users: number) =>
    Array.from({ length: users }, (_, user) => [`${grid}${user}`, grid, 2] as const);
  const loud = ["x", "y"].map((user) => [user, "loud", 5] as const);
  const occupancy = occupancyFromTriples([...everywhere.flat(), ...others("b", 20), ...others("c", 500), ...loud]);
  const result = run(occupancy, objectiveOf("mean"), Rational.of(1, 10), { protectLowest });
  expect(result.pairs).toEqual(
    referenceClipUser(occupancy, objectiveOf("mean"), { epsilon: Rational.of(1, 10), protectLowest }).suppressed,
  );
  expect(result.pairs).toHaveLength(drops);
  expect(result.evaluations).toBe(drops + 1);
});

describe("near-ties that doubles cannot see", () => {
  // Neighbouring quotients of Fibonacci numbers differ by 1/(F·F'), here 1.8e-19: doubles hold them to be equal.
  const fibonacci = [0, 1];
  while (fibonacci.length < 48) fibonacci.push(fibonacci[fibonacci.length - 1]! + fibonacci[fibonacci.length - 2]!);
  const [, f44, f45, f46, f47] = fibonacci.slice(-5) as [number, number, number, number, number];
  const meanOnly = objectiveOf("mean");
  const [larger, smaller] = f46 * f46 > f45 * f47 ? [0, 1] : [1, 0];
  const grids = [
    { heavy: f46, light: f47 - f46 },
    { heavy: f45, light: f44 },
  ];
  /** The grid with the exactly larger quotient gets the lower id, so that "first of equals" would be wrong. */
  const near = [grids[larger]!, grids[smaller]!];

  test("the quotients differ exactly, but not in doubles", () => {
    const quotients = near.map(({ heavy, light }) => Rational.of(heavy, heavy + light));
    expect(quotients[0]!.compare(quotients[1]!)).toBe(BigInt(f46) ** 2n === BigInt(f45) * BigInt(f47) ? 0 : 1);
    expect(Math.abs(quotients[0]!.toNumberNearest() - quotients[1]!.toNumberNearest())).toBeLessThanOrEqual(2 ** -52);
  });

  test("the protected grid is the one with the exactly smallest error", () => {
    const occupancy = occupancyFromTriples(
      near.flatMap(({ heavy, light }, at) => [
        [`h${at}`, `g${at}`, heavy] as const,
        [`l${at}`, `g${at}`, light] as const,
      ]),
    );
    const result = run(occupancy, meanOnly, Rational.ONE, { protectLowest: true });
    expect(result.protectedGrid).toBe(1);
    expect(result.errorBound).toEqual(
      new ErrorModel(meanOnly, Rational.ONE).exactError(Kept.all(occupancy).countsOf(0)),
    );
  });

  test("a user is dropped from the grid that is exactly better", () => {
    // At ε = 10⁻¹² the noise outweighs the bias of one record by far more than the near-tie.
    const epsilon = parseDecimal("1e-12", "ε");
    const occupancy = occupancyFromTriples([
      ...near.flatMap(({ heavy, light }, at) => [
        [`h${at}`, `g${at}`, heavy] as const,
        [`l${at}`, `g${at}`, light] as const,
      ]),
      ["z", "g0", 1],
      ["z", "g1", 1],
      ["loud", "g2", 3],
      ["quiet", "g2", 1],
    ]);
    const expected = referenceClipUser(occupancy, meanOnly, { epsilon });
    expect(expected.suppressed[0]).toEqual([occupancy.users.indexOf("z"), 1]);
    expect(run(occupancy, meanOnly, epsilon).pairs).toEqual(expected.suppressed);
  });
});

test("a grid that loses thousands of equally heavy users, one by one", () => {
  const triples: Array<[string, string, number]> = [["z", "solo", 2]];
  for (let user = 0; user < 3000; user++)
    for (const grid of ["a", "b"]) triples.push([`u${String(user).padStart(4, "0")}`, grid, 1 + (user % 3)]);
  const occupancy = occupancyFromTriples(triples);
  const { pairs, kept } = run(occupancy, objectiveOf(), Rational.ONE);
  // The solo grid's error is so large that everyone may go, but for the last user of each grid.
  expect(pairs.length).toBeGreaterThan(5900);
  for (let grid = 0; grid < 3; grid++) expect(kept.usersOfGrid(grid)).toBeGreaterThanOrEqual(1);
  const recount = new Kept(occupancy, kept.ofEntry);
  expect([...recount.largestOfGrid]).toEqual([...kept.largestOfGrid]);
});

describe("the smallest and the largest", () => {
  const objective = objectiveOf();

  test("one user only, one sample only: nothing can be dropped", () => {
    for (const triples of [
      [["u", "g", 1]],
      [["u", "g", 7]],
      [
        ["u", "g", 1],
        ["u", "h", 1],
      ],
    ] as Array<Array<[string, string, number]>>) {
      expect(run(occupancyFromTriples(triples), objective, Rational.ONE).pairs).toEqual([]);
    }
  });

  test("a grid's last user stays, however wide the bound", () => {
    const occupancy = occupancyFromTriples([
      ["a", "g", 2],
      ["b", "g", 2],
      ["c", "g", 2],
    ]);
    const { kept } = run(occupancy, objective, Rational.ONE, { errorBound: Rational.of(1_000_000) });
    expect([...kept.ofGrid].every((records) => records > 0)).toBe(true);
    expect(kept.usersOfGrid(occupancy.grids.indexOf("g"))).toBe(1);
  });

  test("counts of a billion per entry: the drops of exact arithmetic", () => {
    const random = new SeededRandom(9);
    const builder = new OccupancyBuilder();
    for (let user = 0; user < 30; user++) {
      for (let grid = 0; grid < 5; grid++)
        if (random.below(3) > 0)
          builder.add(`u${String(user).padStart(2, "0")}`, `g${grid}`, 1_000_000_000 + random.below(7));
    }
    const { occupancy } = builder.build();
    const epsilon = parseDecimal("0.3", "ε");
    const errorBound = Rational.of(3000);
    const expected = referenceClipUser(occupancy, objective, { epsilon, errorBound });
    expect(expected.suppressed.length).toBeGreaterThan(10);
    expect(run(occupancy, objective, epsilon, { errorBound }).pairs).toEqual(expected.suppressed);
  });
});

describe("long work", () => {
  const occupancy = occupancyFromTriples(
    Array.from(
      { length: 9000 },
      (_, user) => [`u${String(user).padStart(4, "0")}`, `g${user % 7}`, 1 + (user % 5)] as const,
    ),
  );
  const model = new ErrorModel(objectiveOf(), Rational.of(1, 10));

  test("reports progress and gives the same result in slices as at once", async () => {
    const steps: number[] = [];
    const bound = Rational.of(10_000_000);
    const sliced = await runCooperatively(clipUser(occupancy, model, { errorBound: bound }), {
      onProgress: ({ done }) => steps.push(done),
    });
    // One stage; told at its start and after every 4096 users, each dropped once.
    expect(steps).toEqual([0, 4096, 8192]);
    expect(sliced.suppressed).toEqual(runNow(clipUser(occupancy, model, { errorBound: bound })).suppressed);
  });

  test("says from how many grids to how many", () => {
    const two = occupancyFromTriples(
      ["a", "b", "c"].flatMap((user) => ["g", "h"].map((grid) => [user, grid, 1] as const)),
    );
    const told = [...clipUser(two, model, { errorBound: Rational.of(10_000_000) })];
    expect(told).toEqual([
      { step: "dropping users from 2 to 1 grids", done: 0 },
      { step: "dropping users from 1 to 0 grids", done: 3 },
    ]);
  });

  test("stops soon after an abort", async () => {
    const abort = new AbortController();
    const work = runCooperatively(clipUser(occupancy, model, { errorBound: Rational.of(10_000_000) }), {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(work).rejects.toMatchObject({ code: "CANCELLED" });
  });
});
