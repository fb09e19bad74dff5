/** Checks neighbours of grids on real cells and local days, against looking at every pair. */
import { cellToLatLng, getPentagons, gridDisk, gridDistance, latLngToCell } from "h3-js";
import { expect, test } from "vitest";
import { gridId, gridNeighbours, parseRecipe, type RecipeFlags } from "./index.ts";

const CENTRE = latLngToCell(31.2, 121.4, 8);

function pairs(ids: readonly string[], flags: Partial<RecipeFlags>): Array<[string, string]> {
  const { start, other } = gridNeighbours(ids, parseRecipe({ user: "u", value: "v", ...flags }));
  expect(start).toHaveLength(ids.length + 1);
  return ids.flatMap((id, grid) =>
    [...other.subarray(start[grid], start[grid + 1])].map((each): [string, string] => [id, ids[each]!]),
  );
}

/** Both ways, in any order. */
function bothWays(expected: ReadonlyArray<readonly [string, string]>): Set<string> {
  return new Set(expected.flatMap(([left, right]) => [`${left} ${right}`, `${right} ${left}`]));
}

function expectPairs(found: ReadonlyArray<[string, string]>, expected: ReadonlyArray<readonly [string, string]>): void {
  expect(new Set(found.map((pair) => pair.join(" ")))).toEqual(bothWays(expected));
  expect(found).toHaveLength(bothWays(expected).size);
}

function consecutive(ids: readonly string[]): Array<[string, string]> {
  return ids.slice(1).map((id, index) => [ids[index]!, id]);
}

test("cells beside each other are neighbours, after columns that are the same", () => {
  const cells = gridDisk(CENTRE, 3).filter((_, index) => index % 5 !== 2);
  const ids = cells.flatMap((cell) => [gridId(["a/b", cell]), gridId([null, cell])]);
  const expected = cells.flatMap((left) =>
    cells
      .filter((right) => left < right && gridDistance(left, right) === 1)
      .flatMap(
        (right): Array<[string, string]> => [
          [`a%2Fb/${left}`, `a%2Fb/${right}`],
          [`%null/${left}`, `%null/${right}`],
        ],
      ),
  );
  expect(expected.length).toBeGreaterThan(50);
  expectPairs(pairs(ids, { by: "line", lat: "y", lon: "x", h3: "8" }), expected);
});

test("a pentagon has five neighbours", () => {
  const pentagon = getPentagons(8)[0]!;
  const ids = gridDisk(pentagon, 1);
  const flags = { lat: "y", lon: "x", h3: "8" };
  expect(ids).toHaveLength(6);
  expect(pairs(ids, flags).filter(([from]) => from === pentagon)).toHaveLength(5);
});

test("cells of two resolutions are not beside each other", () => {
  const coarse = latLngToCell(...cellToLatLng(CENTRE), 7);
  expect(pairs([CENTRE, coarse], { cell: "c" })).toEqual([]);
});

test("slots that follow each other are neighbours, cells in the same slot too, and nothing across", () => {
  const [here, there] = gridDisk(CENTRE, 1) as [string, string];
  const ids = [here, there].flatMap((cell) =>
    ["09:00", "10:00", "12:00"].map((time) => `${cell}/2016-12-16T${time}-06:00`),
  );
  const flags = { lat: "y", lon: "x", h3: "8", time: "t", slot: "1h", tz: "America/Chicago" };
  expectPairs(pairs(ids, flags), [
    [ids[0]!, ids[1]!],
    [ids[3]!, ids[4]!],
    [ids[0]!, ids[3]!],
    [ids[1]!, ids[4]!],
    [ids[2]!, ids[5]!],
  ]);
});

test.each([
  ["days of 23 and 24 hours", "1d", ["2016-03-12T00:00-06:00", "2016-03-13T00:00-06:00", "2016-03-14T00:00-05:00"]],
  ["days of 25 and 24 hours", "1d", ["2016-11-05T00:00-05:00", "2016-11-06T00:00-05:00", "2016-11-07T00:00-06:00"]],
  ["weeks", "1w", ["2016-10-31T00:00-05:00", "2016-11-07T00:00-06:00", "2016-11-14T00:00-06:00"]],
  ["an hour that comes twice", "1h", ["2016-11-06T01:00-05:00", "2016-11-06T01:00-06:00", "2016-11-06T02:00-06:00"]],
  ["an hour that is skipped", "1h", ["2016-03-13T01:00-06:00", "2016-03-13T03:00-05:00"]],
  ["six hours that take seven", "6h", ["2016-11-06T00:00-05:00", "2016-11-06T06:00-06:00"]],
  ["a last slot that midnight cuts", "5h", ["2016-12-16T20:00-06:00", "2016-12-17T00:00-06:00"]],
])("%s follow each other", (_, slot, ids) => {
  expectPairs(pairs(ids, { time: "t", slot, tz: "America/Chicago" }), consecutive(ids));
});

test.each([
  ["a day between", "1d", ["2016-11-05T00:00-05:00", "2016-11-07T00:00-06:00"]],
  ["a night between", "1h", ["2016-12-16T16:00-06:00", "2016-12-17T09:00-06:00"]],
  ["the second of two hours between", "1h", ["2016-11-06T01:00-05:00", "2016-11-06T02:00-06:00"]],
  ["a cut slot between", "5h", ["2016-12-16T15:00-06:00", "2016-12-17T00:00-06:00"]],
])("slots with %s are no neighbours", (_, slot, ids) => {
  expect(pairs(ids, { time: "t", slot, tz: "America/Chicago" })).toEqual([]);
});

test("a missing cell or time is beside nothing, what else a grid has still counts", () => {
  const [here, there] = gridDisk(CENTRE, 1) as [string, string];
  const ids = ["%null/2016-12-16T00:00+00:00", "%null/2016-12-17T00:00+00:00", `${here}/%null`, `${there}/%null`];
  expectPairs(pairs(ids, { lat: "y", lon: "x", h3: "8", time: "t", slot: "1d" }), [
    [ids[0]!, ids[1]!],
    [ids[2]!, ids[3]!],
  ]);
});

test("grids of named columns alone have no neighbours", () => {
  expect(pairs(["a", "b", "c"], { by: "shop" })).toEqual([]);
});
