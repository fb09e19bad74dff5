/** Where labels go that would lie on each other at the places they want. */

/** Ascending places, each its height above the next, near where they want to be and within the limits while there is room. */
export function pushedApart(
  wanted: readonly number[],
  { least, most, heights }: { least: number; most: number; heights: readonly number[] },
): number[] {
  const places: number[] = [];
  wanted.forEach((place, at) => {
    places.push(Math.max(place, least, at === 0 ? -Infinity : places[at - 1]! + heights[at - 1]!));
  });
  let limit = most;
  for (let at = places.length - 1; at >= 0; at--) {
    places[at] = Math.min(places[at]!, limit);
    limit = places[at]! - (heights[at - 1] ?? 0);
  }
  return places;
}

/** The same without limits, and with those that meet gathered around the middle of where they want to be. */
export function gathered(wanted: readonly number[], heights: readonly number[]): number[] {
  const groups: { start: number; height: number; offsets: number[] }[] = [];
  wanted.forEach((place, at) => {
    groups.push({ start: place, height: heights[at]!, offsets: [0] });
    for (let last = groups.length - 1; last > 0; last--) {
      const [upper, lower] = [groups[last - 1]!, groups[last]!];
      if (upper.start + upper.height <= lower.start) break;
      const count = upper.offsets.length + lower.offsets.length;
      // Least squares: the mean of where the group's start would be if each member had its wish.
      upper.start = (upper.start * upper.offsets.length + (lower.start - upper.height) * lower.offsets.length) / count;
      upper.offsets.push(...lower.offsets.map((offset) => upper.height + offset));
      upper.height += lower.height;
      groups.pop();
    }
  });
  return groups.flatMap(({ start, offsets }) => offsets.map((offset) => start + offset));
}
