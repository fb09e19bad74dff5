/** Finds ids that differ only in case, spaces, punctuation or Unicode form, and may be one person's. */
import type { IdTable } from "./ids.ts";

export interface IdsAlike {
  /** Ids that are like an earlier one, among those looked at. */
  readonly pairs: number;
  readonly example: readonly [string, string] | null;
  /** Of so many ids about one was looked at: 1 for all. Ids that are alike are looked at together or not at all. */
  readonly oneIn: number;
}

/** A table of so many takes 32 MB. */
const MOST_IDS = 1 << 20;

/** Ids made to fall on one place are passed over rather than waited for. */
const MOST_PROBES = 64;

/** Time grows with the ids' bytes, whatever they are; memory not beyond that of `mostIds`. */
export function findIdsAlike(ids: IdTable, { mostIds = MOST_IDS }: { readonly mostIds?: number } = {}): IdsAlike {
  const oneIn = Math.max(1, Math.ceil(ids.length / mostIds));
  // Twice as many places as ids that are looked at, also where chance gives us some more of them than their share.
  const places = 2 ** Math.ceil(Math.log2(Math.max(16, 2.5 * Math.min(ids.length, mostIds))));
  /** Open addressing: 0 is empty, otherwise an index + 1. */
  const firsts = new Uint32Array(places);
  const hashes = new Int32Array(places);
  let pairs = 0;
  let example: IdsAlike["example"] = null;
  const { allBytes, starts } = ids;
  for (let index = 0; index < ids.length; index++) {
    const folded = foldedHash(allBytes, starts[index]!, starts[index + 1]!);
    const hash = folded < 0 ? textHash(bareId(ids.get(index))) : folded;
    if (hash % oneIn !== 0) continue;
    for (let probe = 0, place = mixed(hash); probe < MOST_PROBES; probe++, place++) {
      place &= places - 1;
      if (firsts[place] === 0) {
        firsts[place] = index + 1;
        hashes[place] = hash;
        break;
      }
      if (hashes[place] !== hash) continue;
      const pair = [ids.get(firsts[place]! - 1), ids.get(index)] as const;
      if (bareId(pair[0]) !== bareId(pair[1])) continue;
      if (areAlike(...pair)) {
        pairs += 1;
        example ??= pair;
      }
      break;
    }
  }
  return { pairs, example, oneIn };
}

/** Letters and digits in lower case, compatible forms alike; an id without any stays as it is. */
function bareId(id: string): string {
  const plain = id.normalize("NFKC").toLowerCase().normalize("NFKC");
  const bare = plain.replace(/[^\p{L}\p{N}\p{M}]/gu, "");
  return bare === "" ? id : bare;
}

/** Where 1-23 and 12-3 are two ids, what stands between digits tells them apart. */
function areAlike(left: string, right: string): boolean {
  const [one, other] = [left, right].map(separatedDigits) as [string, string];
  return one === other || !one.includes("-") || !other.includes("-");
}

function separatedDigits(id: string): string {
  return id
    .normalize("NFKC")
    .replace(/[^\p{N}]+/gu, (between, at, whole) =>
      /[\p{L}\p{M}]/u.test(between) || at === 0 || at + between.length === whole.length ? "" : "-",
    );
}

/** The hash of `bareId` for ids of ASCII characters with a letter or digit among them; −1 for others. */
function foldedHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = SEED;
  let isEmpty = true;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80) return -1;
    const lower = byte | 0x20;
    const isLetter = lower >= 0x61 && lower <= 0x7a;
    if (!isLetter && (byte < 0x30 || byte > 0x39)) continue;
    // A digit has this bit as it is.
    hash = Math.imul(hash ^ lower, PRIME);
    isEmpty = false;
  }
  return isEmpty ? -1 : hash >>> 1;
}

const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

function textHash(text: string): number {
  let hash = SEED;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash >>> 1;
}

/** Neighbouring hashes go to places far apart. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (once ^ (once >>> 13)) >>> 1;
}
