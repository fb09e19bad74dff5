/** Chooses a layout for grids from their ids alone: hexagons in layers, a two-way table, or a list. */
import { itemAt } from "../../../src/core/errors/index.ts";
import { isCell } from "../../../src/publish/charts/index.ts";
import { isolateText } from "../isolate-text.ts";
import { readableSlot, readableSlots } from "./readable-slot.ts";

export interface HexagonLayer {
  /** What its grids have in common beside their cells, such as a time slot; empty if nothing. */
  readonly name: string;
  /** Indices of grids. */
  readonly grids: readonly number[];
}

export interface HexagonLayout {
  readonly kind: "hexagons";
  /** Every cell once. */
  readonly cells: readonly string[];
  /** By grid: its cell, and its layer; −1 for a grid without a place. */
  readonly cellOf: readonly number[];
  readonly layerOf: readonly number[];
  readonly layers: readonly HexagonLayer[];
  /** Grids whose records have no place. */
  readonly withoutPlace: number;
}

export interface TwoWayLayout {
  readonly kind: "two-way";
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** gridAt[row][column], −1 where there is none. */
  readonly gridAt: ReadonlyArray<readonly number[]>;
}

export type GridLayout = HexagonLayout | TwoWayLayout | { readonly kind: "list" };

/** A part without a value, as grid ids write it. */
const NOTHING = "%null";
/** More columns than a screen is wide make no table. */
const MOST_COLUMNS = 31;
/** A table with fewer cells filled is rather a list. */
const LEAST_FILLED = 0.3;

/** Grid ids are parts joined by `/`, in the order columns, cell, slot. */
export function layoutGrids(ids: readonly string[]): GridLayout {
  const parts = ids.map((id) => id.split("/"));
  const place = cellPosition(parts);
  if (place >= 0) return hexagonLayout(parts, place);
  return twoWayLayout(parts) ?? { kind: "list" };
}

/** Whether there is a map of them. */
export function areHexagons(ids: readonly string[]): boolean {
  return cellPosition(ids.map((id) => id.split("/"))) >= 0;
}

/** A part of a grid id as people wrote it; a time slot as people say it. */
export function readablePart(part: string): string {
  if (part === NOTHING) return "(none)";
  return readableSlot(isolateText(part.replaceAll("%2F", "/").replaceAll("%25", "%")));
}

/** The part that is an H3 cell in every id, or −1. */
function cellPosition(parts: ReadonlyArray<readonly string[]>): number {
  const first = parts.find((each) => each.some(isCell));
  if (first === undefined) return -1;
  return first.findIndex(
    (_, position) =>
      isCell(itemAt(first, position)) &&
      parts.every(
        (each) => each.length === first.length && (each[position] === NOTHING || isCell(each[position] ?? "")),
      ),
  );
}

function hexagonLayout(parts: ReadonlyArray<readonly string[]>, place: number): HexagonLayout {
  const cells = new Map<string, number>();
  const names = new Map<string, number[]>();
  const cellOf = parts.map((each, grid) => {
    const cell = itemAt(each, place);
    if (cell === NOTHING) return -1;
    const name = each.filter((_, position) => position !== place).join("/");
    const grids = names.get(name) ?? [];
    grids.push(grid);
    names.set(name, grids);
    const known = cells.get(cell);
    if (known !== undefined) return known;
    cells.set(cell, cells.size);
    return cells.size - 1;
  });
  const sorted = [...names].sort(([left], [right]) => left.localeCompare(right, "en", { numeric: true }));
  const labels = readableSlots(sorted.map(([name]) => name.split("/").map(readablePart).join(" · ")));
  const layers = sorted.map(([, grids], index) => ({ name: itemAt(labels, index), grids }));
  const layerOf = parts.map(() => -1);
  layers.forEach(({ grids }, layer) => {
    for (const grid of grids) layerOf[grid] = layer;
  });
  const withoutPlace = cellOf.filter((cell) => cell < 0).length;
  return { kind: "hexagons", cells: [...cells.keys()], cellOf, layerOf, layers, withoutPlace };
}

function twoWayLayout(parts: ReadonlyArray<readonly string[]>): TwoWayLayout | undefined {
  if (parts.some(({ length }) => length !== 2)) return undefined;
  const pairs = parts.map(([row = "", column = ""]) => ({ row, column }));
  const rows = distinct(pairs.map(({ row }) => row));
  const columns = distinct(pairs.map(({ column }) => column));
  if (rows.length < 2 || columns.length < 2 || columns.length > MOST_COLUMNS) return undefined;
  if (parts.length < LEAST_FILLED * rows.length * columns.length) return undefined;
  const gridOf = new Map(pairs.map(({ row, column }, grid) => [JSON.stringify([row, column]), grid]));
  const gridAt = rows.map((row) => columns.map((column) => gridOf.get(JSON.stringify([row, column])) ?? -1));
  return { kind: "two-way", rows: rows.map(readablePart), columns: readableSlots(columns.map(readablePart)), gridAt };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
}
