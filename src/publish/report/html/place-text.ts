/** The name of a grid as a reader wants it: its parts, null where something is missing. */
import type { ReleasedRow } from "../released-rows.ts";

const NOTHING = "(none)";

/** Everything but the hexagon, which the map shows by itself. */
export function layerText(row: ReleasedRow, slot: boolean): string {
  return [...row.by.map((part) => part ?? NOTHING), ...(slot ? [slotText(row.slot)] : [])].join(" · ");
}

export function slotText(slot: string | null): string {
  return slot === null ? NOTHING : slot.replace("T", " ");
}

export function gridText(row: ReleasedRow): string {
  const parts = [
    ...row.by.map((part) => part ?? NOTHING),
    ...(row.cell === null ? [] : [row.cell]),
    ...(row.slot === null ? [] : [slotText(row.slot)]),
  ];
  return parts.length === 0 ? row.grid : parts.join(" · ");
}
