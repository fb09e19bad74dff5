/** Checks the grammar of dates that are not ISO: whatever it reads is what was written, and nothing else is read. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DATE_PATTERNS, writtenDate } from "./written-date.ts";

const NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

function written(date: Date, pattern: string): string {
  const [year, month, day] = date.toISOString().slice(0, 10).split("-") as [string, string, string];
  const parts: Readonly<Record<string, string>> = {
    yyyy: year,
    yy: year.slice(2),
    mmm: NAMES[Number(month) - 1]!,
    mm: month,
    dd: day,
  };
  return pattern.replace(/y+|m+|d+/g, (token) => parts[token]!);
}

const dates = (from: string, to: string): fc.Arbitrary<Date> =>
  fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true });

describe.each(DATE_PATTERNS)("%s", (pattern) => {
  const isShort = !pattern.includes("yyyy");

  test("is read as it was written, at any time of day, by 24 hours and by 12", () => {
    const range = isShort
      ? dates("1969-01-01T00:00Z", "2068-12-31T00:00Z")
      : dates("0001-01-01T00:00Z", "9999-12-31T00:00Z");
    fc.assert(
      fc.property(range, (date) => {
        const text = written(date, pattern);
        const time = date.toISOString().slice(11, 23);
        const hour = date.getUTCHours();
        const half = `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? "am" : "PM"}`;
        expect(writtenDate(text, pattern)?.toISOString().slice(0, 10)).toBe(date.toISOString().slice(0, 10));
        expect(writtenDate(` ${text} ${time}`, pattern)).toEqual(date);
        expect(writtenDate(`${text} ${half}`, pattern)).toEqual(date);
      }),
    );
  });

  test("a year of another length, a day beyond the month and a 13th month are not", () => {
    const other = isShort ? pattern.replace("yy", "yyyy") : pattern.replace("yyyy", "yy");
    expect(writtenDate(written(new Date("2013-08-29"), other), pattern)).toBeUndefined();
    const leapDay = written(new Date("2012-02-29"), pattern);
    const noLeapDay = leapDay.replace(isShort ? "12" : "2012", isShort ? "13" : "2013");
    expect(writtenDate(leapDay, pattern)).toEqual(new Date("2012-02-29"));
    expect(writtenDate(noLeapDay, pattern)).toBeUndefined();
    expect(writtenDate(written(new Date("2014-09-14"), pattern).replace(/09|Sep/, "00"), pattern)).toBeUndefined();
  });
});
