/** Drops taken back: the most records first, never more grids than allowed, never above the bound; and what a grid can lose as data. */
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../../arithmetic/index.ts";
import { ErrorLimit, ErrorModel, makeObjective, parseBounds } from "../../influence/index.ts";
import { occupancyFromTriples } from "../../occupancy/index.ts";
import { runNow } from "../long-work.ts";
import { dropAllowances, makeDropProblem } from "./drop-problem.ts";
import { restoreDrops } from "./smallest-k.ts";

const array = occupancyFromTriples([
  ["ann", "a", 4],
  ["ann", "b", 1],
  ["ann", "c", 2],
  ["bob", "a", 3],
  ["bob", "b", 3],
  ["cyd", "a", 3],
  ["cyd", "c", 5],
]);
const model = new ErrorModel(makeObjective(parseBounds("0,1"), { statistics: "mean" }), Rational.ONE);
const wide = new ErrorLimit(model, Rational.of(10));
const restored = (kept: number[], mostGrids: number, limit = wide): number[] => [
  ...restoreDrops(array, limit, { keptOfEntry: Uint32Array.from(kept), mostGrids }),
];

test("with a wide bound everyone comes back to the allowed number of grids, the most records first", () => {
  const nothing = [0, 0, 0, 0, 0, 0, 0];
  expect(restored(nothing, 3)).toEqual([4, 1, 2, 3, 3, 3, 5]);
  expect(restored(nothing, 2)).toEqual([4, 0, 2, 3, 3, 3, 5]);
  // Of equal numbers the first entry: Bob comes back to a, not b.
  expect(restored(nothing, 1)).toEqual([4, 0, 0, 3, 0, 0, 5]);
  expect(restored(nothing, 0)).toEqual(nothing);
});

test("who already has the allowed number gets no more, and what is given is left as it was", () => {
  const given = Uint32Array.of(0, 1, 2, 3, 0, 0, 5);
  expect([...restoreDrops(array, wide, { keptOfEntry: given, mostGrids: 2 })]).toEqual([0, 1, 2, 3, 3, 3, 5]);
  expect([...given]).toEqual([0, 1, 2, 3, 0, 0, 5]);
});

test("a heavy user does not come back where the bound forbids it, and others that open the door are tried again", () => {
  // In a with all ten: 4/10. With Bob and Cyd: bias 4/10 + 3/6. With Bob alone: 7/10 + 1.
  const limit = (error: string): ErrorLimit => new ErrorLimit(model, parseDecimal(error));
  const bobAndCyd = [0, 1, 2, 3, 3, 3, 5];
  expect(restored(bobAndCyd, 3, limit("0.4"))[0]).toBe(4);
  expect(restored(bobAndCyd, 3, limit("0.39"))[0]).toBe(0);
  // Ann first: with Bob only, keeping 4 of 7 is 3/10 + 4/7, above 0.8. Cyd next: 4/10 + 1/2, above it too. So neither.
  const bobOnly = [0, 1, 2, 3, 3, 0, 5];
  expect(restored(bobOnly, 3, limit("0.8"))).toEqual(bobOnly);
  // At 0.88 Ann comes back (0.871), then Cyd (0.4).
  expect(restored(bobOnly, 3, limit("0.88"))).toEqual([4, 1, 2, 3, 3, 3, 5]);
  // Noise of 2·largest/kept only: a small one may come back before a large one can, which is then tried again.
  const cheap = new ErrorLimit(
    new ErrorModel(makeObjective(parseBounds("0,1"), { statistics: "mean" }), parseDecimal("0.01")),
    parseDecimal("60"),
  );
  const uneven = occupancyFromTriples([
    ["ann", "a", 6],
    ["bob", "a", 3],
    ["cyd", "a", 3],
  ]);
  const back = restoreDrops(uneven, cheap, { keptOfEntry: Uint32Array.of(0, 3, 0), mostGrids: 1 });
  // Ann with Bob: 100·6/9 = 67; Cyd with Bob: 50; then Ann with both: 50.
  expect([...back]).toEqual([6, 3, 3]);
  // Where Ann stays, she is the heaviest: either of the others would leave an error of 67.
  const withAnn = restoreDrops(uneven, cheap, { keptOfEntry: Uint32Array.of(6, 0, 0), mostGrids: 1 });
  expect([...withAnn]).toEqual([6, 0, 0]);
});

test("the problem as data: what each grid can lose, and that the protected one loses nothing", () => {
  const errorBound = parseDecimal("0.95");
  const problem = runNow(makeDropProblem(array, model, { errorBound, protectedGrid: 2 }));
  expect(problem).toMatchObject({ occupancy: array, protectedGrid: 2, limit: { bound: errorBound } });
  expect(problem.allowances).toEqual([
    dropAllowances(Uint32Array.of(4, 3, 3), problem.limit),
    dropAllowances(Uint32Array.of(1, 3), problem.limit),
    [{ largest: 5, forced: 0, upTo: 0, alternates: [], most: 0 }],
  ]);
  const open = runNow(makeDropProblem(array, model, { errorBound, protectedGrid: undefined }));
  expect(open.allowances[2]).toEqual(dropAllowances(Uint32Array.of(2, 5), open.limit));
});

test("progress is reported every 64 grids", () => {
  const row = occupancyFromTriples(Array.from({ length: 130 }, (_, grid) => ["u", `g${grid}`, 1] as const));
  const reports = [...makeDropProblem(row, model, { errorBound: Rational.ONE, protectedGrid: undefined })];
  const step = "working out what each grid can lose";
  expect(reports).toEqual([0, 64, 128].map((done) => ({ step, done, of: 130 })));
});
