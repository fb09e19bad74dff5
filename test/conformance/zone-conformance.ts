/** What time zones do to slots and filters: gaps, repeated hours, days that begin late, on both sides of every kind of change. */
import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/data/engines/index.ts";
import { type RecordRow, referenceCounts } from "../support/reference-records.ts";
import { PLAIN, recordsAt, type SourceTraits, setUpBench, triplesOf } from "./harness.ts";
import { testRandomRecords } from "./random-conformance.ts";
import { RESTLESS_ZONES } from "./scenarios.ts";
import type { RecordsWriter } from "./write-records.ts";

interface ZoneCase {
  readonly tz: string;
  /** Instants at which the zone's clocks are changed. */
  readonly changes: readonly string[];
  /** By slot: times as written and the grids they are in, worked out by hand from the zone's published rules. */
  readonly slots: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const CASES: readonly ZoneCase[] = [
  {
    tz: "America/Chicago", // an hour, at two in the morning
    changes: ["2017-03-12T08:00:00Z", "2017-11-05T07:00:00Z"],
    slots: {
      "15m": {
        "2017-03-12T02:30": "2017-03-12T03:30-05:00",
        "2017-11-05T07:30:00Z": "2017-11-05T01:30-06:00",
      },
      "1h": {
        "2016-12-16T09:30:00-06:00": "2016-12-16T09:00-06:00",
        "2016-12-16T15:30:00Z": "2016-12-16T09:00-06:00",
        "2016-12-16 09:59:59.999999": "2016-12-16T09:00-06:00",
        "2017-03-12T02:30": "2017-03-12T03:00-05:00", // read as 03:30
        "2017-11-05T01:30": "2017-11-05T01:00-05:00", // the earlier
        "2017-11-05T07:30:00Z": "2017-11-05T01:00-06:00", // the later
      },
      "2h": {
        "2017-03-12T03:30": "2017-03-12T03:00-05:00", // 02:00 was skipped
        "2017-11-05T07:30:00Z": "2017-11-05T00:00-05:00", // one slot of three hours
      },
      "50m": {
        "2017-03-12T03:10": "2017-03-12T03:00-05:00", // begins at 02:30, in the middle of the gap
        "2017-03-12T03:20": "2017-03-12T03:20-05:00",
      },
      "5h": {
        "2017-03-12T04:30": "2017-03-12T00:00-06:00",
        "2017-03-12T23:30": "2017-03-12T20:00-05:00", // cut at midnight
        "2017-03-13T00:30": "2017-03-13T00:00-05:00",
      },
      "1d": { "2017-11-05T23:30": "2017-11-05T00:00-05:00" },
      "1w": {
        "2017-11-05T23:30": "2017-10-30T00:00-05:00", // a Sunday
        "2017-11-06": "2017-11-06T00:00-06:00",
      },
    },
  },
  {
    tz: "Europe/Berlin",
    changes: ["2021-03-28T01:00:00Z", "2021-10-31T01:00:00Z"],
    slots: {
      "1h": {
        "2021-10-31T02:30": "2021-10-31T02:00+02:00",
        "2021-10-31T01:30:00Z": "2021-10-31T02:00+01:00",
        "2021-03-28T02:00": "2021-03-28T03:00+02:00",
      },
    },
  },
  {
    tz: "Australia/Lord_Howe", // half an hour
    changes: ["2021-04-03T15:00:00Z", "2021-10-02T15:30:00Z"],
    slots: {
      "15m": { "2021-04-03T15:10:00Z": "2021-04-04T01:30+10:30" },
      "1h": {
        "2021-04-03T15:10:00Z": "2021-04-04T01:00+11:00", // one slot of an hour and a half
        "2021-10-03T02:10": "2021-10-03T02:30+11:00",
      },
    },
  },
  {
    tz: "America/Sao_Paulo", // at midnight
    changes: ["2018-02-18T02:00:00Z", "2018-11-04T03:00:00Z"],
    slots: {
      "1h": {
        "2018-11-04T00:30": "2018-11-04T01:00-02:00",
        "2018-02-17T23:30": "2018-02-17T23:00-02:00",
        "2018-02-18T02:30:00Z": "2018-02-17T23:00-03:00",
      },
      "5h": { "2018-11-04T04:30": "2018-11-04T01:00-02:00" },
      "1d": {
        "2018-11-04T12:00": "2018-11-04T01:00-02:00",
        "2018-02-18T02:30:00Z": "2018-02-17T00:00-02:00",
      },
      "1w": { "2018-11-04T00:00": "2018-10-29T00:00-03:00" },
    },
  },
  {
    tz: "America/St_Johns", // at a minute past midnight
    changes: ["2009-03-08T03:31:00Z", "2009-11-01T02:31:00Z"],
    slots: { "1d": { "2009-11-01T12:00": "2009-11-01T00:00-03:30" } },
  },
  {
    tz: "Pacific/Apia", // a whole day skipped
    changes: ["2011-12-30T10:00:00Z"],
    slots: {
      "2h": { "2011-12-30T12:30": "2011-12-31T12:00+14:00" },
      "1d": { "2011-12-30": "2011-12-31T00:00+14:00", "2011-12-29T23:59": "2011-12-29T00:00-10:00" },
      "1w": { "2012-01-01": "2011-12-26T00:00-10:00" },
    },
  },
  {
    tz: "Asia/Kathmandu",
    changes: ["1985-12-31T18:30:00Z"],
    slots: {
      "15m": { "1986-01-01T00:05": "1986-01-01T00:15+05:45" },
      "1h": { "1986-01-01T00:05": "1986-01-01T00:15+05:45", "1986-01-01T01:05": "1986-01-01T01:00+05:45" },
    },
  },
  {
    tz: "+05:30",
    changes: [],
    slots: { "1d": { "2016-12-16T19:10:00Z": "2016-12-17T00:00+05:30" } },
  },
  {
    tz: "UTC",
    changes: [],
    slots: {
      "5h": {
        "2016-12-16T23:59:59": "2016-12-16T20:00+00:00",
        "2016-12-17T00:00:00": "2016-12-17T00:00+00:00",
      },
      "90s": { "2016-12-16T09:01:45": "2016-12-16T09:01:30+00:00" },
      "1h": { "1969-12-31T23:59:59.999999Z": "1969-12-31T23:00+00:00" },
      "1w": { "1969-12-31": "1969-12-29T00:00+00:00" },
      "1d": {
        "0100-01-03": "0100-01-03T00:00+00:00",
        "9999-12-31T23:59:59": "9999-12-31T00:00+00:00",
      },
    },
  },
];

/** Every quarter of an hour for a day on both sides of a change, and its first seconds, as instants and as clock readings. */
function around(change: string): RecordRow[] {
  const seconds = [-1, 0, 1, 30, 59].map((second) => second * 1000);
  const quarters = Array.from({ length: 27 * 8 + 1 }, (_, at) => (at - 27 * 4) * 900_000);
  return [...seconds, ...quarters].flatMap((shift) => {
    const instant = new Date(Date.parse(change) + shift).toISOString();
    return [
      { who: "instant", speed: "1", shop: "s", when: instant },
      { who: "reading", speed: "1", shop: "s", when: instant.slice(0, 19) },
    ];
  });
}

/** As `describeEngineConformance`; zones are the same however records are stored, so one kind of source suffices. */
export function describeZoneConformance(
  name: string,
  open: () => Promise<Engine>,
  write: RecordsWriter,
  traits: SourceTraits = { absentIds: "null" },
): void {
  describe(name, () => {
    const bench = setUpBench(open, write, traits);
    const recipeOptions = { user: "who", value: "speed", time: "when" };

    describe.each(CASES)("$tz", ({ tz, changes, slots }) => {
      test.each(Object.entries(slots))("slots of %s", async (slot, byHand) => {
        const known = Object.entries(byHand);
        const rows = [
          ...changes.flatMap(around),
          ...known.map(([when]) => ({ who: `at ${when}`, speed: "1", shop: "s", when })),
        ];
        const recipe = { ...recipeOptions, tz, slot, from: "0100-01-02" };
        const triples = await bench.countsOf(rows, recipe);
        expect(triples.filter(([user]) => user.startsWith("at ")).sort()).toEqual(
          known.map(([when, grid]) => [`at ${when}`, grid, 1]).sort(),
        );
        // The years 100 and 9999 lie outside what the platform is asked about zones.
        if (changes.length > 0) {
          expect(triples).toEqual(referenceCounts(bench.reference(rows, recipe, PLAIN)));
          const offsets = new Set(triples.map(([, grid]) => grid.slice(-6)));
          if (slot !== "1w") expect(offsets.size).toBe(2); // both sides of a change were seen
        }
      });
    });

    test.each([
      "America/Chicago",
      "Australia/Lord_Howe",
      "America/Sao_Paulo",
    ])("hours of the day are what clocks show in %s", async (tz) => {
      const rows = CASES.find((each) => each.tz === tz)!.changes.flatMap(around);
      const source = await bench.write(rows);
      for (const hours of ["1-2", "0:30-2:15", "22-3", "23-24"]) {
        const recipe = { ...recipeOptions, by: "shop", tz, hours };
        const { occupancy } = await bench.engine.readOccupancy(await recordsAt(bench.engine, source, recipe));
        const expected = referenceCounts(bench.reference(rows, recipe, PLAIN));
        expect(triplesOf(occupancy)).toEqual(expected);
        expect(occupancy.samples).toBeGreaterThan(0);
        expect(occupancy.samples).toBeLessThan(rows.length);
      }
    });

    testRandomRecords(bench, { zones: RESTLESS_ZONES, runs: 8 });
  });
}
