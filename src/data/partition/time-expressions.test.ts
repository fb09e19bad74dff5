/** Checks the printed expressions of time against watching a clock: slots begin when their start is shown, or as soon after as any of them is. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluate, type Fields, holds } from "./expression.ts";
import { parseRecipe, type RecordTime } from "./recipe.ts";
import { parseSlot, type Slot, slotLabel } from "./slot.ts";
import {
  CLOCK,
  HAS_OFFSET,
  INSTANT,
  instantExpression,
  LOCAL,
  localExpression,
  slotStartExpression,
  timeFilter,
} from "./time-expressions.ts";
import { HOUR, instantOfWall, MINUTE, offsetAt, parseInstant, parseZone, SECOND, type TimeZone } from "./time-zone.ts";

const SLOTS = ["15m", "1h", "2h", "5h", "45m", "90s", "1d", "1w"];
const DAY_SECONDS = 86_400;

const at = (iso: string): bigint => BigInt(Date.parse(iso)) * 1000n;
const atInstant = (instant: bigint): Fields => ({ integers: { [INSTANT]: instant } });

/** What local clocks show at the start of the slot to which they show `wall`; seconds. */
function startOnClocks(slot: Slot, wall: number): number {
  const midnight = Math.floor(wall / DAY_SECONDS) * DAY_SECONDS;
  if (slot.kind === "day") return midnight;
  if (slot.kind === "week") {
    let monday = midnight;
    while (new Date(monday * 1000).getUTCDay() !== 1) monday -= DAY_SECONDS;
    return monday;
  }
  const length = Number(slot.length / SECOND);
  return midnight + Math.floor((wall - midnight) / length) * length;
}

/**
 * Watches the clocks of a zone by half minutes and notes the first instant of the slot they show, anew whenever its very start is
 * shown again. Sixteen days before `around` it begins, too late for the slots of the first eight.
 */
class Watch {
  readonly #zone: TimeZone;
  readonly #first: number;
  readonly #walls: number[] = [];
  readonly #startsOf = new Map<string, number[]>();

  constructor(zone: TimeZone, around: bigint) {
    this.#zone = zone;
    this.#first = Number(around / SECOND) - 16 * DAY_SECONDS;
    for (let step = 0; step < 24 * 2880; step++) {
      const second = this.#first + 30 * step;
      this.#walls.push(second + Number(offsetAt(this.#zone, BigInt(second) * SECOND) / SECOND));
    }
  }

  startOf(slotName: string, instant: bigint): bigint {
    const starts = this.#startsOf.get(slotName) ?? this.#watch(parseSlot(slotName));
    this.#startsOf.set(slotName, starts);
    const sinceFirst = instant - BigInt(this.#first) * SECOND;
    return BigInt(starts[Number(sinceFirst / (30n * SECOND))]!) * SECOND;
  }

  #watch(slot: Slot): number[] {
    const begun = new Map<number, number>();
    return this.#walls.map((wall, step) => {
      const shown = startOnClocks(slot, wall);
      if (wall === shown || !begun.has(shown)) begun.set(shown, this.#first + 30 * step);
      return begun.get(shown)!;
    });
  }
}

const CHANGES: ReadonlyArray<[zone: string, change: string]> = [
  ["America/Chicago", "2016-03-13T08:00Z"],
  ["America/Chicago", "2016-11-06T07:00Z"],
  ["Europe/Berlin", "2016-03-27T01:00Z"],
  ["Europe/Berlin", "2016-10-30T01:00Z"],
  ["Australia/Lord_Howe", "2016-04-02T15:00Z"],
  ["Australia/Lord_Howe", "2016-10-01T15:30Z"],
  ["Africa/Casablanca", "2019-05-05T02:00Z"],
  ["Africa/Casablanca", "2019-06-09T02:00Z"],
  ["America/Sao_Paulo", "2018-02-18T02:00Z"], // back over midnight to the day before
  ["America/Sao_Paulo", "2018-11-04T03:00Z"], // no midnight
  ["America/St_Johns", "2010-03-14T03:31Z"],
  ["America/St_Johns", "2010-11-07T02:31Z"], // back from 00:01: the day begins twice
  ["Pacific/Apia", "2011-12-30T10:00Z"], // a day is skipped
  ["Pacific/Kwajalein", "1969-09-30T13:00Z"], // back by 23 hours
  ["Asia/Pyongyang", "2015-08-14T15:00Z"],
  ["Asia/Pyongyang", "2018-05-04T15:00Z"],
  ["America/Caracas", "2007-12-09T07:00Z"],
  ["Antarctica/Troll", "2016-10-30T01:00Z"], // back by two hours
  ["Asia/Kolkata", "2016-10-30T01:00Z"],
  ["UTC", "2016-10-30T01:00Z"],
  ["-03:30", "1970-01-01T00:00Z"],
];

