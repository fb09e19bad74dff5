/** The warning that every file of a release with known noise carries at its very top. */
import { NOT_PRIVATE, type ReleaseResult } from "../release/index.ts";

/** The warning, or undefined where none is due. */
export function warningOf(result: Pick<ReleaseResult, "notPrivate">): string | undefined {
  return result.notPrivate ? NOT_PRIVATE : undefined;
}
