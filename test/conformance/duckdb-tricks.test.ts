/** Files made to mislead the engine: names that are patterns, folders that look like columns, fields called star, and two readings at once. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rational } from "../../src/core/arithmetic/index.ts";
import { makeObjective, parseBounds } from "../../src/core/influence/index.ts";
import type { Occupancy } from "../../src/core/occupancy/index.ts";
import { makePlan, runNow } from "../../src/core/planning/index.ts";
import { DuckDbEngine } from "../../src/data/engines/index.ts";
import { parseRecipe, type RecipeFlags, recipeJson } from "../../src/data/partition/index.ts";

let engine: DuckDbEngine;
const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-tricks-"));
beforeAll(async () => {
  engine = await DuckDbEngine.open();
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const RECIPE: RecipeFlags = { user: "u", value: "v", by: "g" };

function file(name: string, text: string): string {
  const full = path.join(folder, name);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

async function countsOf(source: string, recipeOptions: RecipeFlags = RECIPE): Promise<Array<[string, string, number]>> {
  const description = await engine.describe(source, {});
  const { occupancy } = await engine.readOccupancy({ source: description, recipe: parseRecipe(recipeOptions) });
  return triples(occupancy);
}

function triples(occupancy: Occupancy): Array<[string, string, number]> {
  const { start, grid, count } = occupancy.byUser;
  return [...occupancy.users].flatMap((user, index) =>
    Array.from(count.subarray(start[index], start[index + 1]), (each, at): [string, string, number] => [
      user,
      occupancy.grids.get(grid[start[index]! + at]!),
      each,
    ]),
  );
}

test.each(["day[1].csv", "*.csv", "wh?t.csv"])("a file called %s is read, and no other", async (name) => {
  const source = file(`patterns/${name}`, "u,g,v\na,x,1\n");
  file("patterns/day1.csv", "u,g,v\nb,y,2\n");
  file("patterns/what.csv", "u,g,v\nc,y,2\n");
  expect(await countsOf(source)).toEqual([["a", "x", 1]]);
});

test.each(["column0=qq", "u=zz", "v=9"])("a folder called %s is no column", async (name) => {
  const rows = [
    ["a", "x", 1],
    ["b", "x", 1],
  ];
  expect(await countsOf(file(`${name}/d.csv`, "u,g,v\na,x,1\nb,x,2\n"))).toEqual(rows);
  expect(await countsOf(file(`${name}/d.jsonl`, '{"u":"a","g":"x","v":1}\n{"u":"b","g":"x","v":2}\n'))).toEqual(rows);
});

test("a field called star is that field alone", async () => {
  const nested = file("star.jsonl", '{"u":"a","p":{"*":"pub","v":42}}\n');
  expect(await countsOf(nested, { user: "u", value: "p.v", by: "p.*" })).toEqual([["a", "pub", 1]]);
  const flat = file("flat.jsonl", '{"u":"a","*":"pub","V":1,"v":42}\n');
  expect(await countsOf(flat, { user: "u", value: "v", by: "*" })).toEqual([["a", "pub", 1]]);
});

test("keys with dots in them lead where they came from", async () => {
  const source = file("dots.jsonl", '{"u":"a","v":1,"p":{"x.y":"Q"},"a":1,"a.b":{"c":"D"}}\n');
  expect(await countsOf(source, { user: "u", value: "v", by: "p.x.y,a.b.c" })).toEqual([["a", "Q/D", 1]]);
});

test("readings at once do not disturb each other", async () => {
  const sources = [1, 2, 3].map((value) => file(`at-once-${value}.csv`, `u,g,v\na,x,${value}\nb,x,${10 * value}\n`));
  const recipe = parseRecipe(RECIPE);
  const described = await Promise.all(sources.map((source) => engine.describe(source, {})));
  const { occupancy } = await engine.readOccupancy({ source: described[0]!, recipe });
  const objective = makeObjective(parseBounds("0,64"));
  const { plan } = runNow(
    makePlan(occupancy, { objective, epsilon: Rational.ONE, step: Rational.ONE, partition: recipeJson(recipe) }),
  );
  const readings = await Promise.all(described.map((source) => engine.readTotals({ source, recipe }, plan)));
  expect(readings.map(({ totals }) => totals[0]!.sum)).toEqual([11n, 22n, 33n]);
  const other = parseRecipe({ ...RECIPE, missing: "midpoint" });
  await expect(engine.readTotals({ source: described[0]!, recipe: other }, plan)).rejects.toMatchObject({
    code: "PLAN_MISMATCH",
  });
});
