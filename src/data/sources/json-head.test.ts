/** Checks what is read of the beginning of a JSON file: whole objects only, nested names dotted. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf, flatten, readJsonHead } from "./description.ts";

test("JSON lines, with nested fields flattened and arrays left alone", () => {
  const { rows, paths } = readJsonHead(
    '{"id": 1, "location": {"type": "Point", "coordinates": [77.1, 12.9]}, "speed": null}\n' +
      '{"id": 2, "extra": {"deep": {"er": true}}}\n',
  );
  expect(rows).toEqual([
    { id: 1, "location.type": "Point", "location.coordinates": [77.1, 12.9], speed: null },
    { id: 2, "extra.deep.er": true },
  ]);
  expect(paths.get("location.coordinates")).toEqual(["location", "coordinates"]);
  expect(columnsOf(rows)).toEqual(["id", "location.type", "location.coordinates", "speed", "extra.deep.er"]);
});

test("a JSON array, over many lines", () => {
  const objects = [{ a: 1 }, { a: 2, b: [{ c: 3 }] }];
  expect(readJsonHead(`\uFEFF${JSON.stringify(objects, null, 2)}`).rows).toEqual(objects);
});

test("objects without anything between them", () => {
  expect(readJsonHead('{"a":1}{"a":2}').rows).toEqual([{ a: 1 }, { a: 2 }]);
});

test("braces, brackets, quotes and backslashes inside text are text", () => {
  const objects = [{ a: '}{"]["\\' }, { '"}': "\\" }, { b: '\\"}' }, { c: "\u2028\n" }];
  for (const text of [JSON.stringify(objects), objects.map((each) => JSON.stringify(each)).join("\n")])
    expect(readJsonHead(text).rows).toEqual(objects);
});

test("an object that is cut is left out, wherever it is cut", () => {
  const objects = [{ a: '}"' }, { b: { c: [1, { d: "\\" }] } }, { e: 2 }];
  const text = JSON.stringify(objects);
  const flat = objects.map((each) => flatten(each, new Map()));
  for (let length = 0; length <= text.length; length++) {
    const { rows } = readJsonHead(text.slice(0, length));
    expect(rows).toEqual(flat.slice(0, rows.length));
    const whole = objects.filter((_, index) => JSON.stringify(objects.slice(0, index + 1)).length - 1 <= length);
    expect(rows).toHaveLength(whole.length);
  }
});

test.each(["", "[]", "[1, 2]", "{", '{"a"', "{a: 1}", '[{"a": 1,}]'])("no rows in %j", (text) => {
  const { rows, paths } = readJsonHead(text);
  expect(rows).toEqual([]);
  expect(paths.size).toBe(0);
});

test("reading stops at what is not JSON, and keeps what came before", () => {
  expect(readJsonHead('{"a":1}\n{"a":oops}\n{"a":3}').rows).toEqual([{ a: 1 }]);
});

test("no more than a sample", () => {
  expect(readJsonHead('{"a":1}\n'.repeat(6000)).rows).toHaveLength(5000);
});

test("any objects that were written are read again", () => {
  const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  fc.assert(
    fc.property(fc.array(object, { maxLength: 5 }), fc.boolean(), (objects, lines) => {
      const text = lines ? objects.map((each) => JSON.stringify(each)).join("\n") : JSON.stringify(objects);
      const written = objects.map((each) => JSON.parse(JSON.stringify(each)));
      const { rows, paths } = readJsonHead(text);
      const seen = new Map<string, readonly string[]>();
      expect(rows).toEqual(written.map((each) => flatten(each, seen)));
      expect([...paths]).toEqual([...seen]);
    }),
    { numRuns: 200 },
  );
});

describe("flatten", () => {
  test("dotted names, empty objects gone, nulls and arrays as they are", () => {
    expect(flatten({ a: { b: { c: 1 }, d: null }, e: {}, f: [{ g: 1 }], h: false }, new Map())).toEqual({
      "a.b.c": 1,
      "a.d": null,
      f: [{ g: 1 }],
      h: false,
    });
  });

  test("names appear in the order in which they are first met", () => {
    expect(columnsOf([{ b: 1 }, { a: 1, b: 2 }, { c: 1 }])).toEqual(["b", "a", "c"]);
  });
});

test("a dotted name leads where it came from, and of two that would be alike the second has none", () => {
  const { rows, paths } = readJsonHead('{"p": {"x.y": "Q", "*": 1}, "a.b": {"c": "D"}, "a": {"b.c": "E"}}');
  expect(paths.get("p.x.y")).toEqual(["p", "x.y"]);
  expect(paths.get("a.b.c")).toEqual(["a.b", "c"]);
  expect(rows).toEqual([{ "p.x.y": "Q", "p.*": 1, "a.b.c": "D" }]);
});
