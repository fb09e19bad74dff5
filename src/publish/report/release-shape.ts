/** What a release's partition says about its grids: named columns, cells, slots, and what became of missing values. */
import { parseGridId, partitionDepth, readRecipe } from "../../data/partition/index.ts";
import type { ReleaseResult } from "../release/index.ts";

export interface ReleaseShape {
  readonly by: readonly string[];
  readonly cell: boolean;
  readonly slot: boolean;
  /** The columns that say whose a record is and what was measured; undefined for grids that came without records. */
  readonly user: string | undefined;
  readonly value: string | undefined;
  readonly missing: string | undefined;
  readonly emptyUser: string | undefined;
}

export interface RowPlace {
  /** One per `by` column. */
  readonly by: ReadonlyArray<string | null>;
  readonly cell: string | null;
  readonly slot: string | null;
}

export function releaseShape({ partition }: Pick<ReleaseResult, "partition">): ReleaseShape {
  if (Object.keys(partition).length === 0)
    return {
      by: [],
      cell: false,
      slot: false,
      user: undefined,
      value: undefined,
      missing: undefined,
      emptyUser: undefined,
    };
  const recipe = readRecipe(partition);
  const { cell, slot } = partitionDepth(recipe);
  const { by, user, value, missing, emptyUser } = recipe;
  return { by, cell, slot, user, value, missing, emptyUser };
}

/** Where a grid lies, from its id. */
export function rowPlace(grid: string, shape: ReleaseShape): RowPlace {
  if (shape.by.length === 0 && !shape.cell && !shape.slot) return { by: [], cell: null, slot: null };
  const parts = parseGridId(grid, { columns: shape.by.length, cell: shape.cell, slot: shape.slot });
  return { by: parts.columns, cell: parts.cell ?? null, slot: parts.slot ?? null };
}
