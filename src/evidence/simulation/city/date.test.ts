/** Checks the calendar arithmetic against the platform's own calendar. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { clockText, dateAfter, isDate, offsetText } from "./date.ts";

const DAY_MS = 86_400_000;
const dayNumber = fc.integer({ min: Date.UTC(1900, 0, 1) / DAY_MS, max: Date.UTC(2190, 0, 1) / DAY_MS });
const isoDate = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

test("dateAfter is the calendar's day", () => {
  fc.assert(
    fc.property(dayNumber, fc.integer({ min: 0, max: 1000 }), (day, days) => {
      expect(isDate(isoDate(day))).toBe(true);
      expect(dateAfter(isoDate(day), days)).toBe(isoDate(day + days));
    }),
  );
});

test.each([
  "2026-02-29",
  "2100-02-29",
  "2026-13-01",
  "2026-00-10",
  "2026-04-31",
  "2026-3-10",
  "10.03.2026",
  "1066-10-14",
  "",
])("'%s' is no date", (text) => expect(isDate(text)).toBe(false));

test("clock and offset", () => {
  expect([0, 32_403, 86_399].map(clockText)).toEqual(["00:00:00", "09:00:03", "23:59:59"]);
  expect([330, 0, -210, 840].map(offsetText)).toEqual(["+05:30", "+00:00", "-03:30", "+14:00"]);
});
