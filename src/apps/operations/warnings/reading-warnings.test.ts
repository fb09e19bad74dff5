/** What a curator is told of ids, users and times, and what not. */
import { describe, expect, test } from "vitest";
import { occupancyFromTriples } from "../../../core/occupancy/index.ts";
import { parseRecipe, type RecipeFlags } from "../../../data/partition/index.ts";
import { boundsWarnings, dwellWarnings, occupancyWarnings } from "./reading-warnings.ts";

const people = (count: number, records: number): Array<[string, string, number]> =>
  Array.from({ length: count }, (_, user) => [`user ${user}`, `grid ${user % 5}`, records]);

describe("users", () => {
  test("people with several records each give no warning", () => {
    expect(occupancyWarnings(occupancyFromTriples(people(60, 3)))).toEqual([]);
  });

  test("an id for every record is told", () => {
    const [warning, ...others] = occupancyWarnings(occupancyFromTriples(people(1500, 1)));
    expect(warning).toMatch(/^1,500 users have 1,500 records, .*\(--user\).*\(--one-record-per-user\)$/);
    expect(others).toEqual([]);
    expect(occupancyWarnings(occupancyFromTriples([...people(99, 1), ["user 0", "grid 9", 4]]))).toHaveLength(1);
    expect(occupancyWarnings(occupancyFromTriples([...people(90, 1), ["user 0", "grid 9", 20]]))).toEqual([]);
  });

  test("one user for all is told", () => {
    expect(
      occupancyWarnings(
        occupancyFromTriples([
          ["bus", "a", 30],
          ["bus", "b", 30],
        ]),
      ),
    ).toEqual([expect.stringMatching(/^all records are of one user/)]);
  });

  test("a handful of records gives none", () => {
    expect(occupancyWarnings(occupancyFromTriples(people(10, 1)))).toEqual([]);
    expect(occupancyWarnings(occupancyFromTriples(people(1, 10)))).toEqual([]);
  });
});

describe("ids", () => {
  test.each(["NA", "\\N", "null", "-", " "])("%j may say that there is none", (id) => {
    const occupancy = occupancyFromTriples([...people(60, 3), [id, "grid 1", 3], [id, "grid 2", 1200]]);
    const [warning, ...others] = occupancyWarnings(occupancy);
    expect(warning).toContain(`1,203 records are of user '${id}', which often means that there is no id`);
    expect(warning).toContain("--empty-user drop");
    expect(others).toEqual([]);
    expect(occupancyWarnings(occupancy, { withoutNames: true })[0]).toMatch(
      /^1,203 records are of a user whose id often/,
    );
  });

  test("those that are alike are counted, with one pair to see", () => {
    const rows = [...people(60, 3), ["AB 123", "grid 1", 3], ["ab123", "grid 1", 3], ["AB-123", "grid 1", 3]] as const;
    expect(occupancyWarnings(occupancyFromTriples(rows))).toEqual([
      "2 user ids differ from another only in case, spaces, punctuation or Unicode form, such as 'AB 123' and 'AB-123': if they are one person, who has a budget for each, write them alike before",
    ]);
  });

  test("nobody is named to those who know users by rank", () => {
    const occupancy = occupancyFromTriples([...people(60, 3), ["AB 123", "grid 1", 3], ["ab123", "grid 1", 3]]);
    const [warning] = occupancyWarnings(occupancy, { withoutNames: true });
    expect(warning).toMatch(/^1 user id differs .* Unicode form \(veilgrid survey shows a pair\): /);
    expect(warning).not.toMatch(/ab ?123/i);
  });

  test.each([
    ["a zero-width space", "bus\u200b7", "bus7", "'bus7' and 'bus\\u200b7'"],
    ["another form", "Jos\u00e9", "Jose\u0301", "'Jose\\u0301' and 'José'"],
    ["a space that does not break", "a\u00a0b", "a b", "'a b' and 'a\\u00a0b'"],
    ["what plays with the terminal", "a\u001b[2Jb", "a[2jb", "'a\\u001b[2Jb' and 'a[2jb'"],
  ])("%s can be seen", (_, one, other, shown) => {
    expect(occupancyWarnings(occupancyFromTriples([...people(60, 3), [one, "g", 3], [other, "g", 3]]))).toEqual([
      expect.stringContaining(
        `1 user id differs from another only in case, spaces, punctuation or Unicode form, such as ${shown}`,
      ),
    ]);
  });
});

describe("counts that are time spent", () => {
  const options: RecipeFlags = {
    user: "bus",
    value: "speed",
    cell: "hexagon",
    time: "at",
    timeFormat: "epoch-s",
    slot: "1h",
  };
  /** Every bus reports every 20 seconds, and is in two hexagons. */
  const rows = Array.from({ length: 400 }, (_, row) => ({
    bus: `bus ${row % 8}`,
    at: 1_000 + 20 * Math.floor(row / 8),
  }));
  const grids = ["8860145a03fffff/1970-01-01T00:00+00:00", "8860145a07fffff/1970-01-01T00:00+00:00"];
  const moving = occupancyFromTriples(rows.map(({ bus, at }) => [bus, grids[at % 40 === 0 ? 0 : 1]!, 1]));
  const warned = (changes: RecipeFlags, occupancy = moving, given: typeof rows = rows): string[] =>
    dwellWarnings(parseRecipe({ ...options, ...changes }), occupancy, given);

  test("are told of, once and with what to do", () => {
    const [warning, ...others] = warned({});
    expect(others).toEqual([]);
    expect(warning).toMatch(/^records of a user come about every 20 s .*; count passages instead: --dedupe/);
    expect(warned({ dedupe: "trip,at" })).toHaveLength(1);
  });

  test("are not, where passages are counted", () => {
    expect(warned({ dedupe: "trip" })).toEqual([]);
  });

  test("are not, where nobody moves", () => {
    const still = occupancyFromTriples(rows.map(({ bus }) => [bus, grids[0]!, 1]));
    expect(warned({}, still)).toEqual([]);
  });

  test("are not, where grids are times only, or records have none", () => {
    const slots = occupancyFromTriples(rows.map(({ bus, at }) => [bus, `slot ${at % 3}`, 1]));
    expect(warned({ cell: undefined }, slots)).toEqual([]);
    const columns = occupancyFromTriples(rows.map(({ bus, at }) => [bus, `shop ${at % 3}`, 1]));
    expect(dwellWarnings(parseRecipe({ user: "bus", value: "speed", by: "shop" }), columns, rows)).toEqual([]);
  });

  test("are not, where the rows do not show who comes when", () => {
    expect(warned({}, moving, [])).toEqual([]);
  });
});

describe("bounds", () => {
  test("with many digits are told, whichever flag gave them", () => {
    expect(boundsWarnings({ bounds: "3.17,61.42" })).toEqual([
      expect.stringMatching(/^the bound '3\.17' has so many digits/),
    ]);
    expect(boundsWarnings({ bounds: "0, 61.42" })).toEqual([expect.stringContaining("'61.42'")]);
    expect(boundsWarnings({ upper: "61.42" })).toHaveLength(1);
  });

  test("that are round are not", () => {
    for (const bounds of ["0,65", "0,65.5", "-40,85", "0.1,1000"]) expect(boundsWarnings({ bounds })).toEqual([]);
    expect(boundsWarnings({ upper: "65" })).toEqual([]);
    expect(boundsWarnings({})).toEqual([]);
  });
});
