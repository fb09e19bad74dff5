/** Isolates text from others, such as ids and column names, so that it cannot reorder the text around it. */
import { escapeControls } from "../../src/core/errors/index.ts";

/** Letters that are written from right to left: Hebrew, Arabic and their like, in the blocks that Unicode sets apart for them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

/**
 * Of a direction of its own, also where there is no markup: in titles, options and drawings. Marks that would change directions
 * themselves are shown, not obeyed; text without letters from right to left stays as it is.
 */
export function isolateText(text: string): string {
  const shown = escapeControls(text);
  return RIGHT_TO_LEFT.test(shown) ? `${FIRST_STRONG_ISOLATE}${shown}${POP_ISOLATE}` : shown;
}
