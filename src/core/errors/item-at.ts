/** Reads one item of an array or typed array by an index that must exist. */
import { invariant } from "./veilgrid-error.ts";

/** The item at `index`, from 0 to `items.length` − 1. Any other index is a mistake of ours, reported as INTERNAL. */
export function itemAt<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined) invariant(index in items, `index ${index} of ${items.length} items`);
  return item as T;
}
