/** Checks that ids are text kept once, ordered by UTF-8 bytes, and found again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareIds, IdInterner, IdTable } from "./ids.ts";

const wellFormed = fc.oneof(
  fc.constantFrom(
    "",
    "007",
    "7",
    "null",
    "%null",
    "a",
    "ab",
    "a/b%c",
    "\uffff",
    "\u{10000}",
    "\ufeff",
    "\u0000",
    "é",
    "e\u0301",
  ),
  fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
);

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function internAll(ids: readonly string[]): { table: IdTable; rank: Uint32Array; numbers: number[] } {
  const interner = new IdInterner();
  const numbers = ids.map((id) => interner.internText(id));
  return { ...interner.finish(), numbers };
}

test("each distinct id has one number, one index and its place by bytes", () => {
  fc.assert(
    fc.property(fc.array(wellFormed, { maxLength: 60 }), (ids) => {
      const distinct = [...new Set(ids)];
      const { table, rank, numbers } = internAll(ids);
      expect(numbers).toEqual(ids.map((id) => distinct.indexOf(id)));
      expect([...table]).toEqual(distinct.toSorted(byBytes));
      expect(table.length).toBe(distinct.length);
      for (const id of distinct) {
        const index = table.indexOf(id);
        expect(table.get(index)).toBe(id);
        expect(rank[distinct.indexOf(id)]).toBe(index);
        expect(Buffer.from(table.bytesOf(index)).equals(Buffer.from(id))).toBe(true);
      }
    }),
  );
});

test("text and bytes of one id are the same id", () => {
  fc.assert(
    fc.property(wellFormed, fc.nat(5), (id, offset) => {
      const interner = new IdInterner();
      const bytes = Buffer.concat([Buffer.alloc(offset, "x"), Buffer.from(id), Buffer.from("tail")]);
      expect(interner.internText(id)).toBe(interner.internBytes(bytes, offset, bytes.length - 4));
    }),
  );
});

test("ids that are not there have index -1", () => {
  const { table } = internAll(["b", "bb", "\ufffd"]);
  for (const absent of ["", "a", "ba", "bbb", "c", "\ud800", "\udfff"]) expect(table.indexOf(absent)).toBe(-1);
  expect(internAll([]).table.indexOf("")).toBe(-1);
});

test("five thousand ids survive every growth of the tables", () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `id-${(index * 7919) % 5_000}`);
  const { table, numbers } = internAll([...ids, ...ids]);
  expect(numbers.slice(5_000)).toEqual(numbers.slice(0, 5_000));
  expect([...table]).toEqual(ids.toSorted(byBytes));
});

test("an id longer than the buffers is kept whole, one above 65,536 bytes refused", () => {
  const long = "日本語😀".repeat(5_000);
  const { table } = internAll(["a", long, "z"]);
  expect(table.get(table.indexOf(long))).toBe(long);
  expect(() => internAll(["x".repeat(65_537)])).toThrow(expect.objectContaining({ code: "INPUT_TOO_LARGE" }));
});

test("an id of 65,536 bytes is taken, also from far behind in its source; one of 65,537 is told its length", () => {
  const interner = new IdInterner();
  const source = new Uint8Array(2 * 65_536).fill(0x78);
  expect(interner.internBytes(source, 65_536, 2 * 65_536)).toBe(0);
  expect(interner.internText("x".repeat(65_536))).toBe(0);
  expect(() => interner.internBytes(source, 65_535, 2 * 65_536)).toThrow("an id of 65537 bytes");
});

test("half a surrogate pair is refused as text, invalid UTF-8 as bytes", () => {
  const interner = new IdInterner();
  for (const text of ["\ud800", "a\udfff", "\udc00\ud800"]) {
    expect(() => interner.internText(text)).toThrow(expect.objectContaining({ code: "INPUT_MALFORMED" }));
  }
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    expect(() => interner.internBytes(Uint8Array.from(bytes), 0, bytes.length)).toThrow(TypeError);
  }
  expect(interner.length).toBe(0);
});

test("a table of bytes refuses an id above 65,536 bytes as well", () => {
  const table = IdTable.ofBytes(new TextEncoder().encode("aéz"), [0, 1, 2, 1]);
  expect([...table]).toEqual(["", "a", "é", "z"]);
  expect(() => IdTable.ofBytes(new Uint8Array(65_537), [65_537])).toThrow(
    expect.objectContaining({ code: "INPUT_TOO_LARGE" }),
  );
  expect(IdTable.ofBytes(new Uint8Array(65_536), [65_536]).get(0)).toHaveLength(65_536);
});

test("a table of bytes refuses 4 GiB of them", () => {
  // Stands in for so many: it only says that it is so long.
  const ofLength = (length: number): Uint8Array =>
    Object.defineProperty(new Uint8Array(0), "length", { value: length });
  expect(() => IdTable.ofBytes(ofLength(2 ** 32), [])).toThrow(
    expect.objectContaining({ code: "INPUT_TOO_LARGE", message: expect.stringContaining("4 GiB") }),
  );
  expect(IdTable.ofBytes(ofLength(2 ** 32 - 1), [])).toHaveLength(0);
});

test("compareIds has the sign of Buffer.compare", () => {
  const short = fc.string({ unit: fc.constantFrom("a", "b", "é", "\uffff", "\u{10000}"), maxLength: 3 });
  fc.assert(
    fc.property(fc.oneof(short, wellFormed), fc.oneof(short, wellFormed), (left, right) => {
      expect(Math.sign(compareIds(left, right))).toBe(byBytes(left, right));
      expect(Math.sign(compareIds(left, `${left}${right}`))).toBe(right === "" ? 0 : -1);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["of one length", "declinate", "macallums"],
  ["of two lengths", "costarring", "liquid"],
  ["of which one is empty", "fayphcw", ""],
])("ids %s whose hashes are equal are two ids", (_, left, right) => {
  const fnv = (text: string): number =>
    [...new TextEncoder().encode(text)].reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5) >>> 0;
  expect(fnv(left)).toBe(fnv(right));
  const interner = new IdInterner();
  expect([left, right, left, right].map((id) => interner.internText(id))).toEqual([0, 1, 0, 1]);
});
