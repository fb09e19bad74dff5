/** The search for the smallest K step by step: what it asks a solver and how long, what it takes from the answers, and what it says meanwhile. */
import { describe, expect, test } from "vitest";
import { Rational } from "../../arithmetic/index.ts";
import { ErrorModel, makeObjective, parseBounds } from "../../influence/index.ts";
import { Kept, type Occupancy, occupancyFromTriples } from "../../occupancy/index.ts";
import { type Progress, runNow } from "../long-work.ts";
import { type DropProblem, type DropProgram, dropProgram, makeDropProblem } from "./drop-problem.ts";
import type { LinearOutcome, LinearProgram, LinearSolver, SolveOptions } from "./linear-solver.ts";
import { SmallestKSearch } from "./smallest-k.ts";

const model = new ErrorModel(makeObjective(parseBounds("0,1"), { statistics: "mean" }), Rational.ONE);

/** Ten users with one record in each of three grids. */
const ten = occupancyFromTriples(
  Array.from({ length: 10 }, (_, user) => `u${user}`).flatMap((user) =>
    ["a", "b", "c"].map((grid) => [user, grid, 1] as const),
  ),
);

/** At the error of a grid of ten that has lost so many. */
function tenLosing(most: number, protectedGrid?: number): DropProblem {
  const errorBound = Rational.of(most, 10).add(Rational.of(1, 10 - most));
  return runNow(makeDropProblem(ten, model, { errorBound, protectedGrid }));
}

const NOTHING: LinearOutcome = { status: "stopped", values: undefined, rowDuals: undefined, seconds: 0 };
const INFEASIBLE: LinearOutcome = { ...NOTHING, status: "infeasible" };

interface Asked {
  readonly search: SmallestKSearch;
  readonly options: SolveOptions[];
  readonly told: Progress[];
}

type Answer = (program: LinearProgram, options: SolveOptions, time: number) => LinearOutcome;

/** The search by solver alone, from a plan that drops nothing unless another is given. */
function ask(
  problem: DropProblem,
  answer: Answer,
  { start = problem.occupancy.byUser.count, seconds = 16 } = {},
): Asked {
  const options: SolveOptions[] = [];
  const solver: LinearSolver = {
    name: "asked",
    solve: (program, given) => {
      options.push(given);
      return answer(program, given, options.length);
    },
  };
  const search = new SmallestKSearch(problem, solver, { keptOfEntry: start, timeLimitSeconds: seconds });
  return { search, options, told: [...search.bySolver()] };
}

/** Γ without the users named by grid. */
function without(occupancy: Occupancy, dropped: Record<string, readonly number[]>): Uint32Array {
  const kept = occupancy.byUser.count.slice();
  for (const [grid, users] of Object.entries(dropped))
    for (const user of users)
      kept[occupancy.entryOf(occupancy.users.indexOf(`u${user}`), occupancy.grids.indexOf(grid))] = 0;
  return kept;
}

describe("how long a solver may take", () => {
  test("half of what is left for each K but the last below the plan's, then all of it; a proof is looked for once", () => {
    const { options, told, search } = ask(tenLosing(1), () => ({ ...NOTHING, status: "solved", seconds: 2 }));
    expect(options).toEqual([
      { relaxed: true, timeLimitSeconds: 16 },
      { timeLimitSeconds: 7, gap: 0.1 },
      { timeLimitSeconds: 12, gap: 0.1 },
      { timeLimitSeconds: 10, gap: 0.1 },
    ]);
    expect(told).toEqual([
      { step: "looking for a proof that K is above 1", done: 1, of: 3 },
      { step: "looking for a plan with K = 1", done: 1, of: 3 },
      { step: "looking for a proof that K is above 2", done: 2, of: 3 },
      { step: "looking for a plan with K = 2", done: 2, of: 3 },
      { step: "looking for fewer drops with K = 3", done: 3, of: 3 },
    ]);
    expect(search).toMatchObject({ k: 3, lowerBound: 1, lowerBoundBy: "nature", certificate: null, timedOut: false });
  });

  test("not a question more once it is used up", () => {
    const { options, search } = ask(tenLosing(1), () => ({ ...NOTHING, status: "solved", seconds: 8 }));
    expect(options).toHaveLength(2);
    expect(search.timedOut).toBe(true);
  });

  test("one that stops by itself has timed out, too", () => {
    expect(ask(tenLosing(1), () => NOTHING).search.timedOut).toBe(true);
  });
});

describe("what a solver says is impossible", () => {
  test("raises the bound by its word, K by K", () => {
    const { search } = ask(tenLosing(1), (_, { relaxed }) => (relaxed ? NOTHING : INFEASIBLE));
    expect(search).toMatchObject({ k: 3, lowerBound: 3, lowerBoundBy: "solver", certificate: null });
  });

  test("does not where the K below is open", () => {
    const { search, options } = ask(tenLosing(1), (_, { relaxed }, time) =>
      relaxed || time < 3 ? NOTHING : INFEASIBLE,
    );
    expect(options.length).toBeGreaterThan(2);
    expect(search).toMatchObject({ lowerBound: 1, lowerBoundBy: "nature" });
  });
});

