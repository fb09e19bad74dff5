/** Checks slots as flags and labels: what is accepted, what it is called, and that a label leads back to its start. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import { parseSlot, slotLabel, slotStart, slotText } from "./slot.ts";
import { DAY, HOUR, MINUTE, parseInstant, parseZone, SECOND } from "./time-zone.ts";

test.each([
  ["1h", HOUR, "1h"],
  ["15m", 15n * MINUTE, "15m"],
  ["15min", 15n * MINUTE, "15m"],
  ["60m", HOUR, "1h"],
  ["3600s", HOUR, "1h"],
  ["90s", 90n * SECOND, "90s"],
  ["1s", SECOND, "1s"],
  ["5h", 5n * HOUR, "5h"],
  ["23h", 23n * HOUR, "23h"],
  ["86399s", DAY - SECOND, "86399s"],
])("%s is a part of the day", (text, length, canonical) => {
  const slot = parseSlot(text);
  expect(slot).toEqual({ kind: "part", length });
  expect(slotText(slot)).toBe(canonical);
  expect(parseSlot(slotText(slot))).toEqual(slot);
});

test.each([
  ["1d", "day", "1d"],
  ["24h", "day", "1d"],
  ["1w", "week", "1w"],
  ["7d", "week", "1w"],
])("%s is a %s", (text, kind, canonical) => {
  expect(parseSlot(text)).toEqual({ kind });
  expect(slotText(parseSlot(text))).toBe(canonical);
});

test.each([
  "",
  "h",
  "1",
  "0h",
  "01h",
  "-1h",
  "1.5h",
  "1 h",
  "1H",
  "2d",
  "2w",
  "25h",
  "86400s",
  "1440m",
  "999999h",
  "1000000s",
  "1h\n",
  "1month",
])("%j is refused in one line with examples", (text) => {
  let error: unknown;
  try {
    parseSlot(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(VeilgridError);
  const { code, message } = error as VeilgridError;
  expect(code).toBe("PARAMETER_INVALID");
  expect(message).toMatch(/^--slot '.*' is unknown; write 15m, 1h, 6h, 1d or 1w$/);
});

describe("slotLabel", () => {
  const start = (iso: string): bigint => BigInt(Date.parse(iso)) * 1000n;

  test.each([
    ["America/Chicago", "2016-12-16T15:00:00Z", "2016-12-16T09:00-06:00"],
    ["America/Chicago", "2016-11-06T06:00:00Z", "2016-11-06T01:00-05:00"],
    ["America/Chicago", "2016-11-06T07:00:00Z", "2016-11-06T01:00-06:00"],
    ["UTC", "2016-12-16T15:00:00Z", "2016-12-16T15:00+00:00"],
    ["UTC", "2016-12-16T15:01:30Z", "2016-12-16T15:01:30+00:00"],
    ["+05:30", "2016-12-16T18:30:00Z", "2016-12-17T00:00+05:30"],
    ["UTC", "1969-12-31T23:58:30Z", "1969-12-31T23:58:30+00:00"],
    ["UTC", "0900-01-01T00:00:00Z", "0900-01-01T00:00+00:00"],
    ["Europe/Berlin", "9999-12-31T23:59:00Z", "+010000-01-01T00:59+01:00"],
  ])("in %s, %s is %s", (zone, iso, label) => {
    expect(slotLabel(start(iso), parseZone(zone))).toBe(label);
    expect(slotStart(label)).toBe(start(iso));
  });

  test("a label leads back to its start also where the offset had seconds", () => {
    const monrovia = parseZone("Africa/Monrovia");
    const label = slotLabel(start("1971-06-01T00:44:30Z"), monrovia);
    expect(label).toBe("1971-06-01T00:00-00:44:30");
    expect(parseInstant(label, monrovia, "--from")).toBe(start("1971-06-01T00:44:30Z"));
    expect(slotStart(label)).toBe(start("1971-06-01T00:44:30Z"));
  });

  test("every second of years 1 to 10,002 is found again by its label, in any zone", () => {
    const second = fc.integer({ min: -62_135_510_400, max: 253_500_000_000 });
    const zone = fc.constantFrom("UTC", "-18:00", "+05:30", "Asia/Kathmandu", "Africa/Monrovia", "Pacific/Apia");
    fc.assert(
      fc.property(second, zone, (at, name) => {
        expect(slotStart(slotLabel(BigInt(at) * SECOND, parseZone(name)))).toBe(BigInt(at) * SECOND);
      }),
    );
  });
});
