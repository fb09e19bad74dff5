/** From a record to its grid: ids as text, places to cells, times to slots. */
import { cellToLatLng, cellToParent, getPentagons, getResolution, latLngToCell } from "h3-js";
import { describe, expect, test } from "vitest";
import type { RecipeFlags } from "../../src/data/partition/index.ts";
import type { RecordRow } from "../support/reference-records.ts";
import { type Bench, expectReading, KEEP_ALL, onDay, refusalOf, triplesOf } from "./harness.ts";
import { AWKWARD_IDS } from "./scenarios.ts";

/** Users, columns of the partition and key columns. */
export function describeIds(bench: Bench): void {
  const { opened, reference, countsOf } = bench;
  describe("ids are text", () => {
    const encode = (id: string): string => id.replaceAll("%", "%25").replaceAll("/", "%2F");

    test("awkward ones as user and as part of the grid, each unlike the others", async () => {
      const rows = AWKWARD_IDS.map((id) => ({ who: id, speed: "1", shop: id, line: "x" }));
      const triples = await countsOf(rows, { user: "who", value: "speed", by: "shop,line", emptyUser: "one" });
      const found = new Map(triples.map(([user, grid]) => [user, grid]));
      expect(triples).toHaveLength(AWKWARD_IDS.length);
      for (const id of AWKWARD_IDS) expect(found.get(id), JSON.stringify(id)).toBe(`${encode(id)}/x`);
    });

    test("awkward ones keep records apart that are not repeated", async () => {
      const rows = AWKWARD_IDS.map((id) => ({ who: "u", speed: "1", shop: "s", key: id }));
      const recipeOptions = { user: "who", value: "speed", by: "shop", dedupe: "key" };
      expect(await countsOf([...rows, ...rows], recipeOptions)).toEqual([["u", "s", AWKWARD_IDS.length]]);
    });

    test("a part that is not there is %null, an empty one empty, a user that is not there the empty one", async () => {
      const rows = [
        { who: "u", speed: "1", shop: null },
        { who: "u", speed: "1", shop: "" },
        { who: "u", speed: "1", shop: "%null" },
        { who: null, speed: "1", shop: "s" },
        { who: "", speed: "1", shop: "s" },
      ];
      const records = await opened(rows, { user: "who", value: "speed", by: "shop", emptyUser: "one" });
      const { occupancy, notes } = await bench.engine.readOccupancy(records);
      const isNull = bench.traits.absentIds === "null";
      expect(triplesOf(occupancy)).toEqual([
        ["", "s", 2],
        ...(isNull
          ? [
              ["u", "", 1],
              ["u", "%25null", 1],
              ["u", "%null", 1],
            ]
          : [
              ["u", "", 2],
              ["u", "%25null", 1],
            ]),
      ]);
      expect(notes).toMatchObject({ withoutUser: 2, withoutGrid: 2 });
    });

    test("columns of any name", async () => {
      const names = { user: 'my "user"', value: "Wind [m/s]", by: "group", dedupe: "a.b", time: "select*" };
      const rows = [
        { "a.b": "1", group: "g", [names.user]: "u", [names.value]: "3", [names.time]: "2016-12-16", i: "9", x: "8" },
        { "a.b": "1", group: "g", [names.user]: "u", [names.value]: "2", [names.time]: "2016-12-16", i: "9", x: "8" },
        { "a.b": "2", group: "g", [names.user]: "u", [names.value]: "9", [names.time]: "2016-12-16", i: "9", x: "8" },
      ];
      const flags = { bounds: "0,10", step: "1" };
      const { totals } = await expectReading(bench.engine, await opened(rows, names), reference(rows, names, flags), {
        lattice: flags,
        decisions: KEEP_ALL,
      });
      expect(totals.totals[0]!.sum).toBe(11n);
    });
  });
}

