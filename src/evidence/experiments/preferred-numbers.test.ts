/** The ε of the experiments: as many as are asked for, evenly spread, and those that people name. */
import { expect, test } from "vitest";
import { preferredNumbers } from "./study.ts";

test("R20 has 21 numbers from 0.1 to 1, R10 and R5 every second and fourth of them", () => {
  const twenty = preferredNumbers(20, 0.1, 1);
  expect(twenty).toHaveLength(21);
  expect(twenty).toEqual(expect.arrayContaining(["0.1", "0.2", "0.5", "1"]));
  expect(preferredNumbers(10, 0.1, 1)).toEqual(twenty.filter((_, at) => at % 2 === 0));
  expect(preferredNumbers(5, 0.1, 1)).toEqual(twenty.filter((_, at) => at % 4 === 0));
});

test("steps are even on a logarithmic axis to within the rounding of the series", () => {
  for (const [series, from, to] of [
    [20, 0.1, 2],
    [10, 0.1, 20],
    [5, 0.001, 1000],
  ] as const) {
    const numbers = preferredNumbers(series, from, to).map(Number);
    expect(numbers[0]).toBe(from);
    expect(numbers.at(-1)).toBe(to === 2 || to === 20 ? to : 1000);
    for (let at = 1; at < numbers.length; at++)
      expect(numbers[at]! / numbers[at - 1]! / 10 ** (1 / series)).toBeCloseTo(1, 1);
  }
});

test("decimals are written plainly and exactly", () => {
  expect(preferredNumbers(20, 0.0112, 0.0125)).toEqual(["0.0112", "0.0125"]);
  expect(preferredNumbers(10, 80, 1250)).toEqual([
    "80",
    "100",
    "125",
    "160",
    "200",
    "250",
    "315",
    "400",
    "500",
    "630",
    "800",
    "1000",
    "1250",
  ]);
});
