/** Writes the canonical occupancy CSV, one byte sequence for one array. Its SHA-256 names the array. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { IdTable } from "./ids.ts";
import type { Occupancy } from "./occupancy.ts";

const CHUNK_BYTES = 1 << 16;
/** Of a count of 32 bits. */
const MOST_DIGITS = 10;
const WORD = 4;
const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The bytes of `user,grid,count` rows in ascending order, in chunks. */
export function* occupancyCsvChunks(occupancy: Occupancy): IterableIterator<Uint8Array> {
  for (const chunk of passingChunks(occupancy)) yield chunk.slice();
}

/**
 * The same; a chunk is good until the next is asked for. One chunk is filled again and again in plain loops over a few arrays: there may
 * be many millions of rows.
 */
function* passingChunks({ users, grids, byUser }: Occupancy): IterableIterator<Uint8Array> {
  yield new TextEncoder().encode("user,grid,count\n");
  const { start, grid, count } = byUser;
  const { words: userWords, starts: userStarts } = quotedFields(users);
  const { words: gridWords, starts: gridStarts } = quotedFields(grids);
  const longestRow = longestField(userStarts) + longestField(gridStarts) + MOST_DIGITS + 1;
  const chunk = new Uint8Array(Math.max(CHUNK_BYTES, longestRow));
  const words = new DataView(chunk.buffer);
  const fullAt = chunk.length - longestRow;
  let length = 0;
  for (let user = 0; user < users.length; user++) {
    const end = start[user + 1]!;
    const userFrom = userStarts[user]!;
    const userTo = userStarts[user + 1]!;
    for (let entry = start[user]!; entry < end; ) {
      for (; entry < end && length <= fullAt; entry++) {
        const gridFrom = gridStarts[grid[entry]!]!;
        const gridTo = gridStarts[grid[entry]! + 1]!;
        // Four bytes at a time; what is copied beyond a field's end is written over, and is less than a count may take.
        const userAt = length - userFrom;
        for (let at = userFrom; at < userTo; at += WORD)
          words.setUint32(userAt + at, userWords.getUint32(at, true), true);
        length = userAt + userTo;
        const gridAt = length - gridFrom;
        for (let at = gridFrom; at < gridTo; at += WORD)
          words.setUint32(gridAt + at, gridWords.getUint32(at, true), true);
        length = appendDigits(chunk, gridAt + gridTo, count[entry]!);
        chunk[length++] = LINE_FEED;
      }
      if (length <= fullAt) continue;
      yield chunk.subarray(0, length);
      length = 0;
    }
  }
  if (length > 0) yield chunk.subarray(0, length);
}

/** A running SHA-256; `digest` gives lower-case hexadecimal. */
export interface RunningHash {
  update(bytes: Uint8Array): void;
  digest(): string;
}

const hashes = new WeakMap<Occupancy, string>();

/**
 * Lower-case hexadecimal SHA-256 of the canonical CSV: what `sha256sum` prints for a file that `survey --out` wrote. Worked out
 * once per array. A platform's own SHA-256, where there is one, is several times faster than the default, which runs anywhere.
 */
export function occupancyHash(occupancy: Occupancy, start: () => RunningHash = portableHash): string {
  const known = hashes.get(occupancy);
  if (known !== undefined) return known;
  const hash = start();
  for (const chunk of passingChunks(occupancy)) hash.update(chunk);
  const digest = hash.digest();
  hashes.set(occupancy, digest);
  return digest;
}

function portableHash(): RunningHash {
  const hash = sha256.create();
  return { update: (bytes) => void hash.update(bytes), digest: () => bytesToHex(hash.digest()) };
}

function longestField(starts: Uint32Array): number {
  let longest = 0;
  for (let index = 1; index < starts.length; index++) longest = Math.max(longest, starts[index]! - starts[index - 1]!);
  return longest;
}

/** Every id as a field with its comma; field i is the bytes starts[i] … starts[i + 1]. They are read in words: one may begin at any last byte. */
function quotedFields(ids: IdTable) {
  const { allBytes, starts: idStarts } = ids;
  const starts = new Uint32Array(ids.length + 1);
  for (let index = 0; index < ids.length; index++)
    starts[index + 1] = starts[index]! + fieldLength(allBytes, idStarts[index]!, idStarts[index + 1]!) + 1;
  const bytes = new Uint8Array(starts[ids.length]! + WORD);
  for (let index = 0; index < ids.length; index++) {
    const from = idStarts[index]!;
    const to = idStarts[index + 1]!;
    const comma = starts[index + 1]! - 1;
    let length = starts[index]!;
    if (comma - length === to - from) {
      for (let at = from; at < to; at++) bytes[length++] = allBytes[at]!;
    } else {
      bytes[length++] = QUOTE;
      for (let at = from; at < to; at++) {
        if (allBytes[at] === QUOTE) bytes[length++] = QUOTE;
        bytes[length++] = allBytes[at]!;
      }
      bytes[length] = QUOTE;
    }
    bytes[comma] = COMMA;
  }
  return { words: new DataView(bytes.buffer), starts };
}

/** RFC 4180: quotes only where the text would be read differently without them, and then each of its own twice. */
function fieldLength(bytes: Uint8Array, from: number, to: number): number {
  let quotes = 0;
  let isPlain = true;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) quotes += 1;
    if (byte === QUOTE || byte === COMMA || byte === LINE_FEED || byte === CARRIAGE_RETURN) isPlain = false;
  }
  return isPlain ? to - from : to - from + quotes + 2;
}

function appendDigits(chunk: Uint8Array, length: number, value: number): number {
  // Most counts are small, and dividing takes longer than looking.
  if (value < 10) {
    chunk[length] = 0x30 + value;
    return length + 1;
  }
  let digits = 1;
  for (let power = 10; value >= power; power *= 10) digits += 1;
  let rest = value;
  for (let at = length + digits - 1; at >= length; at--) {
    const next = Math.floor(rest / 10);
    chunk[at] = 0x30 + rest - 10 * next;
    rest = next;
  }
  return length + digits;
}
