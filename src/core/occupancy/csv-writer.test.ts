/** Checks the canonical CSV: read back it is the same array, its bytes depend on the array alone, and its hash is SHA-256. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { occupancyFromTriples } from "./builder.ts";
import { OccupancyCsvReader } from "./csv-reader.ts";
import { occupancyCsvChunks, occupancyHash, type RunningHash } from "./csv-writer.ts";
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

/** The definition: rows by the bytes of user and grid, marks only around what needs them. */
function plainCsv(rows: readonly Triple[]): string {
  const field = (id: string): string => (/[",\r\n]/.test(id) ? `"${id.replaceAll('"', '""')}"` : id);
  const byBytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));
  const sorted = rows.toSorted((a, b) => byBytes(a[0], b[0]) || byBytes(a[1], b[1]));
  return `user,grid,count\n${sorted.map(([user, grid, count]) => `${field(user)},${field(grid)},${count}\n`).join("")}`;
}

test("the text of any array is that of its rows written one by one", () => {
  const special = fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", " ", "a"), maxLength: 3 });
  const ids = fc.oneof(id, special);
  const rows = fc.uniqueArray(fc.tuple(ids, ids, count), {
    selector: ([user, grid]) => JSON.stringify([user, grid]),
    maxLength: 40,
  });
  fc.assert(
    fc.property(rows, (rows) => {
      expect(bytesOf(occupancyFromTriples(rows)).toString()).toBe(plainCsv(rows));
    }),
    { numRuns: 300 },
  );
});

test("rows of the longest kind fill a chunk to its last bytes, none more, and every chunk but the last is full", () => {
  // 22 bytes each: 2979 of them have 65,538, two more than a chunk.
  const rows = Array.from({ length: 6_000 }, (_, row): Triple => [String(1000 + row), "12345", 4_294_967_295]);
  const occupancy = occupancyFromTriples(rows);
  expect(bytesOf(occupancy).toString()).toBe(plainCsv(rows));
  const [, ...chunks] = [...occupancyCsvChunks(occupancy)].map((chunk) => chunk.length);
  for (const length of chunks) expect(length).toBeLessThanOrEqual(65_536);
  for (const length of chunks.slice(0, -1)) expect(length).toBeGreaterThan(65_536 - 2 * 22);
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

test("a platform's own hash is asked once per array, and gives the same", () => {
  const rows: Triple[] = [
    ["u", "g", 1],
    ["v", "g", 2],
  ];
  let started = 0;
  const start = (): RunningHash => {
    started += 1;
    const hash = createHash("sha256");
    return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest("hex") };
  };
  const occupancy = occupancyFromTriples(rows);
  const portable = occupancyHash(occupancyFromTriples(rows));
  expect([occupancyHash(occupancy, start), occupancyHash(occupancy, start)]).toEqual([portable, portable]);
  expect(started).toBe(1);
});
