/** Defines what a map of grids shows: plain data, however it is drawn. */

export interface MapGrid {
  /** The grid's id, as everywhere else. */
  readonly id: string;
  /** null: there is none, or nothing is published; drawn as empty. */
  readonly value: number | null;
  /** Not to be relied on; marked. */
  readonly weak?: boolean | undefined;
  /** Shown on hover and read out; a line each. */
  readonly lines: readonly string[];
}

export interface GridMapProps {
  /** What is coloured: "guaranteed error of the mean". */
  readonly measure: string;
  readonly unit?: string | undefined;
  readonly grids: readonly MapGrid[];
  /** Fixed, so that colours do not jump while something is dragged; from the values if absent. */
  readonly domain?: readonly [low: number, high: number] | undefined;
  /** Where a low value is good, the scale is turned around, so that bright is good. */
  readonly lowIsGood?: boolean | undefined;
  readonly chosen?: string | null | undefined;
  onChoose?: ((id: string | null) => void) | undefined;
  format?(value: number): string;
}
