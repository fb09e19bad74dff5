/** Checks stored cells against the H3 library: which numbers are cells, what they are written like, and their parents. */
import fc from "fast-check";
import { cellToParent, getPentagons, getRes0Cells, getResolution, isValidCell, latLngToCell } from "h3-js";
import { describe, expect, test } from "vitest";
import { evaluate, holds } from "./expression.ts";
import { readCell, STORED_CELL, storedCellExpression, storedCellIsSound } from "./stored-cell.ts";

const fieldsOf = (number: bigint) => ({ integers: { [STORED_CELL]: number } });
const isCell = (number: bigint, coarsest: number | null = null): boolean =>
  holds(storedCellIsSound(coarsest), fieldsOf(number));
const numberOf = (cell: string): bigint => BigInt(`0x${cell}`);

/** Anywhere, pentagons' surroundings among them. */
const cell = fc
  .tuple(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.nat({ max: 15 }),
  )
  .map(([lat, lon, resolution]) => latLngToCell(lat, lon, resolution));

describe("a number is a cell where the library says so", () => {
  test("cells everywhere, and the same with a digit, the base cell, the resolution or any bit changed", () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant("digit"), at: fc.nat({ max: 14 }), to: fc.bigInt({ min: 0n, max: 7n }) }),
      fc.record({ kind: fc.constant("base"), at: fc.constant(0), to: fc.bigInt({ min: 0n, max: 127n }) }),
      fc.record({ kind: fc.constant("resolution"), at: fc.constant(0), to: fc.bigInt({ min: 0n, max: 15n }) }),
      fc.record({ kind: fc.constant("bit"), at: fc.nat({ max: 62 }), to: fc.constant(0n) }),
    );
    const [valid, invalid] = [new Set<string>(), new Set<string>()];
    fc.assert(
      fc.property(cell, fc.array(change, { maxLength: 2 }), (whole, changes) => {
        let number = numberOf(whole);
        for (const { kind, at, to } of changes) {
          const place =
            kind === "digit" ? BigInt(3 * at) : kind === "base" ? 45n : kind === "resolution" ? 52n : BigInt(at);
          const bits = kind === "digit" ? 7n : kind === "base" ? 127n : kind === "resolution" ? 15n : 1n;
          number = kind === "bit" ? number ^ (1n << place) : (number & ~(bits << place)) | (to << place);
        }
        const expected = isValidCell(number.toString(16));
        (expected ? valid : invalid).add(String(number));
        expect(isCell(number), number.toString(16)).toBe(expected);
      }),
      { numRuns: 5000 },
    );
    expect(Math.min(valid.size, invalid.size)).toBeGreaterThan(500);
  });

  test("all digits of two resolutions in a pentagon, and every base cell", () => {
    const [pentagon] = getPentagons(2);
    const base = numberOf(pentagon!);
    let found = 0;
    for (let digits = 0n; digits < 64n; digits++) {
      const number = (base & ~(63n << 39n)) | (digits << 39n);
      expect(isCell(number)).toBe(isValidCell(number.toString(16)));
      found += Number(isCell(number));
    }
    expect(found).toBe(1 + 5 + 5 * 7); // the pentagon itself, round it, and in each of the five around it seven
    const first = numberOf(getRes0Cells()[0]!) & ~(127n << 45n);
    for (let at = 0n; at < 128n; at++) expect(isCell(first | (at << 45n))).toBe(at < 122n);
  });

  test("numbers of no cell's size", () => {
    for (const number of [0n, 1n, -1n, 7n << 56n, 9n << 56n, 2n ** 62n]) expect(isCell(number)).toBe(false);
  });

  test("a coarsest resolution refuses what is coarser", () => {
    fc.assert(
      fc.property(cell, fc.nat({ max: 15 }), (whole, coarsest) => {
        expect(isCell(numberOf(whole), coarsest)).toBe(getResolution(whole) >= coarsest);
      }),
    );
  });
});

test("the cell around one is the library's parent; without a resolution it is itself", () => {
  fc.assert(
    fc.property(cell, fc.nat({ max: 15 }), (whole, drawn) => {
      const wanted = Math.min(drawn, getResolution(whole));
      const parent = evaluate(storedCellExpression(wanted), fieldsOf(numberOf(whole)));
      expect(parent.toString(16)).toBe(cellToParent(whole, wanted));
      expect(evaluate(storedCellExpression(null), fieldsOf(numberOf(whole)))).toBe(numberOf(whole));
    }),
  );
});

describe("text is read as a cell", () => {
  test("in hexadecimal of either case, in decimal, with spaces around", () => {
    fc.assert(
      fc.property(cell, (whole) => {
        const expected = { number: numberOf(whole), resolution: getResolution(whole) };
        for (const text of [whole, whole.toUpperCase(), ` ${whole} `, String(numberOf(whole))])
          expect(readCell(text)).toEqual(expected);
        for (const text of [`0x${whole}`, `0${whole}`, `+${numberOf(whole)}`, `0${numberOf(whole)}`, `${whole}\n`])
          expect(readCell(text)).toBeUndefined();
      }),
    );
  });

  test.each([
    "",
    "hexagon",
    "8",
    "88754e6499ffff",
    "88754e6499fffff0",
    "88754e6499ffffg",
    "614553222213795_39",
    "6.1e17",
  ])("%j is none", (text) => {
    expect(readCell(text)).toBeUndefined();
  });
});