/** Hexagons, wherever they are. */
export function describePlaces(bench: Bench): void {
  const { opened, gridsOf } = bench;
  describe("places", () => {
    const recipeOptions = { user: "who", value: "speed", lat: "lat", lon: "lon" };
    const rowsOf = (places: ReadonlyArray<readonly [number, number]>): RecordRow[] =>
      places.map(([lat, lon], at) => ({
        who: String(at).padStart(5, "0"),
        speed: "1",
        lat: String(lat),
        lon: String(lon),
        point: `[${lon}, ${lat}]`,
      }));

    test.each(
      Array.from({ length: 16 }, (_, resolution) => resolution),
    )("pentagons, poles and the date line at resolution %i", async (resolution) => {
      const pentagons = getPentagons(resolution);
      const poles = [-90, 90].flatMap((lat) => [-180, -91.5, 0, 12.25, 180].map((lon) => [lat, lon] as const));
      const dateLine = [-67.3, -0.5, 0, 0.5, 51.7].flatMap((lat) =>
        [180, -180, 179.999, -179.999, 179.9999999].map((lon) => [lat, lon] as const),
      );
      const places = [...pentagons.map((cell) => cellToLatLng(cell)), ...poles, ...dateLine];
      const rows = rowsOf(places);
      const cells = places.map(([lat, lon]) => latLngToCell(lat, lon, resolution));
      const grids = await gridsOf(rows, { ...recipeOptions, h3: String(resolution) });
      expect(rows.map(({ who }) => grids[who!])).toEqual(cells);
      expect(cells.slice(0, 12)).toEqual(pentagons);
      expect(new Set(cells.slice(12, 17)).size).toBe(1); // the south pole, from anywhere
      expect(new Set(cells.slice(17, 22)).size).toBe(1);
      for (let at = 22; at < cells.length; at += 5) expect(cells[at + 1]).toBe(cells[at]); // 180 is −180
      const asPoint = { user: "who", value: "speed", point: "point", h3: String(resolution) };
      expect(await gridsOf(rows, asPoint)).toEqual(grids);
    });

    test("a place that is not there is a grid of its own", async () => {
      const rows = [
        { who: "a", speed: "1", shop: "s", lat: null, lon: null, point: null },
        { who: "b", speed: "1", shop: "s", lat: "41.5", lon: "-87.5", point: "[-87.5, 41.5]" },
      ];
      const cell = latLngToCell(41.5, -87.5, 7);
      for (const place of [{ lat: "lat", lon: "lon" }, { point: "point" }]) {
        const recipe = { user: "who", value: "speed", by: "shop", h3: "7", ...place };
        expect(await gridsOf(rows, recipe)).toEqual({ a: "s/%null", b: `s/${cell}` });
      }
    });

    test.each([
      ["lat", "90.0000001", "0"],
      ["lat", "-91", "0"],
      ["lon", "0", "180.5"],
      ["lon", "0", "-1e300"],
      ["only one of them", "45", null],
      ["text", "north", "0"],
    ])("a place beyond the Earth is refused, naming it: %s", async (_, lat, lon) => {
      const rows = [
        ...rowsOf([[1, 2]]).map(({ point: _point, ...row }) => row),
        { who: "u", speed: "61.27", lat, lon },
      ];
      const { code, message } = await refusalOf(
        bench.engine.readOccupancy(await opened(rows, { ...recipeOptions, h3: "5" })),
        ["61.27"],
      );
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toContain(bench.fault(2));
      expect(message).toContain("'lat'");
      expect(message).toContain("'lon'");
    });
  });
}

