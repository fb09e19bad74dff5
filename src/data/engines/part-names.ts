/** What the columns that make a grid are called in every engine's queries. */
import type { Recipe } from "../partition/index.ts";

/** Names of the columns that make a grid: by0, by1, …, cell, slot. */
export function partNames(recipe: Recipe): string[] {
  return [
    ...recipe.by.map((_, index) => `by${index}`),
    ...(recipe.place === null ? [] : ["cell"]),
    ...(recipe.time === null || recipe.time.slot === null ? [] : ["slot"]),
  ];
}
