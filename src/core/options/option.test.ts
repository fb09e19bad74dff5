/** What the tables of options yield: flags, texts, choices, and what forms say of a value. */
import { expect, test } from "vitest";
import { Rational } from "../arithmetic/index.ts";
import {
  ABOUT_OPTIONS,
  checkedTexts,
  chosen,
  flagOf,
  optionName,
  optionProblems,
  optionTexts,
  PLAN_OPTIONS,
  RECORDS_OPTIONS,
  RELEASE_OPTIONS,
} from "./index.ts";

test("a flag and its name lead to each other, for every option", () => {
  for (const name of Object.keys({ ...PLAN_OPTIONS, ...RECORDS_OPTIONS, ...RELEASE_OPTIONS }))
    expect(optionName(flagOf(name).slice(2))).toBe(name);
});

test("numbers are read as their shortest decimal text, and what is absent or off is left out", () => {
  const loss = Rational.of(1, 8);
  expect(optionTexts(PLAN_OPTIONS, { upper: 65, epsilon: 1e-7, loss, metric: "sum", caps: false })).toEqual({
    upper: "65",
    epsilon: "0.0000001",
    loss: "0.125",
    metric: "sum",
  });
  expect(() => optionTexts(PLAN_OPTIONS, { epsilon: Number.NaN })).toThrow("--epsilon 'NaN' is not a decimal number");
});

test("a choice is one of those that are declared", () => {
  expect(chosen(PLAN_OPTIONS, "keep", undefined, "spread")).toBe("spread");
  expect(() => chosen(PLAN_OPTIONS, "keep", "last", "spread")).toThrow("--keep 'last' is unknown; use spread or first");
});

test("a form says what a request could not have, option by option", () => {
  const values = { epsilon: "half", metric: "mean", loss: "2/52", weights: "x".repeat(401), unit: "km\nh", caps: true };
  expect([...optionProblems(PLAN_OPTIONS, values)]).toEqual([
    ["unit", PLAN_OPTIONS.unit.help],
    ["epsilon", "A number, such as 0.5."],
    ["weights", "At most 400 characters."],
    ["metric", "One of: sum, relative."],
  ]);
  expect([...optionProblems(RELEASE_OPTIONS, { key: "{mm}" }).keys()]).toEqual(["key"]);
});

test.each([
  ["unit", "km\u001bh"],
  ["title", "x".repeat(201)],
  ["description", "left\u202eright"],
])("%s %j is refused", (name, text) => {
  expect(() => checkedTexts(ABOUT_OPTIONS, { [name]: text })).toThrow(`--${name}`);
});
