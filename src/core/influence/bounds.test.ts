/** Which bounds are taken and which are refused, at the very edges of what doubles can carry while planning; and which look like the data's own. */
import { expect, test } from "vitest";
import { Rational } from "../arithmetic/index.ts";
import { measuredBound, parseBounds } from "./index.ts";

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
  ["1,2,3", "--bounds '1,2,3' is not two numbers"],
])("%s is refused, and it is said why", (text, reason) => {
  expect(() => parseBounds(text)).toThrow(
    expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining(reason) }),
  );
});

test.each([
  "3.17",
  "61.42",
  "-12.338",
  "0.317",
  "48213",
  "1234.5",
  " 61.42 ",
  "+61.42",
  "061.42",
  "61.420",
])("%s looks measured", (text) => {
  expect(measuredBound(["0", text])).toBe(text);
  expect(measuredBound([text, "100"])).toBe(text);
});

test.each([
  ...[
    "0",
    "65",
    "65.5",
    "-40",
    "85",
    "0.1",
    "1000",
    "100000",
    "120.0",
    "100.00",
    "0.01",
    "0.25",
    "1.25",
    "37.5",
    "12.75",
  ],
  ...[
    "255",
    "1023",
    "4095",
    "65535",
    "65536",
    "16777215",
    "99.99",
    "9.99",
    "0.999",
    "-0",
    ".5",
    "5.",
    "1e5",
    "",
    "abc",
  ],
])("%s does not", (text) => {
  expect(measuredBound([text])).toBeUndefined();
});

test.each([
  ["10203", "five digits, a zero among them"],
  ["12.39", "no price for ending in 9"],
  ["97.31", "no price for beginning with 9"],
  ["1.325", "no quarter for ending in 25"],
  ["1.253", "no quarter for beginning with 25"],
  ["1234.25", "a quarter, but of too many digits"],
  ["999999", "nines, but too many"],
  ["4096.5", "no sensor's range once there is a half"],
])("%s looks measured: %s", (text) => {
  expect(measuredBound([text])).toBe(text);
});

test.each([
  ["1e-48213", "data is not copied with an exponent"],
  ["abc61.42", "no number"],
  ["0.0031", "two digits after zeros"],
  ["2050000", "three digits before zeros"],
  ["123.75", "three quarters"],
  ["99999", "nines"],
  ["1234", "four digits"],
  ["123.4", "four digits"],
])("%s does not: %s", (text) => {
  expect(measuredBound([text])).toBeUndefined();
});

test("the first of several that looks measured is named", () => {
  expect(measuredBound(["0", "61.42", "48213"])).toBe("61.42");
  expect(measuredBound([])).toBeUndefined();
});
