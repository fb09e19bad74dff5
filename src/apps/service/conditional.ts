/** Answers that a caller may have already: told by their tag. */

/** Whether an If-None-Match header names this tag (RFC 9110, 13.1.2). */
export function hasAlready(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
