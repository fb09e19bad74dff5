/** Checks that grid ids lead back to their parts, whatever text is in them, and that no two grids share an id. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePart, encodePart, gridId, parseGridId } from "./grid-id.ts";

const tricky = fc
  .array(fc.constantFrom("%", "/", "2", "5", "F", "f", "%2F", "%25", "%null", "null", "a", "é", "😀"), { maxLength: 6 })
  .map((pieces) => pieces.join(""));
const part = fc.oneof(fc.constant(null), tricky, fc.string({ unit: "binary" }));

test.each([
  ["a", "a"],
  ["", ""],
  ["a/b", "a%2Fb"],
  ["100%", "100%25"],
  ["%2F", "%252F"],
  ["null", "null"],
  ["%null", "%25null"],
  [null, "%null"],
  ["2016-12-16T09:00-06:00", "2016-12-16T09:00-06:00"],
])("%j is written %s", (text, written) => {
  expect(encodePart(text)).toBe(written);
  expect(decodePart(written)).toBe(text);
});

test("any part leads back to itself and holds no slash", () => {
  fc.assert(
    fc.property(part, (text) => {
      expect(encodePart(text)).not.toContain("/");
      expect(decodePart(encodePart(text))).toBe(text);
    }),
    { numRuns: 1000 },
  );
});

test("columns, cell and slot come back from an id in this order", () => {
  const shaped = fc.record({
    columns: fc.array(part, { maxLength: 3 }),
    cell: fc.option(part, { nil: undefined }),
    slot: fc.option(part, { nil: undefined }),
  });
  fc.assert(
    fc.property(shaped, ({ columns, cell, slot }) => {
      const parts = [...columns, ...(cell === undefined ? [] : [cell]), ...(slot === undefined ? [] : [slot])];
      fc.pre(parts.length > 0);
      const shape = { columns: columns.length, cell: cell !== undefined, slot: slot !== undefined };
      expect(parseGridId(gridId(parts), shape)).toEqual({ columns, cell, slot });
    }),
    { numRuns: 500 },
  );
});

test("two lists of parts share an id only if they are the same list", () => {
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(parts, parts, (left, right) => {
      expect(gridId(left) === gridId(right)).toBe(JSON.stringify(left) === JSON.stringify(right));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["a", 2],
  ["a/b/c", 2],
  ["", 2],
])("%j is refused where %d parts are due", (id, columns) => {
  expect(() => parseGridId(id, { columns, cell: false, slot: false })).toThrow(
    expect.objectContaining({ code: "INPUT_MALFORMED", message: `grid '${id}' is not an id of this partition` }),
  );
});
