/** Ids of users and parts as keys of a PostgreSQL index, which takes no more than some 2,700 bytes. */
import { escaped, unescaped } from "./escaped.ts";
import { sha256 } from "./sha256.ts";

/** With a dataset's name and a release's key, at most 600 bytes each, this leaves room. */
const LONGEST_BYTES = 1_200;

export interface StoredId {
  /** Begins with `=` for an id as it is, with `#` for the hash of a long one. */
  readonly id: string;
  /** The id itself where `id` is its hash. */
  readonly longId: string | null;
}

export function storedId(given: string): StoredId {
  const text = escaped(given);
  // No character takes more than three bytes per code unit.
  if (3 * text.length <= LONGEST_BYTES || Buffer.byteLength(text) <= LONGEST_BYTES)
    return { id: `=${text}`, longId: null };
  return { id: `#${sha256(text)}`, longId: text };
}

export function givenId({ id, longId }: StoredId): string {
  return unescaped(longId ?? id.slice(1));
}
