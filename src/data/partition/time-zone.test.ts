/** Checks zones against the platform's own offsets and known changes of the clocks, and times given as text. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import {
  DAY,
  HOUR,
  instantOfWall,
  MINUTE,
  offsetAt,
  offsetText,
  parseInstant,
  parseZone,
  SECOND,
  type TimeZone,
} from "./time-zone.ts";

const ZONES = [
  "America/Chicago",
  "Europe/Berlin",
  "Australia/Lord_Howe",
  "Africa/Casablanca",
  "Asia/Kolkata",
  "America/Sao_Paulo",
  "Pacific/Apia",
  "Asia/Pyongyang",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Africa/Monrovia",
  "Europe/Dublin",
  "Antarctica/Troll",
  "America/Caracas",
];

const at = (iso: string): bigint => BigInt(Date.parse(iso)) * 1000n;

/** The offset as the platform writes it, not as the difference of two clocks. */
function platformOffset(name: string, instant: bigint): bigint {
  const format =
    platformFormats.get(name) ?? new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  platformFormats.set(name, format);
  const text = format.formatToParts(Number(instant / 1000n)).find(({ type }) => type === "timeZoneName")!.value;
  const match = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)!;
  const size = BigInt(match[2] ?? 0) * HOUR + BigInt(match[3] ?? 0) * MINUTE + BigInt(match[4] ?? 0) * SECOND;
  return match[1] === "-" ? -size : size;
}
const platformFormats = new Map<string, Intl.DateTimeFormat>();

function refusalOf(run: () => unknown): VeilgridError {
  try {
    run();
  } catch (error) {
    if (!(error instanceof VeilgridError)) throw error;
    expect(error.message).not.toMatch(/[\n\r]/);
    return error;
  }
  throw new Error("it was accepted");
}

describe("parseZone", () => {
  test.each([
    ["UTC", "UTC", 0n],
    ["Z", "UTC", 0n],
    ["+05:30", "+05:30", 5n * HOUR + 30n * MINUTE],
    ["-06:00", "-06:00", -6n * HOUR],
    ["+0545", "+05:45", 5n * HOUR + 45n * MINUTE],
    ["-00:30", "-00:30", -30n * MINUTE],
    ["+14:00", "+14:00", 14n * HOUR],
  ])("%s never changes", (text, name, firstOffset) => {
    expect(parseZone(text)).toEqual({ name, firstOffset, transitions: [] });
  });

  test("a name is followed through its changes, which are ascending and each a change", () => {
    for (const name of ZONES) {
      const zone = parseZone(name);
      expect(zone.name).toBe(name);
      let before: { at: bigint; offset: bigint } = { at: at("1899-12-31T00:00Z"), offset: zone.firstOffset };
      for (const transition of zone.transitions) {
        expect(transition.at > before.at).toBe(true);
        expect(transition.offset).not.toBe(before.offset);
        before = transition;
      }
    }
  });

  test.each([
    "Mars/Olympus",
    "",
    " ",
    "UTC+1x",
    "+5:30",
    "+05:60",
    "+18:01",
    "-99:00",
    "America/Chicago ",
    "a\nb",
  ])("%j is refused in one line that names the flag", (text) => {
    const { code, message } = refusalOf(() => parseZone(text));
    expect(code).toBe("PARAMETER_INVALID");
    expect(message).toMatch(/^--tz '/);
    expect(refusalOf(() => parseZone(text, "--other")).message).toMatch(/^--other '/);
  });
});

describe("known changes of the clocks", () => {
  test.each([
    ["America/Recife", "2000-10-08T03:00Z", "2000-10-15T02:00Z"],
    ["America/Boa_Vista", "2000-10-08T04:00Z", "2000-10-15T03:00Z"],
    ["America/Noronha", "2000-10-08T02:00Z", "2000-10-15T01:00Z"],
    ["America/Fortaleza", "2000-10-08T03:00Z", "2000-10-22T02:00Z"],
    ["America/Argentina/Tucuman", "2004-06-01T03:00Z", "2004-06-13T04:00Z"],
  ])("a stretch shorter than two weeks is seen: %s from %s to %s", (name, from, to) => {
    const zone = parseZone(name);
    for (const instant of [at(from) - 1n, at(from), at(to) - 1n, at(to)])
      expect(offsetAt(zone, instant)).toBe(platformOffset(name, instant));
    expect(zone.transitions.map((transition) => transition.at)).toEqual(expect.arrayContaining([at(from), at(to)]));
  });
});

test("offsetAt is the platform's offset at any instant of 1970 to 2037", () => {
  const seconds = fc.integer({ min: 0, max: Date.UTC(2038, 0) / 1000 - 1 });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), seconds, (name, second) => {
      const instant = BigInt(second) * SECOND;
      expect(offsetAt(parseZone(name), instant)).toBe(platformOffset(name, instant));
    }),
    { numRuns: 5000 },
  );
});

test("offsetAt changes with the platform's offset, to the second, at every change of 1970 to 2037", () => {
  for (const name of ZONES) {
    const zone = parseZone(name);
    for (const { at: change } of zone.transitions) {
      if (change < 0n || change >= at("2038-01-01T00:00Z")) continue;
      for (const instant of [change - SECOND, change, change + SECOND])
        expect(offsetAt(zone, instant)).toBe(platformOffset(name, instant));
      expect(offsetAt(zone, change - 1n)).toBe(offsetAt(zone, change - SECOND));
    }
  }
});

test("the nearest year's offset holds beyond the years that are followed", () => {
  const zone = parseZone("Europe/Berlin");
  expect(offsetAt(zone, at("1500-01-01T00:00Z"))).toBe(HOUR);
  expect(offsetAt(zone, at("9000-01-01T00:00Z"))).toBe(zone.transitions.at(-1)!.offset);
});