/** Hexagons that stand in the records. */
export function describeStoredCells(bench: Bench): void {
  const { opened, gridsOf, countsOf } = bench;
  describe("stored cells", () => {
    const recipeOptions = { user: "who", value: "speed", cell: "cell" };
    const SPOTS = [
      [41.8827, -87.6233],
      [-90, 12.5],
      [0.5, 180],
      [51.7, -179.999],
    ] as const;
    const cells = Array.from({ length: 16 }, (_, resolution) => [
      ...getPentagons(resolution),
      ...SPOTS.map(([lat, lon]) => latLngToCell(lat, lon, resolution)),
    ]).flat();
    const userOf = (at: number): string => String(at).padStart(5, "0");
    const rowsOf = (texts: readonly string[]): RecordRow[] =>
      texts.map((cell, at) => ({ who: userOf(at), speed: "1", cell }));
    const decimal = (cell: string): string => String(BigInt(`0x${cell}`));

    test.each([
      ["hexadecimal", (cell: string) => cell],
      ["capital letters", (cell: string) => cell.toUpperCase()],
      ["integers", decimal],
      ["both, with spaces around", (cell: string) => ` ${getResolution(cell) % 2 === 0 ? cell : decimal(cell)} `],
    ])("of every resolution at once, as %s, are grids as they stand", async (_, written) => {
      const grids = await gridsOf(rowsOf(cells.map(written)), recipeOptions);
      expect(cells.map((_cell, at) => grids[userOf(at)])).toEqual(cells);
    });

    test.each(
      Array.from({ length: 16 }, (_, resolution) => resolution),
    )("become those of resolution %i", async (to) => {
      const fine = cells.filter((cell) => getResolution(cell) >= to);
      for (const written of [String, decimal]) {
        const grids = await gridsOf(rowsOf(fine.map((cell) => written(cell))), { ...recipeOptions, h3: String(to) });
        expect(fine.map((_cell, at) => grids[userOf(at)])).toEqual(fine.map((cell) => cellToParent(cell, to)));
      }
    });

    test("a cell that is not there is a grid of its own", async () => {
      const cell = latLngToCell(41.5, -87.5, 9);
      const rows = [null, "", "  ", cell].map((text, at) => ({ who: `u${at}`, speed: "1", shop: "s", cell: text }));
      for (const [h3, grid] of [
        [undefined, cell],
        ["7", cellToParent(cell, 7)],
      ] as const) {
        const grids = await gridsOf(rows, { ...recipeOptions, by: "shop", h3 });
        expect(grids).toEqual({ u0: "s/%null", u1: "s/%null", u2: "s/%null", u3: `s/${grid}` });
      }
    });

    test.each([
      ["text", "hexagon"],
      ["another mode", "1188754e6499ffff"],
      ["an edge", "11488754e6499fff"],
      ["a digit too few", "88754e6499ffff"],
      ["a digit too many", "88754e6499fffff0"],
      ["underscores", "88754e6499fff_f"],
      ["a space among its digits", "88754e6499f fff"],
      ["a point among its digits", "88754e.499fffff"],
      ["a prefix", "0x88754e6499fffff"],
      ["a 7 among its digits", "88754e6f99fffff"],
      ["a digit beyond its resolution", "88754e649900fff"],
      ["a base cell that is none", "88f54e6499fffff"],
      ["a direction that a pentagon lacks", "82080ffffffffff"],
      ["a number that is none", "614553222213795838"],
      ["a small number", "88"],
      ["a fraction", "614553222213795839.5"],
      ["an exponent", "6.14553222213795839e17"],
      ["a negative number", "-14553222213795839"],
      ["a number beyond 64 bits", "614553222213795839000"],
    ])("what is no cell is refused, naming it: %s", async (_, text) => {
      const rows = [...rowsOf(["88754e6499fffff"]), { who: "u", speed: "61.27", cell: text }];
      for (const h3 of [undefined, "3"]) {
        const records = await opened(rows, { ...recipeOptions, h3 });
        const { code, message } = await refusalOf(bench.engine.readOccupancy(records), ["61.27"]);
        expect(code).toBe("INPUT_MALFORMED");
        // A format may write its own numbers in another way than they came.
        expect(message).toContain(`${bench.fault(2)}: column 'cell': '`);
        expect(message).toContain("' is no H3 cell");
        if (!/^\d+[.]/.test(text)) expect(message).toContain(`'${text}'`);
      }
    });

    test("a cell coarser than asked for is refused, naming its resolution", async () => {
      const rows = rowsOf(["88754e6499fffff", "85754e67fffffff"]);
      const records = await opened(rows, { ...recipeOptions, h3: "6" });
      const { code, message } = await refusalOf(bench.engine.readOccupancy(records));
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toContain(`${bench.fault(2)}: column 'cell': '85754e67fffffff' is a cell of resolution 5`);
      expect(message).toContain("--h3 5");
      expect(Object.keys(await gridsOf(rows, { ...recipeOptions, h3: "5" }))).toHaveLength(2);
    });

    test("a cell outside the time filters is not found fault with", async () => {
      const rows = [
        { who: "a", speed: "1", cell: "88754e6499fffff", when: onDay("T09:00:00Z") },
        { who: "b", speed: "1", cell: "hexagon", when: onDay("T11:00:00Z") },
      ];
      const triples = await countsOf(rows, { ...recipeOptions, time: "when", hours: "9-10" });
      expect(triples).toEqual([["a", "88754e6499fffff", 1]]);
    });
  });
}

/** A time in each of the formats that wrong ones are tried in. */
const SOUND: Readonly<Record<string, string>> = {
  "epoch-s": "1",
  iso: "2016-12-16",
  "dd/mm/yyyy": "16/12/2016",
  "mm/dd/yyyy": "12/16/2016",
  "mm/dd/yy": "12/16/16",
  "dd-mm-yy": "16-12-16",
  "dd-mmm-yy": "16-Dec-16",
  yyyymmdd: "20161216",
};

