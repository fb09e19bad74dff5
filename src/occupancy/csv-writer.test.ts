/** Checks the canonical CSV: read back it is the same array, its bytes depend on the array alone, and its hash is SHA-256. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { occupancyFromTriples } from "./builder.ts";
import { OccupancyCsvReader } from "./csv-reader.ts";
import { occupancyCsvChunks, occupancyHash } from "./csv-writer.ts";
import type { Occupancy } from "./occupancy.ts";

type Triple = [user: string, grid: string, count: number];

const id = fc.oneof(
  fc.constantFrom("", "007", "😀", "a,b", '"', '""', "a\nb", "\r", "\uffff", "\u{10000}", "\ufeff", " x "),
  fc.string({ unit: "binary", maxLength: 8 }).filter((text) => text.isWellFormed()),
);
const count = fc.oneof(fc.integer({ min: 1, max: 1_000_000_000 }), fc.constantFrom(1, 9, 10, 99, 100, 999_999_999));
const triples: fc.Arbitrary<Triple[]> = fc.array(fc.tuple(id, id, count), { minLength: 1, maxLength: 3 * 12 });

function bytesOf(occupancy: Occupancy): Buffer {
  return Buffer.concat([...occupancyCsvChunks(occupancy)]);
}

function readBack(bytes: Uint8Array): Occupancy {
  const reader = new OccupancyCsvReader("canonical.csv");
  reader.push(bytes);
  return reader.finish().occupancy;
}

function columnsOf(occupancy: Occupancy) {
  return { users: [...occupancy.users], grids: [...occupancy.grids], byUser: occupancy.byUser };
}

test("the text itself: sorted by bytes, quoted only where needed", () => {
  const occupancy = occupancyFromTriples([
    ["b", 'say "hi"', 1],
    ["\u{10000}", "g", 2],
    ["\uffff", "g", 3],
    ["", "a,b", 10],
    ["b", " g ", 4294967295],
    ["b\r", "x\ny", 7],
  ]);
  expect(bytesOf(occupancy).toString()).toBe(
    [
      "user,grid,count",
      ',"a,b",10',
      "b, g ,4294967295",
      'b,"say ""hi""",1',
      '"b\r","x\ny",7',
      "\uffff,g,3",
      "\u{10000},g,2",
      "",
    ].join("\n"),
  );
});

test("written and read back, the array is the same", () => {
  fc.assert(
    fc.property(triples, (rows) => {
      const occupancy = occupancyFromTriples(rows);
      expect(columnsOf(readBack(bytesOf(occupancy)))).toEqual(columnsOf(occupancy));
    }),
    { numRuns: 300 },
  );
});

test("bytes and hash do not depend on the order of the input, nor on how counts were split", () => {
  const reordered = triples.chain((rows) =>
    fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
  );
  fc.assert(
    fc.property(reordered, ([rows, shuffled]) => {
      const split = shuffled.flatMap(([user, grid, count]): Triple[] => [
        [user, grid, count - 1],
        [user, grid, 1],
      ]);
      const occupancy = occupancyFromTriples(rows);
      expect(bytesOf(occupancyFromTriples(split)).equals(bytesOf(occupancy))).toBe(true);
      expect(occupancyHash(occupancyFromTriples(split))).toBe(occupancyHash(occupancy));
    }),
  );
});

test("any change of a count, user or grid changes the hash", () => {
  const hashes = [
    [["u", "g", 1]],
    [["u", "g", 2]],
    [["v", "g", 1]],
    [["u", "h", 1]],
    [["u,g", "", 1]],
    [["u", "g,", 1]],
    [
      ["u", "g", 1],
      ["v", "g", 1],
    ],
  ].map((rows) => occupancyHash(occupancyFromTriples(rows as Triple[])));
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("occupancyHash is the SHA-256 of the bytes", () => {
  fc.assert(
    fc.property(triples, (rows) => {
      const occupancy = occupancyFromTriples(rows);
      const expected = createHash("sha256").update(bytesOf(occupancy)).digest("hex");
      expect(occupancyHash(occupancy)).toBe(expected);
    }),
  );
});

test("arrays of many chunks and ids longer than a chunk are whole", () => {
  // With its marks doubled it has 66,002 bytes.
  const long = 'x"'.repeat(22_000);
  const rows = Array.from({ length: 4_000 }, (_, row): Triple => [`user-${row % 977}`, `grid-${row % 31}`, 1 + row]);
  rows.push([long, "g", 5], ["u", long, 6], [long, long, 7]);
  const occupancy = occupancyFromTriples(rows);
  const chunks = [...occupancyCsvChunks(occupancy)].map((chunk) => chunk.length);
  expect(chunks.length).toBeGreaterThan(3);
  expect(columnsOf(readBack(bytesOf(occupancy)))).toEqual(columnsOf(occupancy));
  expect(occupancyHash(occupancy)).toBe(createHash("sha256").update(bytesOf(occupancy)).digest("hex"));
});

test("an array of nothing is a header", () => {
  expect(bytesOf(occupancyFromTriples([])).toString()).toBe("user,grid,count\n");
});
