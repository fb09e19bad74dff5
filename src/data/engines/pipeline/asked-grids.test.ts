/** What is told to a query of the grids that are asked for; that it finds their records is what the conformance suite runs it for. */
import { expect, test } from "vitest";
import { parseDecimal } from "../../../core/arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../../core/influence/index.ts";
import { occupancyFromTriples } from "../../../core/occupancy/index.ts";
import { makePlan, runNow } from "../../../core/planning/index.ts";
import { gridId, parseRecipe } from "../../partition/index.ts";
import { askedGrids } from "./asked-grids.ts";

const recipe = parseRecipe({ user: "u", value: "v", by: "stop,line", cell: "c", time: "t", slot: "1h", tz: "-06:00" });
const CELL = "892664c1a8fffff";
const NINE = "2016-12-16T09:00-06:00";
const [first, second, third] = [
  ["", null, null, NINE],
  ["a/b", "5", CELL, null],
  ["%null", "", null, NINE],
].map(gridId) as [string, string, string];

const occupancy = occupancyFromTriples([
  ["ann", first, 4],
  ["ann", second, 1],
  ["bob", second, 2],
  ["cyd", third, 3],
]);
const objective = makeObjective(parseBounds("0,64"));
const { plan } = runNow(makePlan(occupancy, { objective, epsilon: parseDecimal("1") }));

test("the values of each column, and the counts that their records are held to", () => {
  expect(plan.grids).toEqual([third, first, second].sort());
  const asked = askedGrids(recipe, plan, { grids: [second, first], occupancy })!;
  const placed = asked.places.map((place) => plan.grids[place]);
  expect(new Set(placed)).toEqual(new Set([first, second]));
  expect(asked.places).toEqual([...asked.places].sort());
  const at = placed.indexOf(first);
  const rows = [at, 1 - at].map((row) => asked.columns.map(({ name, values }) => [name, values[row]]));
  const nine = BigInt(Date.parse("2016-12-16T15:00Z")) * 1000n;
  expect(rows.map(Object.fromEntries)).toEqual([
    { by0: "", by1: null, cell: null, slot: nine },
    { by0: "a/b", by1: "5", cell: BigInt(`0x${CELL}`), slot: null },
  ]);
  expect(asked.counts).toEqual(
    occupancyFromTriples([
      ["ann", first, 4],
      ["ann", second, 1],
      ["bob", second, 2],
    ]),
  );
  expect(asked.occupancy).toBe(occupancy);
});

test("nothing is left out where every grid is asked for, or none is named", () => {
  expect(askedGrids(recipe, plan, { grids: [third, second, first], occupancy })).toBeUndefined();
  expect(askedGrids(recipe, plan, undefined)).toBeUndefined();
});

test("a grid that is not in the plan, and no grid at all, are mistakes of the caller", () => {
  for (const grids of [[], [first, "elsewhere"]])
    expect(() => askedGrids(recipe, plan, { grids, occupancy })).toThrow(/grids that are asked for are the plan's/);
});
