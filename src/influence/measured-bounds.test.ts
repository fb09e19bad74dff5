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
