/** Describes the size of the hexagons of each resolution in words. */
import { formatNumber } from "./format.ts";

/** Mean edge lengths of H3 cells in kilometres, by resolution (h3geo.org/docs/core-library/restable). */
const EDGE_KILOMETRES = [
  1281.256, 483.057, 182.513, 68.979, 26.072, 9.854, 3.725, 1.406, 0.5314, 0.2008, 0.0759, 0.02866, 0.01083, 0.00409,
  0.00155, 0.00058,
] as const;

export const RESOLUTIONS = EDGE_KILOMETRES.map((_, resolution) => resolution);

/** "edges of about 530 m"; undefined for what is no resolution. */
export function hexagonWords(resolution: string | number): string | undefined {
  const kilometres = EDGE_KILOMETRES[Number(resolution)];
  if (kilometres === undefined) return undefined;
  const length = kilometres >= 1 ? `${rounded(kilometres)} km` : `${rounded(1000 * kilometres)} m`;
  return `edges of about ${length}`;
}

function rounded(length: number): string {
  return formatNumber(Number(length.toPrecision(2)));
}
