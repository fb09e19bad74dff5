/** The grids that a question asks for, as columns that a query joins before anything is grouped. */
import { invariant, itemAt } from "../../../core/errors/index.ts";
import { type Occupancy, onlyGrids } from "../../../core/occupancy/index.ts";
import { parseGridId, partitionDepth, partNames, type Recipe, slotStart } from "../../partition/index.ts";
import type { PlanOfRecords, SomeGrids } from "../engine.ts";
import type { SentColumn } from "./exchange.ts";

export interface AskedGrids {
  /** Their places among the plan's grids, ascending. */
  readonly places: readonly number[];
  /**
   * One for each of `partNames`: a table of these columns has a row for each grid. Null where a grid lacks the part; cells and slots
   * are whole numbers: H3 indices, and microseconds since 1970 UTC.
   */
  readonly columns: readonly SentColumn[];
  /** Records of every grid of the plan, which the plan's decisions are about. */
  readonly occupancy: Occupancy;
  readonly counts: Occupancy;
}

/** Undefined where every grid of the plan is asked for: a query needs no filter then. */
export function askedGrids(recipe: Recipe, plan: PlanOfRecords, only: SomeGrids | undefined): AskedGrids | undefined {
  if (only === undefined) return undefined;
  const wanted = new Set(only.grids);
  const places = plan.grids.flatMap((grid, place) => (wanted.has(grid) ? [place] : []));
  invariant(places.length > 0 && places.length === wanted.size, "grids that are asked for are the plan's");
  if (places.length === plan.grids.length) return undefined;
  const grids = places.map((place) => itemAt(plan.grids, place));
  const { occupancy } = only;
  return { places, columns: partColumns(recipe, grids), occupancy, counts: onlyGrids(occupancy, places) };
}

function partColumns(recipe: Recipe, grids: readonly string[]): SentColumn[] {
  const parsed = grids.map((grid) => parseGridId(grid, partitionDepth(recipe)));
  return partNames(recipe).map((name, index): SentColumn => {
    if (name === "cell")
      return { name, type: "integer", values: parsed.map(({ cell }) => (cell == null ? null : BigInt(`0x${cell}`))) };
    if (name === "slot")
      return { name, type: "integer", values: parsed.map(({ slot }) => (slot == null ? null : slotStart(slot))) };
    return { name, type: "text", values: parsed.map(({ columns }) => itemAt(columns, index)) };
  });
}
