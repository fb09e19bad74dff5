/** Where labels go that would lie on each other at the places they want. */

/** Ascending places, `apart` from each other, near where they want to be and within the limits while there is room. */
export function pushedApart(
  wanted: readonly number[],
  { least, most, apart }: { least: number; most: number; apart: number },
): number[] {
  const places: number[] = [];
  for (const place of wanted) places.push(Math.max(place, least, (places[places.length - 1] ?? -Infinity) + apart));
  let limit = most;
  for (let at = places.length - 1; at >= 0; at--) {
    places[at] = Math.min(places[at]!, limit);
    limit = places[at]! - apart;
  }
  return places;
}
