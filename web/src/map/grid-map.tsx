/** To come: chooses between a map and a heat table. */
import type { GridMapProps } from "./grid-map.ts";

export function GridMap({ measure, grids }: GridMapProps) {
  return (
    <p>
      {measure}: {grids.length}
    </p>
  );
}
