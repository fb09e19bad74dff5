/** Ids that may be one person's, against comparing all with all. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { occupancyFromTriples } from "./builder.ts";
import { findIdsAlike, type IdsAlike } from "./ids-alike.ts";

function found(ids: Iterable<string>, options?: { mostIds: number }): IdsAlike {
  return findIdsAlike(occupancyFromTriples([...new Set(ids)].map((id) => [id, "g", 1])).users, options);
}

test.each([
  ["case", "AB123", "ab123"],
  ["spaces", "AB 123", "ab123"],
  ["punctuation", "GJ-05-SL-1082", "GJ05SL1082"],
  ["digits set off", "1234 5678", "12345678"],
  ["other separators", "12-34", "12.34"],
  ["Unicode form", "Jos\u00e9", "Jose\u0301"],
  ["full-width letters", "\uff21\uff22\uff11", "ab1"],
  ["a zero-width space", "bus\u200b7", "bus7"],
  ["a byte order mark", "\ufeffbus7", "bus7"],
  ["a space that does not break", "bus\u00a07", "bus 7"],
  ["case outside of ASCII", "ÜNAL", "ünal"],
  ["digits set off by a byte that sorts last", "12345", "1234_5"],
  ["a sign in front of separated digits", "-1-23", "1-23"],
  ["a sign behind separated digits", "1-23-", "1-23"],
  ["a separator written twice", "1--23", "1-23"],
  ["a separator beside a letter", "1-2a3", "12-a3"],
  ["a brace", "a{1", "a1"],
  ["a colon", "a:1", "a1"],
  ["the first and last of letters and digits", "azAZ09", "\uff41zAZ09"],
])("%s", (_, left, right) => {
  const { pairs, example, oneIn } = found([left, right, "somebody else"]);
  expect({ pairs, oneIn }).toEqual({ pairs: 1, oneIn: 1 });
  expect(new Set(example)).toEqual(new Set([left, right]));
});

test.each([
  ["numbers of two parts", "1-23", "12-3"],
  ["other letters", "bus-7", "bus-8"],
  ["accents", "Jose", "José"],
  ["nothing but punctuation", "--", "-"],
  ["nothing at all", "", " "],
  ["signs", "+", "-"],
])("%s are two", (_, left, right) => {
  expect(found([left, right])).toEqual({ pairs: 0, example: null, oneIn: 1 });
});

test("counts every id beyond the first, and shows the first two by bytes", () => {
  expect(found(["ab 1", "AB1", "ab-1", "x"])).toEqual({ pairs: 2, example: ["AB1", "ab 1"], oneIn: 1 });
});

test("nobody is like nobody", () => {
  expect(found([])).toEqual({ pairs: 0, example: null, oneIn: 1 });
});

test("ids whose hashes are equal are not alike for that, and what is like one of them is found", () => {
  // One FNV-1a hash; ids.test.ts works it out.
  expect(found(["declinate", "macallums"]).pairs).toBe(0);
  expect(found(["declinate", "macallums", "Macallums", "de-clinate"]).pairs).toBe(2);
});

const idText = fc
  .array(fc.constantFrom("a", "A", "b", "é", "e\u0301", " ", "-", "1", "\u200b", "２"), { maxLength: 4 })
  .map((parts) => parts.join(""));

test("finds nothing that plain comparison does not, and something wherever it does", () => {
  const bare = (id: string): string => {
    const kept = id
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[\s\u200b-]/g, "");
    return kept === "" ? id : kept;
  };
  fc.assert(
    fc.property(fc.uniqueArray(idText, { minLength: 2, maxLength: 12 }), (ids) => {
      // No two digits stand beside one another with something between: those have a rule of their own.
      const plain = ids.filter((id) => !/\p{N}\P{N}+\p{N}/u.test(id.normalize("NFKC")));
      fc.pre(plain.length > 0);
      expect(found(plain).pairs).toBe(plain.length - new Set(plain.map(bare)).size);
    }),
  );
});

test("beyond what it may hold it looks at a part, and at all that are alike there", () => {
  const ids = Array.from({ length: 4000 }, (_, index) => [`bus ${index}`, `BUS${index}`]).flat();
  const { pairs, oneIn } = found(ids, { mostIds: 1000 });
  expect(oneIn).toBe(8);
  expect(found(ids, { mostIds: 8000 })).toMatchObject({ pairs: 4000, oneIn: 1 });
  // 500 expected; the hashes are fixed, so this is no matter of chance.
  expect(pairs).toBeGreaterThan(350);
  expect(pairs).toBeLessThan(650);
});
