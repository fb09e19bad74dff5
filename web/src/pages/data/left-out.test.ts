/** Tests that every record that is not counted as it was written is reported, and nothing else. */
import { expect, test } from "vitest";
import { type AboutCounting, leftOut } from "./left-out.ts";

const ALL = { records: 1000, repeated: 0, missing: 0, withoutUser: 0, withoutGrid: 0, inOtherGrids: 0 };
const told = (counted: Partial<typeof ALL>, recipe: AboutCounting["recipe"] = {}): string[] =>
  leftOut({ counted: { ...ALL, ...counted }, recipe });

test("nothing where all records count, or where it was not kept", () => {
  expect(told({})).toEqual([]);
  expect(leftOut({ counted: null, recipe: { top: "5" } })).toEqual([]);
});

test.each<[AboutCounting["recipe"], string]>([
  [{ top: "50" }, "only the 50 grids with most records count"],
  [{ minUsers: "1500" }, "only grids with at least 1,500 users count"],
  [{ minUsers: "20", top: "3" }, "only grids with at least 20 users, and of them the 3 grids with most records count"],
])("records in grids that %j leaves out", (recipe, why) => {
  expect(told({ inOtherGrids: 250 }, recipe)).toEqual([
    `250 records (25 %) lie in other grids and are left out: ${why}.`,
  ]);
});

test("everything else that is not as it was written", () => {
  expect(told({ repeated: 10, missing: 20, withoutUser: 1, withoutGrid: 500 }, { missing: "drop" })).toEqual([
    "10 records (1 %) repeat another and are counted once.",
    "20 records (2 %) have no number and are left out.",
    "1 record (0.1 %) say no user; together they count as one.",
    "500 records (50 %) lack a place, a time or a group and are in grids of their own.",
  ]);
  expect(told({ withoutUser: 2000 }, { emptyUser: "drop" })).toEqual([
    "2,000 more records say no user and are left out.",
  ]);
  expect(told({ missing: 20 }, { missing: "midpoint" })[0]).toMatch(/counted as the middle of the bounds/);
});