/** How times are written, and the filters. What zones do to them is in `zone-conformance.ts`. */
export function describeTimes(bench: Bench): void {
  const { opened, countsOf } = bench;
  describe("times", () => {
    const recipeOptions = { user: "who", value: "speed", time: "when" };

    test.each([
      ["epoch-s", "1481902200", "2016-12-16T09:30-06:00"],
      ["epoch-s", "1481902199.999999", "2016-12-16T09:15-06:00"],
      ["epoch-s", "-1", "1969-12-31T17:45-06:00"],
      ["epoch-ms", "1481902200000", "2016-12-16T09:30-06:00"],
      ["epoch-ms", "1481902199999", "2016-12-16T09:15-06:00"],
      ["epoch-ms", "1481902199999.5", "2016-12-16T09:15-06:00"],
      ["epoch-ms", "-1", "1969-12-31T17:45-06:00"],
      ["dd/mm/yyyy", "05/11/2017", "2017-11-05T00:00-06:00"],
      ["dd/mm/yyyy", "05/11/2017 01:30", "2017-11-05T01:30-06:00"],
      ["dd/mm/yyyy", "12/03/2017 02:30:00", "2017-03-12T02:30-06:00"],
      ["mm/dd/yyyy", "12/03/2017 02:30:00", "2017-12-03T02:30-06:00"],
      ["dd.mm.yyyy", "16.12.2016T09:44:59.999999", "2016-12-16T09:30-06:00"],
      ["yyyy-mm-dd", "2016-12-16 09:30", "2016-12-16T09:30-06:00"],
      ["epoch-us", "1481902199999999", "2016-12-16T09:15-06:00"],
      ["mm/dd/yy", "8/29/13", "2013-08-29T00:00-06:00"],
      ["mm/dd/yy", "08/29/68 9:31", "2068-08-29T09:30-06:00"],
      ["dd.mm.yy", "29.8.69", "1969-08-29T00:00-06:00"],
      ["yy-mm-dd", "00-02-29", "2000-02-29T00:00-06:00"],
      ["mm/dd/yyyy", "8/29/2013  2:05 PM", "2013-08-29T14:00-06:00"],
      ["mm/dd/yyyy", "8/29/2013 12:05:07.5am", "2013-08-29T00:00-06:00"],
      ["mm/dd/yyyy", "8/29/2013 12:05 p.m.", "2013-08-29T12:00-06:00"],
      ["yyyy-mm-dd", "2013-08-29 11:59:59.999999999 Pm", "2013-08-29T23:45-06:00"],
      ["dd-mmm-yy", "29-AUG-13", "2013-08-29T00:00-06:00"],
      ["dd-mmm-yyyy", "1-dec-2013 9:30", "2013-12-01T09:30-06:00"],
      ["yyyymmdd", "20130829", "2013-08-29T00:00-06:00"],
      ["yyyymmdd", "20130829 09:30", "2013-08-29T09:30-06:00"],
      ["iso", "2016-12-16T15:30:00+00", "2016-12-16T09:30-06:00"],
      ["iso", "2016-12-16T21:00:00+0530", "2016-12-16T09:30-06:00"],
      ["auto", "2016-12-16 21:00:00+05:30", "2016-12-16T09:30-06:00"],
      ["iso", " 2016-12-16T09:30 ", "2016-12-16T09:30-06:00"],
      ["iso", "2016-12-16T09:30:00.123", "2016-12-16T09:30-06:00"],
      ["iso", "2016-12-16T09:30-06:00", "2016-12-16T09:30-06:00"],
      ["iso", "2016-12-16T15:30Z", "2016-12-16T09:30-06:00"],
      ["iso", "2016-12-16 15:30+00", "2016-12-16T09:30-06:00"],
    ])("written as %s: %s", async (timeFormat, when, grid) => {
      const recipe = { ...recipeOptions, tz: "-06:00", slot: "15m", timeFormat };
      expect(await countsOf([{ who: "u", speed: "1", when }], recipe)).toEqual([["u", grid, 1]]);
    });

    test.each(["UTC", "-03:30", "Asia/Kathmandu", "Pacific/Apia"])("a record without time, in %s", async (tz) => {
      const rows = [null, "", onDay("T09:30:00Z")].map((when, at) => ({ who: `u${at}`, speed: "1", when }));
      for (const slot of ["1h", "1d", "1w"]) {
        const triples = await countsOf(rows, { ...recipeOptions, tz, slot });
        expect(triples.slice(0, 2)).toEqual([
          ["u0", "%null", 1],
          ["u1", "%null", 1],
        ]);
        expect(triples[2]![1]).toMatch(/^2016-12-1[26]T/);
      }
    });

    test("a time before 1900 is refused, saying the year and what to write, unless --from asks for it", async () => {
      const rows = ["1899-12-31", "1850-07-01", "1900-01-01"].map((when) => ({ who: "u", speed: "61.27", when }));
      const recipe = { ...recipeOptions, slot: "1d" };
      const refusal = await refusalOf(bench.engine.readOccupancy(await opened(rows.slice(1), recipe)), ["61.27"]);
      expect(refusal.code).toBe("INPUT_MALFORMED");
      for (const part of [bench.fault(1), "the year 1850", "--time-format", "--from 1850-01-01"])
        expect(refusal.message).toContain(part);
      const grids = async (from: string | undefined): Promise<string[]> =>
        (await countsOf(rows, { ...recipe, from })).map(([, grid]) => grid.slice(0, 10));
      expect(await grids("1850-01-01")).toEqual(["1850-07-01", "1899-12-31", "1900-01-01"]);
      expect(await grids("1899-01-01")).toEqual(["1899-12-31", "1900-01-01"]);
      expect(await grids("1900-01-01")).toEqual(["1900-01-01"]);
    });

    test("from, to and hours are half-open, and a record without time passes none of them", async () => {
      const rows = [
        "T08:59:59.999999",
        "T09:00:00",
        "T09:59:59.999999",
        "T10:00:00",
        "T23:59:59.999999",
        "T00:00:00",
      ].map((time, at) => ({ who: `u${at}`, speed: "1", shop: "s", when: onDay(time) as string | null }));
      rows.push({ who: "u9", speed: "1", shop: "s", when: null });
      const users = async (filter: RecipeFlags): Promise<string> =>
        (await countsOf(rows, { ...recipeOptions, by: "shop", tz: "-06:00", ...filter }))
          .map(([user]) => user.slice(1))
          .join("");
      expect(await users({ hours: "9-10" })).toBe("12");
      expect(await users({ hours: "23-9" })).toBe("045");
      expect(await users({ hours: "10-24" })).toBe("34");
      expect(await users({ from: "2016-12-16T09:00", to: "2016-12-16T10:00" })).toBe("12");
      expect(await users({ from: "2016-12-16T15:00Z" })).toBe("1234");
      expect(await users({ to: "2016-12-16T09:00" })).toBe("05");
      expect(await users({ from: "2016-12-16" })).toBe("012345");
      expect(await users({})).toBe("0123459");
    });

    test.each([
      ["no time", "soon", "iso"],
      ["a day that is none", "2017-02-29T10:00:00", "iso"],
      ["an hour that is none", "2017-02-28T25:00:00", "iso"],
      ["a number", "1481902200", "iso"],
      ["another order", "12/31/2016", "dd/mm/yyyy"],
      ["text for an epoch", "yesterday", "epoch-s"],
      ["infinity", "infinity", "iso"],
      ["a word for 1970", "epoch", "iso"],
      ["a year of five digits", "10000-01-01", "iso"],
      ["a time of day beyond all years", "99999999999999", "epoch-s"],
      ["a year of two digits for one of four", "8/29/13", "mm/dd/yyyy"],
      ["a year of three digits", "8/29/013", "mm/dd/yyyy"],
      ["a year of four digits for one of two", "8/29/2013", "mm/dd/yy"],
      ["a year of one digit", "8/29/3", "mm/dd/yy"],
      ["no leap year", "2/29/2013", "mm/dd/yyyy"],
      ["13 o'clock in the afternoon", "8/29/2013 13:05 PM", "mm/dd/yyyy"],
      ["0 o'clock in the morning", "8/29/2013 0:05 AM", "mm/dd/yyyy"],
      ["a month that is none", "29-Aut-13", "dd-mmm-yy"],
      ["a month for a number", "29-Aug-13", "dd-mm-yy"],
      ["a month of one digit", "2013829", "yyyymmdd"],
      ["an offset after a date", "8/29/2013 13:05Z", "mm/dd/yyyy"],
      ["the year 1899", "12/31/1899 23:59:59.999999", "mm/dd/yyyy"],
      ["the year 13", "0013-08-29", "iso"],
      ["seconds before 1900", "-2208988801", "epoch-s"],
    ])("what is no time is refused, naming it: %s", async (_, when, timeFormat) => {
      const sound = SOUND[timeFormat]!;
      const rows = [
        { who: "u", speed: "61.27", when: sound },
        { who: "u", speed: "61.27", when },
      ];
      const records = await opened(rows, { ...recipeOptions, slot: "1h", timeFormat });
      const { code, message } = await refusalOf(bench.engine.readOccupancy(records), ["61.27"]);
      expect(code).toBe("INPUT_MALFORMED");
      expect(message).toContain(`${bench.fault(2)}: column 'when'`);
      expect(message).toContain(`'${when}'`);
    });
  });
}
