/** An engine and a folder for files as they come: writes them, counts and adds up what is in them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { DuckDbEngine } from "../../src/data/engines/index.ts";
import { parseRecipe, type RecipeFlags } from "../../src/data/partition/index.ts";
import type { DialectOptions } from "../../src/data/sources/index.ts";
import { baselinePlan, type Triple, triplesOf } from "./harness.ts";

export let engine: DuckDbEngine;
export let folder: string;
beforeAll(async () => {
  engine = await DuckDbEngine.open({ memory: "512MB" });
  folder = mkdtempSync(path.join(tmpdir(), "veilgrid-files-"));
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

export const BY_SHOP = { user: "who", value: "speed", by: "shop" };
export const FLAGS = { bounds: "0,100", step: "0.01" };

export function file(name: string, content: string | Uint8Array): string {
  const full = path.join(folder, name);
  writeFileSync(full, content);
  return full;
}

export async function countsIn(
  source: string,
  recipeOptions: RecipeFlags = BY_SHOP,
  dialect: DialectOptions = {},
): Promise<Triple[]> {
  const records = { source: await engine.describe(source, dialect), recipe: parseRecipe(recipeOptions) };
  return triplesOf((await engine.readOccupancy(records)).occupancy);
}

/** Σ i of each grid with bounds 0 … 100 and steps of 0.01: hundredths. */
export async function sumsIn(source: string, recipeOptions: RecipeFlags = BY_SHOP): Promise<Record<string, number>> {
  return sumsTold(source, {}, recipeOptions);
}

export async function sumsTold(
  source: string,
  dialect: DialectOptions,
  recipeOptions: RecipeFlags = BY_SHOP,
): Promise<Record<string, number>> {
  const records = { source: await engine.describe(source, dialect), recipe: parseRecipe(recipeOptions) };
  const { occupancy } = await engine.readOccupancy(records);
  const { totals } = await engine.readTotals(records, baselinePlan(occupancy, FLAGS));
  return Object.fromEntries(totals.map(({ grid, sum }) => [grid, Number(sum)]));
}