describe("duals become prices", () => {
  /** Answers relaxed programs with the duals that stand for these prices per record. */
  function dualsOf(problem: DropProblem, prices: readonly number[]): Answer {
    let k = 0;
    return (program, { relaxed }) => {
      if (!relaxed) return NOTHING;
      k += 1;
      const { budgetRow, budgetUnit }: DropProgram = dropProgram(problem, k, "overload");
      const rowDuals = new Float64Array(program.rowLower.length).fill(7);
      budgetRow.forEach((row, grid) => {
        if (row >= 0) rowDuals[row] = -prices[grid]! * budgetUnit[grid]!;
      });
      return { ...NOTHING, status: "solved", rowDuals };
    };
  }

  test("in whole numbers of 40 bits, and proven prices raise the bound without asking for a plan", () => {
    const problem = tenLosing(1);
    const { search, options } = ask(problem, dualsOf(problem, [0.2, 0.1, 0.2]));
    const prices = [2n ** 40n, 2n ** 39n, 2n ** 40n];
    expect(search).toMatchObject({ lowerBound: 3, lowerBoundBy: "certificate", certificate: { k: 2, prices } });
    // Twice a proof, and at last fewer drops.
    expect(options.map(({ relaxed }) => relaxed)).toEqual([true, true, undefined]);
  });

  test("a dual of the wrong sign is no price", () => {
    const problem = tenLosing(1);
    const { search, options } = ask(problem, dualsOf(problem, [1, -5, 1]));
    // For K = 1 users owe the cheaper of two grids; for K = 2 the free one.
    expect(search.certificate).toEqual({ k: 1, prices: [2n ** 40n, 0n, 2n ** 40n] });
    expect(search).toMatchObject({ lowerBound: 2, lowerBoundBy: "certificate" });
    // So a plan with K = 2 is asked for.
    expect(options.map(({ relaxed }) => relaxed)).toEqual([true, true, undefined, undefined]);
  });

  test("nothing but zeros proves nothing", () => {
    const problem = tenLosing(1);
    expect(ask(problem, dualsOf(problem, [0, 0, 0])).search.lowerBound).toBe(1);
  });

  test.each([0, 1, 2])("a protected grid has none: grid %i", (protectedGrid) => {
    const problem = tenLosing(1, protectedGrid);
    const { search } = ask(problem, dualsOf(problem, [1, 1, 1]));
    const prices = [0, 1, 2].map((grid) => (grid === protectedGrid ? 0n : 2n ** 40n));
    expect(search.certificate).toEqual({ k: 2, prices });
  });

  test("of the program that measures by how much there is no plan", () => {
    const problem = tenLosing(1);
    const programs: LinearProgram[] = [];
    ask(problem, (program) => {
      programs.push(program);
      return NOTHING;
    });
    expect(programs[0]).toEqual(dropProgram(problem, 1, "overload").program);
    expect(programs[1]).toEqual(dropProgram(problem, 1, "fewest records").program);
  });

  test("per record, also where a row was divided", () => {
    const many = 2 ** 24;
    const uneven = occupancyFromTriples(
      Array.from({ length: 10 }, (_, user) => `u${user}`).flatMap((user) => [
        [user, "a", 1] as const,
        [user, "b", many] as const,
        [user, "c", many] as const,
      ]),
    );
    const errorBound = Rational.of(1, 10).add(Rational.of(1, 9));
    const problem = runNow(makeDropProblem(uneven, model, { errorBound, protectedGrid: undefined }));
    const { search } = ask(problem, dualsOf(problem, [1, 1 / many, 1 / many]));
    expect(search.certificate).toEqual({ k: 2, prices: [2n ** 40n, 2n ** 16n, 2n ** 16n] });
  });
});

