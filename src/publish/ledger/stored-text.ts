/** Checks keys, names and reasons, escapes ids so that every database can keep them, and hashes text. */
import { createHash } from "node:crypto";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";

/** One line of visible text. */
export function checkLine(text: string, what: string, longest = 200): void {
  if (text.length < 1 || text.length > longest)
    throw new VeilgridError("PARAMETER_INVALID", `${what} has ${text.length} characters; give it 1 to ${longest}`);
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s|\s$/u.test(text))
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `${what} ${quoteForMessage(text)} holds invisible characters, or blanks at an end; leave them out`,
    );
}

/** Text that a store gives back byte for byte. */
export function checkText(text: string, what: string): void {
  if (text.includes("\0") || !text.isWellFormed())
    throw new VeilgridError("PARAMETER_INVALID", `${what} holds a NUL or half a character; write it as JSON`);
}

/** Ids of users and parts may be any text. Databases take no NUL and no half surrogate pair, and two ids must never become one. */
export function escaped(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}

export function unescaped(id: string): string {
  return id.includes("\\") ? (JSON.parse(`"${id}"`) as string) : id;
}

/** In hex. */
export function sha256(...texts: string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text);
  return hash.digest("hex");
}
