/** Finds which grids lie beside each other: in adjacent hexagons, or in slots that follow each other, all else being equal. */
import { gridDisk } from "h3-js";
import type { Neighbours } from "../../core/smoothing/index.ts";
import { evaluate } from "./expression.ts";
import { gridId, parseGridId } from "./grid-id.ts";
import { partitionDepth, type Recipe } from "./recipe.ts";
import { slotLabel, slotStart } from "./slot.ts";
import { INSTANT, slotStartExpression } from "./time-expressions.ts";

/** Among grids of one partition. A part without a value is beside nothing. */
export function gridNeighbours(ids: readonly string[], recipe: Recipe): Neighbours {
  const shape = partitionDepth(recipe);
  const grids = new Map(ids.map((id, grid) => [id, grid]));
  const beside: number[][] = ids.map(() => []);
  const around = remembered((cell) => gridDisk(cell, 1).filter((other) => other !== cell));
  const before = remembered((slot) => slotBefore(slot, recipe));
  for (const [id, grid] of grids) {
    const { columns, cell, slot } = parseGridId(id, shape);
    const idWith = (place: typeof cell, time: typeof slot): string =>
      gridId([...columns, ...(place === undefined ? [] : [place]), ...(time === undefined ? [] : [time])]);
    for (const other of typeof cell === "string" ? around(cell) : []) {
      const found = grids.get(idWith(other, slot));
      if (found !== undefined) beside[grid]!.push(found);
    }
    const earlier = typeof slot === "string" ? grids.get(idWith(cell, before(slot))) : undefined;
    if (earlier !== undefined) {
      beside[grid]!.push(earlier);
      beside[earlier]!.push(grid);
    }
  }
  const start = new Int32Array(ids.length + 1);
  for (const [grid, others] of beside.entries()) start[grid + 1] = start[grid]! + others.length;
  return { start, other: Int32Array.from(beside.flat()) };
}

/** The slot that ends where this one begins. */
function slotBefore(label: string, { time }: Recipe): string {
  const { slot, zone } = time!;
  const last = { integers: { [INSTANT]: slotStart(label) - 1n } };
  return slotLabel(evaluate(slotStartExpression(slot!, zone), last), zone);
}

function remembered<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key) ?? find(key);
    known.set(key, found);
    return found;
  };
}
