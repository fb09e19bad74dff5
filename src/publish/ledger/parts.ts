/** Names a release's parts: its grids, and the passes that are charged and committed before them under the same key. */

/** No grid is called so: ids have `%25` for `%`. */
export const FIRST_PASS = "%first pass";
export const RINGS_PASS = "%rings";

export function isGrid(part: string): boolean {
  return part !== FIRST_PASS && part !== RINGS_PASS;
}

/** Passes by name, grids by number: `first pass, rings, 40`. */
export function partsInWords(parts: readonly string[]): string {
  const grids = parts.filter(isGrid).length;
  const passes = parts.filter((part) => !isGrid(part)).map((part) => part.slice(1));
  return [...passes, ...(grids > 0 ? [grids] : [])].join(", ");
}
