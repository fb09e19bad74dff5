/** Checks what text is taken for a number, a time or a point. */
import { expect, test } from "vitest";
import { looksLikeIsoTime, looksLikeNumber, looksLikePoint, looksLikeTime, offsetOf } from "./cell-patterns.ts";

test.each(["0", "12", "-3", "+3", "3.5", "3.", ".5", "1e3", "-1.5E-7", " 4 "])("%j is a number", (text) => {
  expect(looksLikeNumber(text)).toBe(true);
});

test.each([
  "",
  " ",
  ".",
  "-",
  "1.2.3",
  "0x10",
  "NaN",
  "Infinity",
  "1,5",
  "1 000",
  "12 km",
  "１２",
])("%j is no number", (text) => expect(looksLikeNumber(text)).toBe(false));

test("a decimal comma is one where it may be", () => {
  for (const text of ["3,5", "-3,5", " 12,25 "]) expect(looksLikeNumber(text, true)).toBe(true);
  for (const text of [",5", "3,", "1,2,3", "3,5e1"]) expect(looksLikeNumber(text, true)).toBe(false);
});

test.each([
  "2016-12-16",
  "2016-12-16T09:00",
  "2016-12-16 09:00:07",
  "2016-12-16T09:00:07.123456Z",
  "2016-12-16T09:00+05:30",
  "2016-12-16T09:00-0600",
  "2016-12-16 09:00:00+00",
  "2016-12-16 09:00 UTC",
])("%s is an ISO time", (text) => {
  expect(looksLikeIsoTime(text)).toBe(true);
  expect(looksLikeTime(text)).toBe(true);
});

test.each([
  "16/12/2016",
  "16.12.2016 09:00",
  "12-16-2016T9:05:07",
  "2016/12/16",
  "3/4/2016",
  "8/29/13",
  "8/29/2013  2:05:09 PM",
  "8/29/13 2:05pm",
  "29-Aug-13 2:05 a.m.",
])("%s is a time, though not ISO", (text) => {
  expect(looksLikeIsoTime(text)).toBe(false);
  expect(looksLikeTime(text)).toBe(true);
});

test.each([
  "",
  "09:00",
  "2016",
  "2016-12",
  "16/12-2016",
  "1481878800",
  "10.0.0.1",
  "Dec 16, 2016",
  "16-red-13",
  "2016-12-16T",
])("%j is no time", (text) => expect(looksLikeTime(text)).toBe(false));

test.each([
  ["2016-12-16T09:00Z", "Z"],
  ["2016-12-16T09:00:00.5+05:30", "+05:30"],
  ["2016-12-16 09:00-06", "-06"],
  ["2016-12-16 09:00 UTC", "UTC"],
  ["2016-12-16T09:00", undefined],
  ["2016-12-16", undefined],
])("the offset of %s", (text, offset) => expect(offsetOf(text)).toBe(offset));

test.each(["[77.1, 12.9]", "[-87,41]", " [1e1 , 2] "])("%j is a point", (text) =>
  expect(looksLikePoint(text)).toBe(true));
test.each(["[77.1]", "[1,2,3]", "77.1, 12.9", "[a, b]", "[]"])("%j is no point", (text) =>
  expect(looksLikePoint(text)).toBe(false));