/** Every instant at which local clocks show `wall`. */
function instantsShowing(zone: TimeZone, wall: bigint): bigint[] {
  const offsets = new Set([zone.firstOffset, ...zone.transitions.map(({ offset }) => offset)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((instant) => instant + offsetAt(zone, instant) === wall)
    .sort((left, right) => Number(left - right));
}

describe("instantOfWall", () => {
  test("a day that was skipped over the date line", () => {
    expect(instantOfWall(parseZone("Pacific/Apia"), at("2011-12-30T12:00Z"))).toBe(at("2011-12-30T22:00Z"));
  });

  test("the earliest instant that shows it; none: as far after the change as it lies into the gap", () => {
    const wall = fc.constantFrom(...ZONES).chain((name) => {
      const zone = parseZone(name);
      const near = fc
        .tuple(fc.nat({ max: zone.transitions.length - 1 }), fc.bigInt({ min: -2n * DAY, max: 2n * DAY }))
        .map(([index, away]) => zone.transitions[index]!.at + away);
      return fc.record({ name: fc.constant(name), wall: near });
    });
    fc.assert(
      fc.property(wall, ({ name, wall }) => {
        const zone = parseZone(name);
        const found = instantOfWall(zone, wall);
        const [earliest] = instantsShowing(zone, wall);
        if (earliest !== undefined) {
          expect(found).toBe(earliest);
          return;
        }
        const index = zone.transitions.findLastIndex(({ at }) => at <= found);
        const change = zone.transitions[index]!;
        const before = zone.transitions[index - 1]?.offset ?? zone.firstOffset;
        expect(found - change.at).toBe(wall - (change.at + before));
        expect(wall < change.at + change.offset).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("parseInstant", () => {
  const utc = parseZone("UTC");
  const chicago = parseZone("America/Chicago");

  test.each([
    ["2016-12-16", "2016-12-16T00:00:00Z", 0n],
    ["2016-12-16T09:00", "2016-12-16T09:00:00Z", 0n],
    ["2016-12-16 09:00", "2016-12-16T09:00:00Z", 0n],
    ["2016-12-16T09:00:07", "2016-12-16T09:00:07Z", 0n],
    ["2016-12-16T09:00:07.5", "2016-12-16T09:00:07Z", 500_000n],
    ["2016-12-16T09:00:07.000001", "2016-12-16T09:00:07Z", 1n],
    ["2016-12-16T09:00Z", "2016-12-16T09:00:00Z", 0n],
    ["2016-12-16T09:00-06:00", "2016-12-16T15:00:00Z", 0n],
    ["2016-12-16T09:00 +05:30", "2016-12-16T03:30:00Z", 0n],
    ["2016-12-16T09:00+0530", "2016-12-16T03:30:00Z", 0n],
    ["2016-12-16+05:30", "2016-12-15T18:30:00Z", 0n],
    ["2016-02-29", "2016-02-29T00:00:00Z", 0n],
    ["1969-12-31T23:59:59.999999", "1969-12-31T23:59:59Z", 999_999n],
    ["1815-06-18T11:35Z", "1815-06-18T11:35:00Z", 0n],
  ])("%s", (text, instant, micros) => {
    expect(parseInstant(text, utc, "--from")).toBe(at(instant) + micros);
  });

  test("without offset it is read in the zone, with one it is not", () => {
    expect(parseInstant("2016-12-16T09:00", chicago, "--from")).toBe(at("2016-12-16T15:00Z"));
    expect(parseInstant("2016-07-16", chicago, "--from")).toBe(at("2016-07-16T05:00Z"));
    expect(parseInstant("2016-11-06T01:30", chicago, "--from")).toBe(at("2016-11-06T06:30Z"));
    expect(parseInstant("2016-11-06T01:30-06:00", chicago, "--from")).toBe(at("2016-11-06T07:30Z"));
    expect(parseInstant("2016-12-16T09:00Z", chicago, "--from")).toBe(at("2016-12-16T09:00Z"));
  });

  test.each([
    "2016-02-30",
    "2015-02-29",
    "2016-13-01",
    "2016-00-10",
    "2016-01-00",
    "2016-12-16T24:00",
    "2016-12-16T23:60",
    "2016-12-16T23:59:60",
    "2016-12-16T9:00",
    "2016-12-16T09",
    "2016-12-16T09:00:00.",
    "2016-12-16T09:00:00.0000001",
    "2016-12-16T09:00+25:00",
    "2016-12-16T09:00+05:75",
    "16-12-2016",
    "2016-1-1",
    "20161216",
    "1481878800",
    "yesterday",
    "",
    " 2016-12-16",
    "2016-12-16T09:00 America/Chicago",
    "２０１６-12-16",
  ])("%j is refused in one line that names the flag", (text) => {
    const { code, message } = refusalOf(() => parseInstant(text, utc, "--to"));
    expect(code).toBe("PARAMETER_INVALID");
    expect(message).toMatch(/^--to '/);
  });

  test("whatever an ISO text with offset says", () => {
    const instant = fc.date({
      min: new Date("0200-01-01T00:00Z"),
      max: new Date("9998-12-31T00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, fc.integer({ min: -18 * 60, max: 18 * 60 }), (date, minutes) => {
        const wall = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const offset = offsetText(BigInt(minutes) * MINUTE);
        expect(parseInstant(`${wall}${offset}`, chicago, "--from")).toBe(BigInt(date.getTime()) * 1000n);
      }),
    );
  });
});
