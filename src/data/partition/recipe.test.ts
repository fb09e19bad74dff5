/** Checks the recipe that flags give, and that each wrong flag is answered by one clear line. */
import { describe, expect, test } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import { parseRecipe, partitionDepth, type RecipeFlags, recipeColumns } from "./recipe.ts";
import { HOUR, MINUTE } from "./time-zone.ts";

const LEAST: RecipeFlags = { user: "bus", value: "speed", by: "route" };

function refusalOf(options: RecipeFlags): VeilgridError {
  try {
    parseRecipe(options);
  } catch (error) {
    if (!(error instanceof VeilgridError)) throw error;
    expect(error.message).not.toMatch(/\p{Cc}/u);
    return error;
  }
  throw new Error(`accepted: ${JSON.stringify(options)}`);
}

test("the least that is needed, and what the rest is then", () => {
  expect(parseRecipe(LEAST)).toEqual({
    user: "bus",
    value: "speed",
    by: ["route"],
    place: null,
    time: null,
    emptyUser: "refuse",
    dedupe: null,
    missing: "refuse",
    minUsers: 1,
    top: null,
  });
});

test("everything at once", () => {
  const recipe = parseRecipe({
    user: "bus",
    value: "speed",
    by: "route, direction",
    lat: "y",
    lon: "x",
    h3: "8",
    time: "t",
    timeFormat: "dd.mm.yyyy",
    slot: "15m",
    tz: "-06:00",
    from: "2016-12-16",
    to: "2016-12-17T00:00Z",
    hours: "7:30-9",
    emptyUser: "drop",
    dedupe: "trip ,t",
    missing: "midpoint",
    minUsers: "3",
    top: "50",
  });
  expect(recipe).toEqual({
    user: "bus",
    value: "speed",
    by: ["route", "direction"],
    place: { kind: "columns", latitude: "y", longitude: "x", resolution: 8 },
    time: {
      column: "t",
      format: "date:dd.mm.yyyy",
      zone: { name: "-06:00", firstOffset: -6n * HOUR, transitions: [] },
      slot: { kind: "part", length: 15n * MINUTE },
      from: BigInt(Date.parse("2016-12-16T06:00Z")) * 1000n,
      to: BigInt(Date.parse("2016-12-17T00:00Z")) * 1000n,
      hours: { from: 450n * MINUTE, to: 9n * HOUR },
    },
    emptyUser: "drop",
    dedupe: ["trip", "t"],
    missing: "midpoint",
    minUsers: 3,
    top: 50,
  });
  expect(partitionDepth(recipe)).toEqual({ columns: 2, cell: true, slot: true });
  expect(recipeColumns(recipe).map(({ flag, column }) => `${flag} ${column}`)).toEqual([
    "--user bus",
    "--value speed",
    "--by route",
    "--by direction",
    "--lat y",
    "--lon x",
    "--time t",
    "--dedupe trip",
    "--dedupe t",
  ]);
});

test("a cell in one column, as stored or at a resolution; either is a whole partition", () => {
  const recipe = parseRecipe({ user: "u", value: "v", cell: "hexagon" });
  expect(recipe.place).toEqual({ kind: "cell", column: "hexagon", resolution: null });
  expect(recipeColumns(recipe).map(({ flag }) => flag)).toEqual(["--user", "--value", "--cell"]);
  expect(partitionDepth(recipe)).toEqual({ columns: 0, cell: true, slot: false });
  expect(parseRecipe({ user: "u", value: "v", cell: "hexagon", h3: "7" }).place).toEqual({
    kind: "cell",
    column: "hexagon",
    resolution: 7,
  });
});

test("a point in one column; time that only orders is no part of the grid", () => {
  const recipe = parseRecipe({ user: "u", value: "v", point: "where", h3: "0", time: "t" });
  expect(recipe.place).toEqual({ kind: "point", column: "where", resolution: 0 });
  expect(recipe.time!.zone.name).toBe("UTC");
  expect(recipe.time!.format).toBe("auto");
  expect(partitionDepth(recipe)).toEqual({ columns: 0, cell: true, slot: false });
  expect(recipeColumns(recipe).map(({ flag }) => flag)).toEqual(["--user", "--value", "--point", "--time"]);
});

test("time slots alone make grids", () => {
  const recipe = parseRecipe({ user: "u", value: "v", time: "t", slot: "1d" });
  expect(partitionDepth(recipe)).toEqual({ columns: 0, cell: false, slot: true });
});

test.each(["iso", "epoch-s", "epoch-ms", "auto"])("--time-format %s", (timeFormat) => {
  expect(parseRecipe({ ...LEAST, time: "t", timeFormat }).time!.format).toBe(timeFormat);
});

