/** Finds where a label covers as little as possible of what is drawn already. */
import type { Box } from "./definition.ts";
import type { Pixel } from "./marks.ts";

/** How near something may come to a label. */
const CLEAR = 4;
/** Places tried in each direction. */
const TRIED = 24;
/** Between the points that stand for what is drawn; a label is larger. */
const GRAIN = 4;
const MOST_GRAINS = 400;

export interface FreePlace {
  readonly box: Box;
  /** Whether there was no place without something beneath. */
  readonly covers: boolean;
}

/** The first that covers least, row by row; undefined without places to try. */
export function freePlace(
  { width, height }: { width: number; height: number },
  { columns, rows }: { columns: readonly number[]; rows: readonly number[] },
  drawn: readonly Pixel[],
): FreePlace | undefined {
  let found: FreePlace | undefined;
  let least = Infinity;
  for (const top of rows) {
    for (const left of columns) {
      const box = { left, right: left + width, top, bottom: top + height };
      let covered = 0;
      for (const at of drawn) if (isNear(at, box)) covered++;
      if (covered >= least) continue;
      least = covered;
      found = { box, covers: covered > 0 };
    }
  }
  return found;
}

/** Evenly from one end to the other, both with it. */
export function steps(from: number, to: number): number[] {
  return Array.from({ length: TRIED }, (_, at) => from + ((to - from) * at) / (TRIED - 1));
}

/** A line as points so near to each other that no label slips between. */
export function trail(run: readonly Pixel[]): Pixel[] {
  return run.flatMap((from, at) => {
    const to = run[at + 1];
    if (to === undefined) return [from];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const count = Math.min(MOST_GRAINS, Math.max(1, Math.ceil(Math.hypot(dx, dy) / GRAIN)));
    return Array.from({ length: count }, (_, step) => ({
      x: from.x + (dx * step) / count,
      y: from.y + (dy * step) / count,
    }));
  });
}

export function filled({ left, right, top, bottom }: Box): Pixel[] {
  const found: Pixel[] = [];
  for (let x = left; x <= right; x += GRAIN) for (let y = top; y <= bottom; y += GRAIN) found.push({ x, y });
  return found;
}

/** Letters do not fill the height of their line: less is asked for above and below. */
function isNear({ x, y }: Pixel, { left, right, top, bottom }: Box): boolean {
  return x > left - CLEAR && x < right + CLEAR && y > top - CLEAR / 2 && y < bottom + CLEAR / 2;
}
