/** A sequential colour scale that stays in order for colour-blind eyes and in grey print. */

/** Matplotlib's viridis at 0, 0.1 … 1. */
const STOPS = [
  [68, 1, 84],
  [72, 36, 117],
  [65, 68, 135],
  [53, 95, 141],
  [42, 120, 142],
  [33, 145, 140],
  [34, 168, 132],
  [68, 191, 112],
  [122, 209, 81],
  [189, 223, 38],
  [253, 231, 37],
] as const;

/** The colour of `fraction` in [0, 1], as `#rrggbb`. */
export function viridis(fraction: number): string {
  const place = Math.min(1, Math.max(0, fraction)) * (STOPS.length - 1);
  const below = Math.min(STOPS.length - 2, Math.floor(place));
  const rest = place - below;
  return `#${STOPS[below]!.map((channel, index) => {
    const mixed = Math.round(channel + rest * (STOPS[below + 1]![index]! - channel));
    return mixed.toString(16).padStart(2, "0");
  }).join("")}`;
}
