/** Checks that what cannot be simulated is refused in one line, at the call. */
import { expect, test } from "vitest";
import { cityRecords } from "./records.ts";
import { type CityTextOptions, cityText } from "./text.ts";

function refused(options: object, message: RegExp): void {
  const expected = expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringMatching(message) });
  expect(() => cityText({ seed: 1, ...options } as CityTextOptions)).toThrow(expected);
}

test.each<[name: string, value: unknown]>([
  ["seed", -1],
  ["seed", 1.5],
  ["seed", 2 ** 53],
  ["records", 99],
  ["records", 1e9 + 1],
  ["records", Number.NaN],
  ["vehicles", 0],
  ["vehicles", 20_001],
  ["days", 0],
  ["utcOffsetMinutes", 900],
  ["utcOffsetMinutes", 5.5],
])("%s %d", (name, value) => {
  refused({ [name]: value }, new RegExp(`^${name} ${value} must be a whole number from .+$`));
  expect(() => cityRecords({ seed: 1, [name]: value })).toThrow();
});

test("dates, hours and choices", () => {
  refused({ date: "2026-02-30" }, /^date '2026-02-30' must be a day such as 2026-03-10$/);
  for (const hours of [
    [10, 9],
    [9, 9],
    [-1, 3],
    [3, 25],
    [Number.NaN, 4],
  ])
    refused({ hours }, /^hours \S+ must be .+$/);
  refused({ preset: "poster" }, /^preset 'poster' must be 'paper'$/);
  refused({ schema: "tame" }, /^schema 'tame' must be one of plain, wild$/);
  refused({ format: "xml" }, /^format 'xml' must be one of csv, jsonl, json$/);
});

test("more records than the buses could report, and hours without any bus", () => {
  refused({ records: 1_000_000, vehicles: 10, days: 1 }, /^records 1000000 must be at most \d+ for these vehicles.+$/);
  refused({ vehicles: 1, hours: [2, 3] }, /^hours 2-3 must have a bus on the road.+$/);
});
