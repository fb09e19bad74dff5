/** Which bounds are taken and which are refused, at the very edges of what doubles can carry while planning. */
import { expect, test } from "vitest";
import { Rational } from "../arithmetic/index.ts";
import { parseBounds } from "./index.ts";

test("bounds are two decimals, and their width is the exact difference", () => {
  const { lower, upper, width } = parseBounds("-0.1,0.2");
  expect([lower, upper, width]).toEqual([Rational.of(-1, 10), Rational.of(1, 5), Rational.of(3, 10)]);
});

test.each(["-1e100,0", "0,1e100", "-1e100,1e100", "0,1e-100", "-1e-100,0"])("%s is just within reach", (text) => {
  const [lower, upper] = text.split(",");
  const bounds = parseBounds(text);
  expect([bounds.lower.toNumberNearest(), bounds.upper.toNumberNearest()]).toEqual([Number(lower), Number(upper)]);
});

test.each([
  ["-1.000001e100,0", "bounds must lie within ±1e100"],
  ["0,1.000001e100", "bounds must lie within ±1e100"],
  ["1,1e101", "bounds must lie within ±1e100"],
  ["0,0.999999e-100", "bounds must be at least 1e-100 apart"],
  ["7,7", "bounds 7,7: the lower bound must lie below the upper one"],
  ["8,7", "bounds 8,7: the lower bound must lie below the upper one"],
  ["x,7", "--bounds 'x' is not a decimal number"],
  ["7,y", "--bounds 'y' is not a decimal number"],
  ["7", "--bounds '7' is not two numbers"],
])("%s is refused, and it is said why", (text, reason) => {
  expect(() => parseBounds(text)).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining(reason) }),
  );
});
