/** Projects hexagons onto the plane that both kinds of map share: outlines for drawing, centres for arrow keys. */
import { itemAt } from "../../../src/core/errors/index.ts";
import { projectCells } from "../../../src/publish/charts/index.ts";
import { domainOf } from "./colour-scale.ts";
import type { Point } from "./view.ts";

export interface MapPlane {
  readonly width: number;
  readonly height: number;
  readonly kilometresPerUnit: number;
  /** By cell. */
  readonly centres: readonly Point[];
  readonly paths: readonly string[];
  /** By cell: half the width of a hexagon. */
  readonly radii: readonly number[];
}

/** Around the outermost hexagons, as a share of the larger side. */
const MARGIN = 0.03;

/** As large as the hexagons are, with a margin. */
export function mapPlane(cells: readonly string[]): MapPlane {
  const { rings: projected, kilometresPerUnit } = projectCells(cells);
  const [left, right] = domainOf(projected.flatMap((ring) => ring.map(([x]) => x)));
  const [top, bottom] = domainOf(projected.flatMap((ring) => ring.map(([, y]) => y)));
  const margin = MARGIN * Math.max(right - left, bottom - top);
  const rings = projected.map((ring) => ring.map(([x, y]): Point => [x - left + margin, y - top + margin]));
  const [width, height] = [right - left + 2 * margin, bottom - top + 2 * margin];
  const centres: Point[] = [];
  const radii: number[] = [];
  const paths: string[] = [];
  for (const ring of rings) {
    const corners = ring.slice(0, -1);
    const middle = (of: (corner: Point) => number): number =>
      corners.reduce((total, corner) => total + of(corner), 0) / corners.length;
    const centre: Point = [middle(([x]) => x), middle(([, y]) => y)];
    centres.push(centre);
    radii.push(middle(([x, y]) => Math.hypot(x - centre[0], y - centre[1])));
    paths.push(`M${corners.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}Z`);
  }
  return { width, height, kilometresPerUnit, centres, radii, paths };
}

/** A small cross for each of these cells, as one path. */
export function crosses({ centres, radii }: MapPlane, cells: readonly number[]): string {
  return cells
    .map((cell) => {
      const [x, y] = itemAt(centres, cell);
      const arm = itemAt(radii, cell) / 5;
      return `M${round(x - arm)} ${round(y - arm)}L${round(x + arm)} ${round(y + arm)}M${round(x - arm)} ${round(y + arm)}L${round(x + arm)} ${round(y - arm)}`;
    })
    .join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
