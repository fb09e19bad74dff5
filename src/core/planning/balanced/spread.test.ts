/** The public model: traits of users against a slow version, and which texts of `--spread` are refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slowTraits } from "../../../../test/support/slow-balance.ts";
import { HOSTILE, hostileArrays } from "../../../../test/support/weighted-arrays.ts";
import { Rational } from "../../arithmetic/index.ts";
import { parseBounds } from "../../influence/index.ts";
import { occupancyFromTriples } from "../../occupancy/index.ts";
import { checkSpread, defaultSpread, parseSpread, relativeSpread, TRAITS, traitsOf } from "./spread.ts";

describe("traits", () => {
  test("are logarithms of records here, of records and of grids, centred and scaled in every grid", () => {
    fc.assert(
      fc.property(hostileArrays, (occupancy) => {
        const found = traitsOf(occupancy);
        for (const [entry, expected] of slowTraits(occupancy).entries())
          expected.forEach((each, k) => {
            // Logarithms are kept in 32 bits.
            expect(Math.abs(found[TRAITS * entry + k]! - each), `${entry} ${k}`).toBeLessThan(
              1e-3 * (1 + Math.abs(each)),
            );
          });
      }),
    );
  });

  test.each([
    "one user, one grid, one record",
    "one user in many grids",
    "one grid, one record each",
    "users alike",
  ])("are 0 where a grid's users are alike: %s", (name) => {
    expect(new Set(traitsOf(HOSTILE[name]!))).toEqual(new Set([0]));
  });

  test("are 0 in the one grid where users are alike, and not in others", () => {
    const occupancy = occupancyFromTriples([
      ["ann", "alike", 1_000_003],
      ["bob", "alike", 1_000_003],
      ["ann", "other", 5],
      ["cyd", "other", 1_000_000],
    ]);
    const traits = traitsOf(occupancy);
    const { grid } = occupancy.byUser;
    const ofRecordsHere = Array.from(grid, (_, entry) => traits[TRAITS * entry]!);
    expect(ofRecordsHere.map((each) => each === 0)).toEqual(
      Array.from(grid, (each) => occupancy.grids.get(each) === "alike"),
    );
  });
});

describe("--spread", () => {
  const bounds = parseBounds("0,64");
  const texts = (spread: ReturnType<typeof defaultSpread>): string[] =>
    [spread.users, spread.records, spread.trend].map((each) => each.toString());

  test("what is not named keeps its default: U/32, U/16, U/64", () => {
    expect(texts(parseSpread(undefined, bounds))).toEqual(["2", "4", "1"]);
    expect(texts(defaultSpread(bounds))).toEqual(["2", "4", "1"]);
    expect(texts(parseSpread("users=3", bounds))).toEqual(["3", "4", "1"]);
    expect(texts(parseSpread(" trend = 0 , records=0.25", bounds))).toEqual(["2", "0.25", "0"]);
    expect(relativeSpread(parseSpread("users=64", bounds), bounds)).toEqual({
      users: 1,
      records: 1 / 16,
      trend: 1 / 64,
    });
  });

  test.each([
    "",
    "users",
    "users=",
    "users=2=3",
    "user=2",
    "users=2,users=3",
    "users=two",
    "users=2,",
    "users=1/2",
  ])("%j is refused", (text) => {
    expect(() => parseSpread(text, bounds)).toThrow(expect.objectContaining({ code: "PARAMETER_INVALID" }));
  });

  test.each([
    "users=-1",
    "trend=-0.001",
    "records=64.001",
    "users=0,records=0",
    "users=0.00003,records=0.00003",
  ])("%j is out of range", (text) => {
    expect(() => parseSpread(text, bounds)).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringContaining("the width 64") }),
    );
  });

  test("users or records may be 0, and either may be the whole range", () => {
    for (const text of ["users=0,trend=0", "records=0,users=64", "users=0,records=0.000064"])
      expect(() => checkSpread(parseSpread(text, bounds), bounds)).not.toThrow();
    const bad = { ...defaultSpread(bounds), trend: Rational.of(65) };
    expect(() => checkSpread(bad, bounds)).toThrow("--spread");
  });
});
