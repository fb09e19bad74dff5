/** Checks that a recipe survives its way through a plan, in one canonical form only. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import { parseRecipe, type RecipeFlags } from "./recipe.ts";
import { readRecipe, recipeJson } from "./recipe-json.ts";

const ORDER =
  "user value by lat lon point cell h3 time timeFormat slot tz from to hours emptyUser dedupe missing minUsers top".split(
    " ",
  );
const FULL: RecipeFlags = {
  user: "bus",
  value: "speed",
  by: "route",
  point: "where",
  h3: "8",
  time: "t",
  slot: "1h",
  tz: "America/Chicago",
  from: "2016-12-16",
  hours: "9-10",
  dedupe: "trip,t",
  minUsers: "2",
  top: "50",
};

const column = fc
  .string({ unit: "binary", minLength: 1, maxLength: 8 })
  .filter((name) => name.trim() === name && !name.includes(","));
const instant = fc
  .date({ min: new Date("0200-01-01T00:00Z"), max: new Date("9998-12-31T00:00Z"), noInvalidDate: true })
  .chain((date) => {
    const iso = date.toISOString();
    return fc.constantFrom(
      iso.slice(0, 10),
      iso.slice(0, 16),
      `${iso.slice(0, 16)}+05:30`,
      iso,
      `${iso.slice(0, 19)}.000001-06:00`,
    );
  });
const clock = fc
  .tuple(fc.nat({ max: 23 }), fc.option(fc.nat({ max: 59 })))
  .map(([hour, minute]) => (minute === null ? `${hour}` : `${hour}:${String(minute).padStart(2, "0")}`));
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });
const whole = fc.integer({ min: 1, max: 2 ** 31 }).map(String);

const place: fc.Arbitrary<RecipeFlags> = fc.oneof(
  fc.constant({}),
  fc.record({ lat: column, lon: column, h3: fc.nat({ max: 15 }).map(String) }),
  fc.record({ point: column, h3: fc.nat({ max: 15 }).map(String) }),
  fc.record({ cell: column, h3: maybe(fc.nat({ max: 15 }).map(String)) }),
);
const time: fc.Arbitrary<RecipeFlags> = fc.oneof(
  fc.constant({}),
  fc.record({
    time: column,
    timeFormat: maybe(fc.constantFrom("auto", "iso", "epoch-s", "epoch-ms", "dd/mm/yyyy", "mm-dd-yyyy", "yyyy.mm.dd")),
    slot: maybe(fc.constantFrom("1s", "90s", "15m", "15min", "60m", "1h", "5h", "24h", "1d", "7d", "1w")),
    tz: maybe(fc.constantFrom("UTC", "Z", "+05:30", "-0600", "America/Chicago", "Europe/Berlin")),
    from: maybe(instant),
    to: maybe(instant),
    hours: maybe(fc.tuple(clock, clock).map(([from, to]) => `${from}-${to}`)),
  }),
);
const options: fc.Arbitrary<RecipeFlags> = fc
  .tuple(
    fc.record({
      user: column,
      value: column,
      by: maybe(fc.uniqueArray(column, { minLength: 1, maxLength: 3 }).map((names) => names.join(" ,"))),
      dedupe: maybe(fc.uniqueArray(column, { minLength: 1, maxLength: 3 }).map((names) => names.join(","))),
      emptyUser: maybe(fc.constantFrom("refuse", "one", "drop")),
      missing: maybe(fc.constantFrom("refuse", "midpoint", "drop")),
      minUsers: maybe(whole),
      top: maybe(whole),
    }),
    place,
    time,
  )
  .map((parts) => Object.assign({}, ...parts));

test("recipe, text, recipe: the same again, and its text the same again", () => {
  let recipes = 0;
  fc.assert(
    fc.property(options, (given) => {
      let recipe: ReturnType<typeof parseRecipe>;
      try {
        recipe = parseRecipe(given);
      } catch (error) {
        expect(error).toBeInstanceOf(VeilgridError);
        return;
      }
      recipes += 1;
      const json = recipeJson(recipe);
      const keys = Object.keys(json);
      expect(keys).toEqual(ORDER.filter((key) => keys.includes(key)));
      const text = JSON.stringify(json);
      const again = readRecipe(JSON.parse(text));
      expect(again).toEqual(recipe);
      expect(JSON.stringify(recipeJson(again))).toBe(text);
    }),
    { numRuns: 800 },
  );
  expect(recipes).toBeGreaterThan(150);
});

test("what a plan carries, word for word", () => {
  expect(JSON.stringify(recipeJson(parseRecipe(FULL)))).toBe(
    '{"user":"bus","value":"speed","by":"route","point":"where","h3":"8","time":"t","timeFormat":"auto","slot":"1h",' +
      '"tz":"America/Chicago","from":"2016-12-16T06:00:00Z","hours":"9-10","dedupe":"trip,t","missing":"refuse","minUsers":"2","top":"50"}',
  );
  expect(recipeJson(parseRecipe({ user: "u", value: "v", by: "g" }))).toEqual({
    user: "u",
    value: "v",
    by: "g",
    missing: "refuse",
    minUsers: "1",
  });
});

test("a rule for records without a user is written where there is one: plans without it keep their bytes", () => {
  const least = { user: "u", value: "v", by: "g" };
  for (const emptyUser of ["one", "drop"])
    expect(JSON.stringify(recipeJson(parseRecipe({ ...least, emptyUser })))).toBe(
      `{"user":"u","value":"v","by":"g","emptyUser":"${emptyUser}","missing":"refuse","minUsers":"1"}`,
    );
  const refused = recipeJson(parseRecipe({ ...least, emptyUser: "refuse" }));
  expect(JSON.stringify(refused)).toBe(JSON.stringify(recipeJson(parseRecipe(least))));
  expect(() => readRecipe({ ...refused, emptyUser: "refuse" })).toThrow(/./);
});

test.each<[RecipeFlags, RecipeFlags]>([
  [{ slot: "60m" }, { slot: "1h" }],
  [{ slot: "24h" }, { slot: "1d" }],
  [{ slot: "7d" }, { slot: "1w" }],
  [{ hours: "09:00-10:00" }, { hours: "9-10" }],
  [{ from: "2016-12-16T00:00-06:00" }, { from: "2016-12-16" }],
  [{ from: "2016-12-16T06:00:00.0Z" }, { from: "2016-12-16" }],
  [
    { tz: "Z", from: undefined },
    { tz: "UTC", from: undefined },
  ],
  [{ dedupe: " trip , t " }, { dedupe: "trip,t" }],
  [{ minUsers: "002" }, { minUsers: "2" }],
  [{ missing: "refuse" }, {}],
  [{ timeFormat: "auto" }, {}],
])("%j is written as %j is", (left, right) => {
  const text = (options: RecipeFlags): string => JSON.stringify(recipeJson(parseRecipe({ ...FULL, ...options })));
  expect(text(left)).toBe(text(right));
});

describe("readRecipe refuses", () => {
  const canonical = recipeJson(parseRecipe(FULL));

  test.each<[what: string, json: Record<string, unknown>]>([
    ["an unknown key", { ...canonical, color: "red" }],
    ["a key of every object", JSON.parse(`{"__proto__":"x",${JSON.stringify(canonical).slice(1)}`)],
    ["a number where text is due", { ...canonical, top: 50 }],
    ["null where text is due", { ...canonical, dedupe: null }],
    ["a list where text is due", { ...canonical, by: ["route"] }],
    ["other spelling", { ...canonical, slot: "60m" }],
    ["hours with a zero", { ...canonical, hours: "09-10" }],
    ["a local instant", { ...canonical, from: "2016-12-16" }],
    ["an instant with offset", { ...canonical, from: "2016-12-16T00:00:00-06:00" }],
    ["spaces in a list", { ...canonical, dedupe: "trip, t" }],
    ["zeros before a number", { ...canonical, minUsers: "02" }],
    ["what goes without saying left out", { ...canonical, missing: undefined, minUsers: "2" }],
    ["other order", Object.fromEntries(Object.entries(canonical).reverse())],
  ])("%s", (_, json) => {
    // As it would come out of a file.
    expect(() => readRecipe(JSON.parse(JSON.stringify(json)))).toThrow(
      expect.objectContaining({ code: "PLAN_MALFORMED" }),
    );
  });

  test.each<[what: string, json: Record<string, unknown>]>([
    ["no value column", { ...canonical, value: undefined }],
    ["no grids", { user: "u", value: "v", missing: "refuse", minUsers: "1" }],
    ["an unknown slot", { ...canonical, slot: "2d" }],
    ["an unknown zone", { ...canonical, tz: "Mars/Olympus" }],
    ["a time that is none", { ...canonical, from: "2016-02-30T00:00:00Z" }],
    ["hexagons of no size", { ...canonical, h3: "16" }],
  ])("%s, as a malformed plan", (_, json) => {
    expect(() => readRecipe(JSON.parse(JSON.stringify(json)))).toThrow(
      expect.objectContaining({ code: "PLAN_MALFORMED" }),
    );
  });
});

test.each(["9999-12-31T23:59-01:00", "0100-01-01T00:00+01:00"])("--from %s is refused or can be read again", (from) => {
  const options = { user: "u", value: "v", by: "g", time: "t", from };
  let recipe: ReturnType<typeof parseRecipe>;
  try {
    recipe = parseRecipe(options);
  } catch (error) {
    expect(error).toMatchObject({ code: "PARAMETER_INVALID" });
    return;
  }
  expect(readRecipe(recipeJson(recipe))).toEqual(recipe);
});
