/** Bounds that look like the data's own, and those that look like a limit, a sensor's range or a price. */
import { expect, test } from "vitest";
import { measuredBound } from "./measured-bounds.ts";

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
