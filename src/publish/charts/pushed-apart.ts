/** Moves labels apart that would lie on each other at the places they want. */
import { itemAt } from "../../core/errors/index.ts";

/** Ascending places, each its height above the next, near where they want to be and within the limits while there is room. */
export function pushedApart(
  wanted: readonly number[],
  { least, most, heights }: { least: number; most: number; heights: readonly number[] },
): number[] {
  let lowest = least;
  const places = wanted.map((want, index) => {
    const place = Math.max(want, lowest);
    lowest = place + itemAt(heights, index);
    return place;
  });
  let limit = most;
  // From the last to the first, none may lie below the next one's place.
  for (const [index, place] of [...places.entries()].reverse()) {
    places[index] = Math.min(place, limit);
    limit = Math.min(place, limit) - (heights[index - 1] ?? 0);
  }
  return places;
}

/** The same without limits, and with those that meet gathered around the middle of where they want to be. */
export function gathered(wanted: readonly number[], heights: readonly number[]): number[] {
  const groups: { start: number; height: number; offsets: number[] }[] = [];
  wanted.forEach((place, at) => {
    groups.push({ start: place, height: itemAt(heights, at), offsets: [0] });
    for (;;) {
      const [upper, lower] = groups.slice(-2);
      if (upper === undefined || lower === undefined || upper.start + upper.height <= lower.start) break;
      const count = upper.offsets.length + lower.offsets.length;
      // Least squares: the mean of where the group's start would be if each member were where it wants to be.
      upper.start = (upper.start * upper.offsets.length + (lower.start - upper.height) * lower.offsets.length) / count;
      upper.offsets.push(...lower.offsets.map((offset) => upper.height + offset));
      upper.height += lower.height;
      groups.pop();
    }
  });
  return groups.flatMap(({ start, offsets }) => offsets.map((offset) => start + offset));
}