describe("suggested plans", () => {
  /** Every grid loses up to four: three, three and four users leave one each. */
  const problem = tenLosing(4);
  const good = { a: [0, 1, 2], b: [3, 4, 5], c: [6, 7, 8, 9] };

  /** Values that drop what a plan drops: a little less than whole, as solvers' are, and where it keeps, a little more. */
  function valuesOf(kept: Uint32Array, k: number): Float64Array {
    const { entryOfColumn } = dropProgram(problem, k, "fewest records");
    return Float64Array.from(entryOfColumn, (entry) => (entry >= 0 && kept[entry] === 0 ? 0.6 : 0.4));
  }

  const suggest =
    (kept: Uint32Array, at: number): Answer =>
    (_, { relaxed }, time) =>
      relaxed || time !== at ? NOTHING : { ...NOTHING, status: "solved", values: valuesOf(kept, 2) };

  test("one within the bound is taken and ends the search upwards", () => {
    const { search, told } = ask(problem, suggest(without(ten, good), 3));
    expect(search.k).toBe(2);
    expect(search.keptOfEntry).toEqual(without(ten, good));
    expect(told.at(-1)).toEqual({ step: "looking for a plan with K = 2", done: 2, of: 3 });
  });

  test("one that takes five from a grid is not", () => {
    const { search } = ask(problem, suggest(without(ten, { ...good, b: [2, 3, 4, 5, 6] }), 3));
    expect(search.k).toBe(3);
    expect(search.keptOfEntry).toEqual(ten.byUser.count);
  });

  test("one that drops nothing is none for a plan of smaller K", () => {
    const start = without(ten, good);
    // A proof and a plan for K = 1, then fewer drops for K = 2.
    const { search, options } = ask(problem, suggest(ten.byUser.count, 3), { start });
    expect(options).toHaveLength(3);
    expect(search.k).toBe(2);
    expect(search.keptOfEntry).toEqual(start);
  });

  test("of plans with as many dropped records the first stays", () => {
    const start = without(ten, good);
    const other = without(ten, { a: [9, 8, 7], b: [6, 5, 4], c: [0, 1, 2, 3] });
    expect(ask(problem, suggest(other, 3), { start }).search.keptOfEntry).toEqual(start);
  });

  test("of others with the same K the one with fewer", () => {
    const crossed = occupancyFromTriples([
      ["u0", "a", 1],
      ["u0", "b", 3],
      ["u1", "a", 3],
      ["u1", "b", 1],
    ]);
    const wide = runNow(makeDropProblem(crossed, model, { errorBound: Rational.of(9), protectedGrid: undefined }));
    const fewer = without(crossed, { a: [0], b: [1] });
    const { entryOfColumn } = dropProgram(wide, 1, "fewest records");
    const values = Float64Array.from(entryOfColumn, (entry) => (entry >= 0 && fewer[entry] === 0 ? 1 : 0));
    const start = without(crossed, { a: [1], b: [0] });
    const { search, told } = ask(wide, () => ({ ...NOTHING, status: "solved", values }), { start });
    expect(told).toEqual([{ step: "looking for fewer drops with K = 1", done: 1, of: 1 }]);
    expect(search.k).toBe(1);
    expect(search.keptOfEntry).toEqual(fewer);
  });

  test("drops that a start does not need are taken back", () => {
    const start = without(ten, { ...good, a: [0, 1, 2, 3] });
    const { search } = ask(problem, () => NOTHING, { start });
    const kept = new Kept(ten, search.keptOfEntry);
    expect(kept.maxGridsPerUser()).toBe(2);
    expect([...kept.ofGrid].reduce((sum, each) => sum + each)).toBe(20);
  });
});

test("without a solver nothing is found, but every step is told", () => {
  const search = new SmallestKSearch(tenLosing(1), undefined, { keptOfEntry: ten.byUser.count, timeLimitSeconds: 0 });
  expect([...search.bySolver()]).toHaveLength(5);
  expect(search).toMatchObject({ k: 3, lowerBound: 1, timedOut: false });
});

test("a solver is asked about no more than 400,000 entries of users that must leave a grid", () => {
  const wide = occupancyFromTriples(
    Array.from({ length: 1000 }, (_, user) => `u${user}`).flatMap((user) =>
      Array.from({ length: 401 }, (_, grid) => [user, `g${grid}`, 1] as const),
    ),
  );
  const problem = runNow(makeDropProblem(wide, model, { errorBound: Rational.of(1, 1000), protectedGrid: undefined }));
  const { options, told } = ask(problem, () => NOTHING);
  // For K = 401 nobody must.
  expect(options).toEqual([{ timeLimitSeconds: 16, gap: 0.1 }]);
  expect(told).toHaveLength(2 * 400 + 1);
});

test("300 rounds of prices where they decide nothing, told whenever so many entries were read", () => {
  // Of 2001 users with two records in both grids each grid can lose 2001 records: room for all that is owed, but not in pairs.
  const pairs = occupancyFromTriples(
    Array.from({ length: 2001 }, (_, user) => `u${user}`).flatMap((user) => [
      [user, "a", 2] as const,
      [user, "b", 2] as const,
    ]),
  );
  const errorBound = Rational.of(1, 2).add(Rational.of(2, 2001));
  const problem = runNow(makeDropProblem(pairs, model, { errorBound, protectedGrid: undefined }));
  expect(problem.allowances.map(([only]) => only!.most)).toEqual([2001, 2001]);
  const options = { keptOfEntry: pairs.byUser.count, timeLimitSeconds: 0 };
  const search = new SmallestKSearch(problem, undefined, options);
  const step = "pricing drops for K = 1";
  expect([...search.byPrices()]).toEqual([
    { step, done: 0, of: 300 },
    { step, done: 249, of: 300 },
  ]);
  expect(search).toMatchObject({ k: 2, lowerBound: 1, lowerBoundBy: "nature", timedOut: false });
});
