/** The error type for every failure in the catalogue, and text that is safe to quote in its message. */
import { ERRORS, type ErrorCode } from "./catalogue.ts";

/** A failure with a code from the catalogue and one clear line. Its message never carries a protected value. */
export class VeilgridError extends Error {
  override readonly name = "VeilgridError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  get exitStatus(): 1 | 2 {
    return ERRORS[this.code].exitStatus;
  }

  get httpStatus(): number {
    return ERRORS[this.code].httpStatus;
  }
}

/** For our own mistakes: a broken invariant is never the user's fault and never handled. */
export function invariant(condition: boolean, what: string): asserts condition {
  if (!condition) throw new VeilgridError("INTERNAL", `this should not happen, please report it: ${what}`);
}

/** Text from a file or flag made safe for one terminal line: control characters escaped, the middle left out if it is long. */
export function quoteForMessage(given: string): string {
  const text = withoutPasswords(given);
  const shown = text.length > 60 ? `${text.slice(0, 27)}...${text.slice(-30)}` : text;
  return `'${escapeControls(shown)}'`;
}

/** Addresses that nobody knows what to do with are quoted, too. A password may hold what ends a host, so all up to the last @ goes. */
function withoutPasswords(text: string): string {
  return text.replace(/(\/[^/\s:@]*):\S*@/g, "$1:…@");
}

/** Replaces what could move a terminal's cursor, colour it or reorder its text, and half surrogate pairs, by a visible escape. */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** The item at `index`, from 0 to `items.length` − 1. Any other index is a mistake of ours, reported as INTERNAL. */
export function itemAt<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined) invariant(index in items, `index ${index} of ${items.length} items`);
  return item as T;
}
