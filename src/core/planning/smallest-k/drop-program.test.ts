/** The linear programs of the smallest K against their meaning: what every choice of drops and allowances costs, all of them tried. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { subsets } from "../../../../test/support/exhaustive-smallest-k.ts";
import { exhaustiveSolver } from "../../../../test/support/exhaustive-solver.ts";
import { matrixOf } from "../../../../test/support/reference-clip-user.ts";
import { tinyArrays } from "../../../../test/support/tiny-arrays.ts";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { ErrorModel, makeObjective, parseBounds } from "../../influence/index.ts";
import { Kept, occupancyFromTriples } from "../../occupancy/index.ts";
import { runNow } from "../long-work.ts";
import { type DropProblem, dropProgram, makeDropProblem } from "./drop-problem.ts";
import { type LinearProgram, LinearProgramBuilder } from "./linear-solver.ts";

const cases = fc
  .record({
    occupancy: tinyArrays.filter(({ entries }) => entries <= 9),
    statistics: fc.constantFrom("mean,variance", "variance", "mean"),
    epsilon: fc.constantFrom("0.01", "0.5", "5", "100"),
    percent: fc.constantFrom(100, 110, 200, 400),
    isProtected: fc.boolean(),
  })
  .map(({ occupancy, statistics, epsilon, percent, isProtected }): DropProblem => {
    const model = new ErrorModel(makeObjective(parseBounds("0,65"), { statistics }), parseDecimal(epsilon, "ε"));
    const all = Kept.all(occupancy);
    const errors = Array.from({ length: occupancy.grids.length }, (_, grid) => model.exactError(all.countsOf(grid))!);
    const worst = errors.reduce((most, next) => (next.compare(most) > 0 ? next : most));
    const errorBound = worst.multiply(Rational.of(percent, 100));
    return runNow(makeDropProblem(occupancy, model, { errorBound, protectedGrid: isProtected ? 0 : undefined }));
  });

/** By grid and user the records dropped: every choice that brings all users down to k grids and takes nothing from the protected one. */
function choices({ occupancy, protectedGrid }: DropProblem, k: number): number[][][] {
  const records = matrixOf(occupancy);
  return subsets(occupancy.entries).flatMap((mask) => {
    const dropped = records.map((row, grid) =>
      row.map((count, user) => (count > 0 && mask & (1 << occupancy.entryOf(user, grid)) ? count : 0)),
    );
    const isFree = protectedGrid === undefined || total(dropped[protectedGrid]!) === 0;
    const comesDown = (user: number): boolean =>
      records.filter((row, grid) => row[user]! > 0 && dropped[grid]![user] === 0).length <= k;
    return isFree && records[0]!.every((_, user) => comesDown(user)) ? [dropped] : [];
  });
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

test("fewest records: as many as the best choice within the bound drops, and no solution where there is none", () => {
  let possible = 0;
  let impossible = 0;
  fc.assert(
    fc.property(cases, fc.integer({ min: 1, max: 3 }), (problem, k) => {
      const { occupancy, limit } = problem;
      const records = matrixOf(occupancy);
      const isWithin = (dropped: number[], grid: number): boolean => {
        const kept = records[grid]!.map((count, user) => count - dropped[user]!);
        return total(kept) > 0 && limit.allows(total(records[grid]!), total(kept), Math.max(...kept));
      };
      const fewest = choices(problem, k)
        .filter((dropped) => dropped.every(isWithin))
        .reduce((least, dropped) => Math.min(least, total(dropped.flat())), Number.POSITIVE_INFINITY);
      const { program, entryOfColumn } = dropProgram(problem, k, "fewest records");
      expect(program.whole.every((whole) => whole === 1)).toBe(true);
      const { status, values } = exhaustiveSolver.solve(program, {});
      expect(status).toBe(fewest === Number.POSITIVE_INFINITY ? "infeasible" : "solved");
      if (values === undefined) {
        impossible += 1;
        return;
      }
      possible += 1;
      expect(entryOfColumn).toHaveLength(values.length);
      const droppedEntries = entryOfColumn.filter((entry, column) => entry >= 0 && values[column] === 1);
      expect(total(Array.from(droppedEntries, (entry) => occupancy.byUser.count[entry]!))).toBe(fewest);
      // What it minimises are the records in units of an average entry, no less than one.
      const unit = Math.max(1, occupancy.samples / occupancy.entries);
      expect(total(Array.from(program.cost, (cost, column) => cost * values[column]!))).toBeCloseTo(fewest / unit, 9);
    }),
    { numRuns: 120 },
  );
  expect(possible).toBeGreaterThan(20);
  expect(impossible).toBeGreaterThan(5);
});

/** The program with its first column, the overload, held at a value. */
function heldAt(program: LinearProgram, overload: number): LinearProgram {
  const held = (column: Float64Array): Float64Array => column.map((value, at) => (at === 0 ? overload : value));
  return { ...program, lower: held(program.lower), upper: held(program.upper) };
}

test("overload: by which part of its most some grid must lose too much, in the best choice", () => {
  let overloaded = 0;
  fc.assert(
    fc.property(cases, fc.integer({ min: 1, max: 3 }), (problem, k) => {
      const { occupancy, allowances } = problem;
      const records = matrixOf(occupancy);
      const overloadOf = (dropped: number[], grid: number): number => {
        const most = Math.max(1, ...allowances[grid]!.map((allowance) => allowance.most));
        const room = allowances[grid]!.filter(({ largest }) =>
          records[grid]!.every((count, user) => count <= largest || dropped[user]! > 0),
        ).flatMap(({ forced, upTo, alternates }) => [
          ...(upTo >= forced ? [upTo] : []),
          ...alternates.map(({ high }) => high),
        ]);
        return (total(dropped) - Math.max(...room)) / most;
      };
      const least = choices(problem, k).reduce(
        (best, dropped) => Math.min(best, Math.max(0, ...dropped.map(overloadOf))),
        Number.POSITIVE_INFINITY,
      );
      const { program, entryOfColumn } = dropProgram(problem, k, "overload");
      expect([...program.cost]).toEqual(Array.from(entryOfColumn, (_, column) => (column === 0 ? 1 : 0)));
      expect([program.lower[0], entryOfColumn[0]]).toEqual([-1, -1]);
      expect([...program.whole]).toEqual(Array.from(entryOfColumn, (_, column) => (column === 0 ? 0 : 1)));
      const isFeasible = (overload: number): boolean =>
        exhaustiveSolver.solve(heldAt(program, overload), {}).status === "solved";
      if (least === Number.POSITIVE_INFINITY) return expect(isFeasible(1e9)).toBe(false);
      expect(isFeasible(least)).toBe(true);
      if (least === 0) return;
      overloaded += 1;
      expect(isFeasible(least - 0.001)).toBe(false);
    }),
    { numRuns: 120 },
  );
  expect(overloaded).toBeGreaterThan(5);
});

describe("the row that holds a grid to what it can lose", () => {
  const model = new ErrorModel(makeObjective(parseBounds("0,1"), { statistics: "mean" }), Rational.ONE);

  test.each([
    ["small numbers as they are", 1, [1, 1, 1, 1]],
    ["large ones divided by a power of two", 2 ** 20, [1, 64, 64, 1]],
  ])("%s", (_, factor, units) => {
    // Twenty users in a, b and c, with few records in a and more in b and c; nobody need leave d.
    const occupancy = occupancyFromTriples(
      Array.from({ length: 20 }, (_, user) => `u${user}`).flatMap((user) => [
        [user, "a", 1] as const,
        [user, "b", 10 * factor] as const,
        [user, "c", 10 * factor] as const,
        [`${user}d`, "d", factor] as const,
      ]),
    );
    // Five users' records can go: 5/20 + 1/15.
    const options = { errorBound: Rational.of(19, 60), protectedGrid: undefined };
    const problem = runNow(makeDropProblem(occupancy, model, options));
    expect(problem.allowances.map(([only]) => only!.most)).toEqual([5, 50 * factor, 50 * factor, 5 * factor]);
    const { program, entryOfColumn, budgetRow, budgetUnit } = dropProgram(problem, 2, "overload");
    expect([...budgetUnit]).toEqual(units);
    expect(budgetRow[3]).toBe(-1);
    for (let grid = 0; grid < 3; grid++) {
      const row = budgetRow[grid]!;
      let users = 0;
      for (let at = program.rowStart[row]!; at < program.rowStart[row + 1]!; at++) {
        const entry = entryOfColumn[program.columns[at]!]!;
        const coefficient = program.coefficients[at]! * budgetUnit[grid]!;
        if (entry < 0) expect(coefficient).toBe(-problem.allowances[grid]![0]!.most);
        else {
          users += 1;
          expect(occupancy.byUser.grid[entry]).toBe(grid);
          expect(coefficient).toBe(occupancy.byUser.count[entry]);
        }
      }
      expect(users).toBe(20);
      expect(program.rowLower[row]).toBe(Number.NEGATIVE_INFINITY);
      expect(program.rowUpper[row]).toBe(0);
    }
    for (const coefficient of program.coefficients) expect(Math.abs(coefficient)).toBeLessThanOrEqual(2 ** 20);
  });
});

test("a program of three columns and two rows, numbered from 0", () => {
  const builder = new LinearProgramBuilder();
  expect(builder.addColumn({ cost: 2, lower: 0, upper: 1, whole: true })).toBe(0);
  expect(builder.addColumn({ lower: -1, upper: 5, whole: false })).toBe(1);
  expect(builder.addColumn({ cost: 0.5, lower: 0, upper: 9, whole: true })).toBe(2);
  const terms: Array<[number, number]> = [
    [0, 1],
    [2, -4],
  ];
  expect(builder.addRow(terms, 3, Infinity)).toBe(0);
  expect(builder.addRow([[1, 7]], -Infinity, 6)).toBe(1);
  expect(builder.build()).toEqual({
    cost: Float64Array.of(2, 0, 0.5),
    lower: Float64Array.of(0, -1, 0),
    upper: Float64Array.of(1, 5, 9),
    whole: Uint8Array.of(1, 0, 1),
    rowStart: Int32Array.of(0, 2, 3),
    columns: Int32Array.of(0, 2, 1),
    coefficients: Float64Array.of(1, -4, 7),
    rowLower: Float64Array.of(3, -Infinity),
    rowUpper: Float64Array.of(Infinity, 6),
  });
});

test("nothing added is a program without columns and rows", () => {
  const { cost, rowStart, rowLower } = new LinearProgramBuilder().build();
  expect([[...cost], [...rowStart], [...rowLower]]).toEqual([[], [0], []]);
});