test.each([
  "dd/mm/yyyy",
  "mm/dd/yyyy",
  "yyyy/mm/dd",
  "dd.mm.yyyy",
  "mm-dd-yyyy",
  "yyyy.mm.dd",
])("--time-format %s", (timeFormat) =>
  expect(parseRecipe({ ...LEAST, time: "t", timeFormat }).time!.format).toBe(`date:${timeFormat}`));

test.each([
  ["9-10", 540, 600],
  ["09:00-10:00", 540, 600],
  ["7:30-9", 450, 540],
  ["22-6", 1320, 360],
  ["22-24", 1320, 1440],
  ["0-24", 0, 1440],
  ["0-0:01", 0, 1],
  ["23:59-24:00", 1439, 1440],
])("--hours %s", (hours, from, to) => {
  const parsed = parseRecipe({ ...LEAST, time: "t", hours }).time!.hours;
  expect(parsed).toEqual({ from: BigInt(from) * MINUTE, to: BigInt(to) * MINUTE });
});

describe("wrong flags", () => {
  test.each<[what: string, options: RecipeFlags, code: string, message: RegExp]>([
    ["no user", { ...LEAST, user: undefined }, "USAGE", /^--user is missing: .*veilgrid survey FILE/],
    ["an empty user", { ...LEAST, user: "" }, "USAGE", /^--user is missing/],
    ["no value", { ...LEAST, value: undefined }, "USAGE", /^--value is missing: .*veilgrid survey FILE/],
    ["no grids", { ...LEAST, by: undefined }, "USAGE", /^the grids are missing: give --by COL, or /],
    ["time without slot only", { user: "u", value: "v", time: "t" }, "USAGE", /^the grids are missing/],
    ["grids by the value", { ...LEAST, by: "route,speed" }, "USAGE", /^--by names the value column/],
    ["value as user", { ...LEAST, user: "speed" }, "USAGE", /^--user names the value column/],
    ["value as key", { ...LEAST, dedupe: "trip,speed" }, "USAGE", /^--dedupe names the value column/],
    ["an empty list", { ...LEAST, by: "" }, "USAGE", /^--by '' has an empty name in it$/],
    ["a gap in a list", { ...LEAST, by: "a,,b" }, "USAGE", /^--by 'a,,b' has an empty name in it$/],
    ["a name twice", { ...LEAST, by: "a, b,a" }, "USAGE", /^--by 'a, b,a' names a column twice$/],
    ["an empty key", { ...LEAST, dedupe: "" }, "USAGE", /^--dedupe '' has an empty name in it$/],
    ["a key twice", { ...LEAST, dedupe: "t,t" }, "USAGE", /^--dedupe 't,t' names a column twice$/],
    [
      "h3 without place",
      { ...LEAST, h3: "8" },
      "USAGE",
      /^--h3 needs a place: --lat COL --lon COL, --point COL, or --cell COL$/,
    ],
    ["place without h3", { ...LEAST, lat: "a", lon: "o" }, "USAGE", /^--h3 is missing: .*0 to 15/],
    ["point without h3", { ...LEAST, point: "p" }, "USAGE", /^--h3 is missing/],
    ["lat alone", { ...LEAST, lat: "a", h3: "8" }, "USAGE", /^--lat and --lon go together$/],
    ["lon alone", { ...LEAST, lon: "o", h3: "8" }, "USAGE", /^--lat and --lon go together$/],
    ["point and lat", { ...LEAST, point: "p", lat: "a", h3: "8" }, "USAGE", /^--lat\/--lon and --point say the same/],
    [
      "cell and lon",
      { ...LEAST, cell: "c", lon: "o" },
      "USAGE",
      /^--lat\/--lon and --cell say the same thing; give one/,
    ],
    ["cell and point", { ...LEAST, cell: "c", point: "p", h3: "8" }, "USAGE", /^--point and --cell say the same thing/],
    ["h3 of a cell", { ...LEAST, cell: "c", h3: "16" }, "PARAMETER_INVALID", /^--h3 '16' must be .* from 0 to 15$/],
    ["h3 of 16", { ...LEAST, point: "p", h3: "16" }, "PARAMETER_INVALID", /^--h3 '16' must be .* from 0 to 15$/],
    ["h3 of -1", { ...LEAST, point: "p", h3: "-1" }, "PARAMETER_INVALID", /^--h3 '-1' must be a whole number/],
    ["h3 of 8.5", { ...LEAST, point: "p", h3: "8.5" }, "PARAMETER_INVALID", /^--h3 '8.5' must be a whole number/],
    ["slot without time", { ...LEAST, slot: "1h" }, "USAGE", /^--slot needs --time COL$/],
    ["tz without time", { ...LEAST, tz: "UTC" }, "USAGE", /^--tz needs --time COL$/],
    ["from without time", { ...LEAST, from: "2016-12-16" }, "USAGE", /^--from needs --time COL$/],
    ["to without time", { ...LEAST, to: "2016-12-16" }, "USAGE", /^--to needs --time COL$/],
    ["hours without time", { ...LEAST, hours: "9-10" }, "USAGE", /^--hours needs --time COL$/],
    ["format without time", { ...LEAST, timeFormat: "iso" }, "USAGE", /^--time-format needs --time COL$/],
    ["a bad slot", { ...LEAST, time: "t", slot: "2d" }, "PARAMETER_INVALID", /^--slot '2d' is unknown; write 15m/],
    ["a bad zone", { ...LEAST, time: "t", tz: "CEST?" }, "PARAMETER_INVALID", /^--tz 'CEST\?' is no time zone; write/],
    ["a bad from", { ...LEAST, time: "t", from: "16.12." }, "PARAMETER_INVALID", /^--from '16.12.' is not a time; /],
    ["a bad to", { ...LEAST, time: "t", to: "2016-02-30" }, "PARAMETER_INVALID", /^--to '2016-02-30' is not a time; /],
    [
      "from at to",
      { ...LEAST, time: "t", from: "2016-01-01", to: "2016-01-01" },
      "USAGE",
      /^--from is not before --to/,
    ],
    ["from after to", { ...LEAST, time: "t", from: "2017-01-01", to: "2016-01-01" }, "USAGE", /^--from is not before/],
    [
      "a bad format",
      { ...LEAST, time: "t", timeFormat: "dd/mm.yyyy" },
      "PARAMETER_INVALID",
      /^--time-format 'dd\/mm.yyyy'/,
    ],
    ["an inner format", { ...LEAST, time: "t", timeFormat: "date:dd/mm/yyyy" }, "PARAMETER_INVALID", /^--time-format/],
    [
      "a bad missing",
      { ...LEAST, missing: "zero" },
      "USAGE",
      /^--missing 'zero' is unknown; use refuse, midpoint, drop$/,
    ],
    [
      "a bad rule for records without a user",
      { ...LEAST, emptyUser: "midpoint" },
      "USAGE",
      /^--empty-user 'midpoint' is unknown; use refuse, one, drop$/,
    ],
    [
      "no users",
      { ...LEAST, minUsers: "0" },
      "PARAMETER_INVALID",
      /^--min-users '0' must be a whole number from 1 to 2147483648$/,
    ],
    ["half a user", { ...LEAST, minUsers: "1.5" }, "PARAMETER_INVALID", /^--min-users '1.5' must be a whole number/],
    [
      "no grids asked",
      { ...LEAST, top: "0" },
      "PARAMETER_INVALID",
      /^--top '0' must be a whole number from 1 to 2147483648$/,
    ],
    ["many grids asked", { ...LEAST, top: "99999999999" }, "PARAMETER_INVALID", /^--top '99999999999' must be/],
    [
      "text to steer with",
      { ...LEAST, missing: "a\n\u001b[2J" },
      "USAGE",
      /^--missing 'a\\u000a\\u001b\[2J' is unknown/,
    ],
  ])("%s", (_, options, code, message) => {
    const refusal = refusalOf(options);
    expect(refusal.code).toBe(code);
    expect(refusal.message).toMatch(message);
  });

  test.each([
    "9",
    "9-",
    "-9",
    "9-9",
    "25-26",
    "9-25",
    "24-6",
    "9:60-10",
    "9-24:01",
    "9 - 10",
    "9-10-11",
    "",
  ])("--hours %j is no part of a day", (hours) => {
    const { code, message } = refusalOf({ ...LEAST, time: "t", hours });
    expect(code).toBe("PARAMETER_INVALID");
    expect(message).toMatch(/^--hours '.*' is no part of a day; write 9-10 /);
  });

  test.each<[string, RecipeFlags]>([
    ["--lat", { ...LEAST, lat: "speed", lon: "x", h3: "8" }],
    ["--lon", { ...LEAST, lat: "y", lon: "speed", h3: "8" }],
    ["--point", { ...LEAST, point: "speed", h3: "8" }],
    ["--cell", { ...LEAST, cell: "speed" }],
    ["--time with a slot", { ...LEAST, time: "speed", timeFormat: "epoch-s", slot: "1s" }],
    ["--time with a filter", { ...LEAST, time: "speed", timeFormat: "epoch-s", from: "1970-01-01T00:00:50" }],
  ])("the value column as %s would make values public", (flag, options) => {
    const refusal = refusalOf(options);
    expect(refusal.code).toBe("USAGE");
    expect(refusal.message).toContain(flag.split(" ")[0]);
  });

  test.each<[string, RecipeFlags]>([
    ["--lat", { ...LEAST, lat: "", lon: "x", h3: "8" }],
    ["--lon", { ...LEAST, lat: "y", lon: "", h3: "8" }],
    ["--point", { ...LEAST, point: "", h3: "8" }],
    ["--cell", { ...LEAST, cell: "" }],
    ["--time", { ...LEAST, time: "", slot: "1h" }],
  ])("an empty name for %s is refused", (flag, options) => expect(refusalOf(options).message).toContain(flag));
});
