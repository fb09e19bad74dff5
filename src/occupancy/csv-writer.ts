/** The canonical occupancy CSV: sorted, minimally quoted, one byte sequence for one array. Its SHA-256 names the array. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { IdTable } from "./ids.ts";
import type { Occupancy } from "./occupancy.ts";

const CHUNK_BYTES = 1 << 16;
const NEEDS_QUOTES = new Set([0x22, 0x2c, 0x0a, 0x0d]);

/** The bytes of `user,grid,count` rows in ascending order, in chunks. */
export function* occupancyCsvChunks(occupancy: Occupancy): IterableIterator<Uint8Array> {
  const { byUser } = occupancy;
  const gridFields = quotedFields(occupancy.grids);
  let chunk = new Uint8Array(CHUNK_BYTES);
  let length = new TextEncoder().encodeInto("user,grid,count\n", chunk).written;
  for (let user = 0; user < occupancy.users.length; user++) {
    const userField = quoteField(occupancy.users.bytesOf(user));
    for (let entry = byUser.start[user]!; entry < byUser.start[user + 1]!; entry++) {
      const gridField = gridFields[byUser.grid[entry]!]!;
      const longest = userField.length + gridField.length + 14;
      if (length + longest > chunk.length) {
        yield chunk.subarray(0, length);
        chunk = new Uint8Array(Math.max(CHUNK_BYTES, longest));
        length = 0;
      }
      length = appendField(chunk, length, userField);
      length = appendField(chunk, length, gridField);
      length = appendDigits(chunk, length, byUser.count[entry]!);
      chunk[length++] = 0x0a;
    }
  }
  yield chunk.subarray(0, length);
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
  for (const chunk of occupancyCsvChunks(occupancy)) hash.update(chunk);
  const digest = hash.digest();
  hashes.set(occupancy, digest);
  return digest;
}

function portableHash(): RunningHash {
  const hash = sha256.create();
  return { update: (bytes) => void hash.update(bytes), digest: () => bytesToHex(hash.digest()) };
}

function quotedFields(ids: IdTable): Uint8Array[] {
  return Array.from({ length: ids.length }, (_, index) => quoteField(ids.bytesOf(index)));
}

/** RFC 4180: quotes only where the text would be read differently without them. */
function quoteField(field: Uint8Array): Uint8Array {
  if (!field.some((byte) => NEEDS_QUOTES.has(byte))) return field;
  const quoted: number[] = [0x22];
  for (const byte of field) {
    if (byte === 0x22) quoted.push(0x22);
    quoted.push(byte);
  }
  quoted.push(0x22);
  return Uint8Array.from(quoted);
}

/** A loop beats `set` for fields of a few bytes. */
function appendField(chunk: Uint8Array, length: number, field: Uint8Array): number {
  for (let at = 0; at < field.length; at++) chunk[length + at] = field[at]!;
  chunk[length + field.length] = 0x2c;
  return length + field.length + 1;
}

function appendDigits(chunk: Uint8Array, length: number, value: number): number {
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
