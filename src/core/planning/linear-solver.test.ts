/** Linear programs as columns of numbers: what was added, in the order added. */
import { expect, test } from "vitest";
import { LinearProgramBuilder } from "./linear-solver.ts";

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