const watches = new Map<string, Watch>();

function watchOf(zone: TimeZone, change: string): Watch {
  const key = `${zone.name} ${change}`;
  const watch = watches.get(key) ?? new Watch(zone, at(change));
  watches.set(key, watch);
  return watch;
}

describe("slotStartExpression", () => {
  test("the changes above are where they are said to be", () => {
    for (const [name, change] of CHANGES) {
      if (["Asia/Kolkata", "UTC", "-03:30"].includes(name)) continue;
      expect(parseZone(name).transitions.map((transition) => transition.at)).toContain(at(change));
    }
  });

  test.each(SLOTS)("a slot of %s starts when watching says so, around changes of the clocks", (name) => {
    const slot = parseSlot(name);
    // Half of the instants within three hours of the change, and to the microsecond at either side of half minutes.
    const away = fc.oneof(
      fc.bigInt({ min: -3n * HOUR, max: 3n * HOUR }),
      fc.bigInt({ min: -190n * HOUR, max: 190n * HOUR }),
      fc
        .tuple(fc.bigInt({ min: -600n, max: 600n }), fc.constantFrom(-1n, 0n))
        .map(([halves, micro]) => halves * 30n * SECOND + micro),
    );
    fc.assert(
      fc.property(fc.constantFrom(...CHANGES), away, ([zoneName, change], distance) => {
        const zone = parseZone(zoneName);
        const instant = at(change) + distance;
        const start = evaluate(slotStartExpression(slot, zone), atInstant(instant));
        expect(start).toBe(watchOf(zone, change).startOf(name, instant));
        expect(start <= instant).toBe(true);
        expect(evaluate(slotStartExpression(slot, zone), atInstant(start))).toBe(start);
        expect(parseInstant(slotLabel(start, zone), zone, "--from")).toBe(start);
      }),
      { numRuns: 500 },
    );
  });

  test("in zones that nobody has made yet", () => {
    const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 }).map((minutes) => BigInt(minutes) * MINUTE);
    const invented = fc.record({
      firstOffset: minutes,
      second: minutes,
      third: minutes,
      apart: fc.integer({ min: 9 * 1440, max: 12 * 1440 }).map((minutes) => BigInt(minutes) * MINUTE),
      lag: fc.integer({ min: 0, max: 1440 }).map((minutes) => BigInt(minutes) * MINUTE),
    });
    const instants = fc.array(fc.bigInt({ min: -8n * 24n * HOUR, max: 7n * 24n * HOUR }), { minLength: 20 });
    fc.assert(
      fc.property(invented, instants, ({ firstOffset, second, third, apart, lag }, distances) => {
        const change = at("2016-03-13T00:00Z") + lag;
        const transitions = [
          { at: change - apart, offset: second },
          { at: change, offset: third },
        ];
        const zone: TimeZone = { name: "Nowhere", firstOffset, transitions };
        const watch = new Watch(zone, change);
        for (const name of ["45m", "1h", "5h", "1d", "1w"]) {
          const expression = slotStartExpression(parseSlot(name), zone);
          for (const distance of distances)
            expect([name, evaluate(expression, atInstant(change + distance))]).toEqual([
              name,
              watch.startOf(name, change + distance),
            ]);
        }
      }),
      { numRuns: 8 },
    );
  });

  test.each([
    ["1h", "America/Chicago", "2016-11-06T06:30Z", "2016-11-06T01:00-05:00"],
    ["1h", "America/Chicago", "2016-11-06T07:30Z", "2016-11-06T01:00-06:00"],
    ["2h", "America/Chicago", "2016-11-06T07:30Z", "2016-11-06T00:00-05:00"],
    ["2h", "America/Chicago", "2016-03-13T08:30Z", "2016-03-13T03:00-05:00"],
    ["5h", "America/Chicago", "2016-03-13T08:30Z", "2016-03-13T00:00-06:00"],
    ["5h", "America/Chicago", "2016-12-17T05:59Z", "2016-12-16T20:00-06:00"],
    ["1d", "America/Chicago", "2016-11-06T12:00Z", "2016-11-06T00:00-05:00"],
    ["1d", "America/Sao_Paulo", "2018-11-04T12:00Z", "2018-11-04T01:00-02:00"],
    ["1d", "Pacific/Apia", "2011-12-30T10:00Z", "2011-12-31T00:00+14:00"],
    ["1w", "America/Chicago", "2016-11-06T12:00Z", "2016-10-31T00:00-05:00"],
    ["1w", "America/Chicago", "2016-12-16T15:00Z", "2016-12-12T00:00-06:00"],
    ["1w", "UTC", "1970-01-01T00:00Z", "1969-12-29T00:00+00:00"],
    ["90s", "UTC", "2016-12-16T00:02:59Z", "2016-12-16T00:01:30+00:00"],
  ])("%s in %s at %s is %s", (slot, zoneName, iso, label) => {
    const zone = parseZone(zoneName);
    const start = evaluate(slotStartExpression(parseSlot(slot), zone), atInstant(at(iso)));
    expect(slotLabel(start, zone)).toBe(label);
  });
});

