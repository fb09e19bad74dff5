/** An occupancy array as a file of bare columns, for programs that are compared with ours and processes of their own (lab/bench/clip-user.cpp says how). */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { IdTable, Occupancy } from "#core/occupancy";

const HEAD_BYTES = 32;
const MOST_BYTES = 1 << 28;

export function writeColumns(file: string, occupancy: Occupancy, options: { width: number; epsilon: number }): void {
  const { start, grid, count } = occupancy.byUser;
  const handle = openSync(file, "w");
  writeSync(handle, Float64Array.of(options.width, options.epsilon));
  writeSync(handle, Uint32Array.of(occupancy.users.length, occupancy.grids.length, occupancy.entries, 0));
  for (const column of [start, grid, count]) {
    const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at, Math.min(MOST_BYTES, bytes.length - at));
  }
  closeSync(handle);
}

/** The same array with ids that are numbers. */
export function readColumns(file: string): Occupancy {
  const { buffer, byteOffset } = readFileSync(file);
  const [users, grids, entries] = new Uint32Array(buffer, byteOffset + 16, 3);
  const column = (from: number, length: number): Uint32Array =>
    new Uint32Array(buffer.slice(byteOffset + HEAD_BYTES + 4 * from, byteOffset + HEAD_BYTES + 4 * (from + length)));
  return new Occupancy(numbered("u", users!), numbered("g", grids!), {
    start: column(0, users! + 1),
    grid: column(users! + 1, entries!),
    count: column(users! + 1 + entries!, entries!),
  });
}

function numbered(letter: string, length: number): IdTable {
  const digits = String(length - 1).length;
  const bytes = new Uint8Array(length * (digits + 1));
  for (let index = 0; index < length; index++) {
    const at = index * (digits + 1);
    bytes[at] = letter.charCodeAt(0);
    for (let digit = digits, rest = index; digit > 0; digit--, rest = Math.floor(rest / 10))
      bytes[at + digit] = 0x30 + (rest % 10);
  }
  return new IdTable(
    bytes,
    Uint32Array.from({ length: length + 1 }, (_, index) => index * (digits + 1)),
  );
}
