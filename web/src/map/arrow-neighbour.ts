/** Finds the hexagon that an arrow key leads to. */
import { itemAt } from "../../../src/core/errors/index.ts";
import type { Point } from "./view.ts";

export type Direction = "left" | "right" | "up" | "down";

const UNIT: Readonly<Record<Direction, Point>> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
/** How much more it costs to step aside than to go ahead. */
const ASIDE = 1.5;

/** The nearest place within 60° of a direction, y downwards; `from` itself if there is none. */
export function arrowNeighbour(places: readonly Point[], from: number, direction: Direction): number {
  const [startX, startY] = itemAt(places, from);
  const [unitX, unitY] = UNIT[direction];
  let best = from;
  let least = Infinity;
  places.forEach(([x, y], index) => {
    const ahead = (x - startX) * unitX + (y - startY) * unitY;
    const aside = Math.abs((x - startX) * unitY - (y - startY) * unitX);
    if (ahead <= 0 || aside > Math.sqrt(3) * ahead * 1.0001) return;
    const cost = ahead + ASIDE * aside;
    if (cost < least) {
      least = cost;
      best = index;
    }
  });
  return best;
}

export function nearestTo(places: readonly Point[], [x, y]: Point): number {
  let best = 0;
  let least = Infinity;
  places.forEach((place, index) => {
    const distance = (place[0] - x) ** 2 + (place[1] - y) ** 2;
    if (distance < least) {
      least = distance;
      best = index;
    }
  });
  return best;
}