describe("instants and local time", () => {
  const ZONES = [...new Set(CHANGES.map(([name]) => name))];
  const near = fc
    .tuple(fc.constantFrom(...CHANGES), fc.bigInt({ min: -72n * HOUR, max: 72n * HOUR }))
    .map(([[name, change], away]) => ({ zone: parseZone(name), time: at(change) + away }));
  const anywhere = fc
    .tuple(fc.constantFrom(...ZONES), fc.bigInt({ min: at("1850-01-01T00:00Z"), max: at("2150-01-01T00:00Z") }))
    .map(([name, time]) => ({ zone: parseZone(name), time }));

  test("a reading with offset is an instant; one without is read off the wall", () => {
    fc.assert(
      fc.property(fc.oneof(near, anywhere), ({ zone, time }) => {
        const expression = instantExpression(zone);
        const read = (hasOffset: boolean): bigint =>
          evaluate(expression, { integers: { [CLOCK]: time }, flags: { [HAS_OFFSET]: hasOffset } });
        expect(read(true)).toBe(time);
        expect(read(false)).toBe(instantOfWall(zone, time));
      }),
      { numRuns: 2000 },
    );
  });

  test("localExpression is what clocks show", () => {
    fc.assert(
      fc.property(fc.oneof(near, anywhere), ({ zone, time }) => {
        expect(evaluate(localExpression(zone), atInstant(time))).toBe(time + offsetAt(zone, time));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("timeFilter", () => {
  const timeOf = (options: Parameters<typeof parseRecipe>[0]): RecordTime =>
    parseRecipe({ user: "u", value: "v", by: "g", time: "t", tz: "America/Chicago", ...options }).time!;
  const passes = (time: RecordTime, iso: string, micros = 0n): boolean => {
    const instant = at(iso) + micros;
    const local = evaluate(localExpression(time.zone), atInstant(instant));
    return holds(timeFilter(time)!, { integers: { [INSTANT]: instant, [LOCAL]: local } });
  };

  test("nothing asked, nothing filtered", () => expect(timeFilter(timeOf({}))).toBeUndefined());

  test("from and to are half-open", () => {
    const time = timeOf({ from: "2016-12-16T09:00", to: "2016-12-16T10:00" });
    expect(passes(time, "2016-12-16T15:00Z", -1n)).toBe(false);
    expect(passes(time, "2016-12-16T15:00Z")).toBe(true);
    expect(passes(time, "2016-12-16T16:00Z", -1n)).toBe(true);
    expect(passes(time, "2016-12-16T16:00Z")).toBe(false);
  });

  test("from alone and to alone are open at the other end", () => {
    expect(passes(timeOf({ from: "2016-12-16" }), "9999-01-01T00:00Z")).toBe(true);
    expect(passes(timeOf({ from: "2016-12-16" }), "2016-12-16T05:59Z")).toBe(false);
    expect(passes(timeOf({ to: "2016-12-16" }), "0001-01-01T00:00Z")).toBe(true);
    expect(passes(timeOf({ to: "2016-12-16" }), "2016-12-16T06:00Z")).toBe(false);
  });

  test("hours are those of local clocks, before and after a change", () => {
    const time = timeOf({ hours: "9-10" });
    for (const day of ["2016-12-16T15", "2016-07-16T14", "1969-12-31T15", "1969-07-16T14"]) {
      expect(passes(time, `${day}:00Z`, -1n)).toBe(false);
      expect(passes(time, `${day}:00Z`)).toBe(true);
      expect(passes(time, `${day}:59:59Z`)).toBe(true);
      expect(passes(time, `${day}:00Z`, HOUR - 1n)).toBe(true);
      expect(passes(time, `${day}:00Z`, HOUR)).toBe(false);
    }
  });

  test("hours over midnight, to midnight and all day", () => {
    const night = timeOf({ hours: "22-6", tz: "UTC" });
    const evening = timeOf({ hours: "22:30-24", tz: "UTC" });
    for (const [clock, inNight, inEvening] of [
      ["21:59:59", false, false],
      ["22:00:00", true, false],
      ["22:30:00", true, true],
      ["23:59:59", true, true],
      ["00:00:00", true, false],
      ["05:59:59", true, false],
      ["06:00:00", false, false],
      ["12:00:00", false, false],
    ] as const) {
      expect([clock, passes(night, `2016-12-16T${clock}Z`)]).toEqual([clock, inNight]);
      expect([clock, passes(evening, `2016-12-16T${clock}Z`)]).toEqual([clock, inEvening]);
      expect(passes(timeOf({ hours: "0-24" }), `2016-12-16T${clock}Z`)).toBe(true);
    }
  });

  test("all of them at once, at any instant", () => {
    const hour = fc.integer({ min: 0, max: 23 });
    const minute = fc.integer({ min: 0, max: 59 });
    const seconds = fc.integer({ min: Date.UTC(2016, 9) / 1000, max: Date.UTC(2016, 11) / 1000 });
    fc.assert(
      fc.property(hour, minute, hour, minute, seconds, (fromHour, fromMinute, toHour, toMinute, second) => {
        const [from, to] = [60 * fromHour + fromMinute, 60 * toHour + toMinute];
        fc.pre(from !== to && to !== 0);
        const two = (part: number): string => String(part).padStart(2, "0");
        const hours = `${fromHour}:${two(fromMinute)}-${toHour}:${two(toMinute)}`;
        const time = timeOf({ from: "2016-10-20", to: "2016-11-20", hours });
        const clock = new Intl.DateTimeFormat("en-GB", {
          timeZone: "America/Chicago",
          dateStyle: "short",
          timeStyle: "medium",
        }).format(second * 1000);
        const [, day, month, h, m] = /^(\d\d)\/(\d\d)\/\d{4}, (\d\d):(\d\d)/.exec(clock)!.map(Number);
        const ofDay = 60 * h! + m!;
        const inDays = (month === 10 && day! >= 20) || (month === 11 && day! < 20);
        const inHours = from < to ? ofDay >= from && ofDay < to : ofDay >= from || ofDay < to;
        expect(passes(time, new Date(second * 1000).toISOString())).toBe(inDays && inHours);
      }),
      { numRuns: 500 },
    );
  });
});
