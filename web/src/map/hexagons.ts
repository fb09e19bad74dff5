/** Defines the properties and commands of a drawing of hexagons, whether SVG or WebGL draws it. */
import type { MapPlane } from "./map-plane.ts";
import type { Point } from "./view.ts";

export interface HexagonsProps {
  /** H3 cells of all layers; memoised, like everything that is no colour. */
  readonly cells: readonly string[];
  readonly plane: MapPlane;
  /** Cells of the layer that is shown; a hexagon is called by its index here. */
  readonly shown: readonly number[];
  /** By hexagon; null is empty. */
  readonly colours: ReadonlyArray<string | null>;
  /** Hexagons marked by a cross. */
  readonly weak: readonly number[];
  /** Under the pointer, or where the arrow keys are. */
  readonly marked: number | null;
  readonly chosen: number | null;
  onHover(hexagon: number | null, at?: Point): void;
  onPick(hexagon: number): void;
  /** After every change of what is seen. */
  onView(kilometresPerPixel: number): void;
  /** Filled while the drawing is there. */
  readonly handle: { current: HexagonsHandle | null };
}

export interface HexagonsHandle {
  zoomBy(factor: number, around?: Point): void;
  moveBy(pixels: Point): void;
  reset(): void;
  /** Moves only if it must, so that a hexagon can be seen. */
  show(hexagon: number): void;
  /** Where a hexagon's middle is, in pixels of the drawing. */
  placeOf(hexagon: number): Point;
  middle(): number;
}
