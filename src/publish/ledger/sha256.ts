/** SHA-256 of text, in hex. */
import { createHash } from "node:crypto";

export function sha256(...texts: string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text);
  return hash.digest("hex");
}
