/** What a first look prints of a file: nothing that may be a protected value, whatever its column is called. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnOf, expectHidden, look, lookAtCsv } from "../../../test/support/first-looks.ts";
import { firstLook } from "./guess-columns.ts";

describe("what may be a value is not shown", () => {
  const NAMES = [
    "speed",
    "Speed_kmh",
    "amount",
    "total price",
    "temperature",
    "duration",
    "score",
    "weight",
    "x",
    "delay",
    "response_time",
    "Wert",
  ];
  const digits = fc.integer({ min: 1_000_000, max: 9_999_999 });
  const written = fc.tuple(digits, fc.constantFrom("", "-"), fc.constantFrom(".", "")).map(([number, sign, point]) => {
    const text = String(number);
    return `${sign}${text.slice(0, 3)}${point}${text.slice(3)}`;
  });

  test("whatever the column is called and wherever it stands", () => {
    const cells = fc.array(fc.oneof({ weight: 5, arbitrary: written }, { weight: 1, arbitrary: fc.constant("") }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
        cells,
        fc.boolean(),
        (names, values, first) => {
          const rows = values.map((value, at) => {
            const numbers = Object.fromEntries(names.map((name) => [name, value]));
            const others = { user_id: `u${at % 2}`, shop: `s${at % 3}` };
            return first ? { ...numbers, ...others } : { ...others, ...numbers };
          });
          const found = look(rows);
          expectHidden(
            found,
            values.filter((value) => value !== ""),
          );
          for (const name of names) expect(columnOf(found, name).samples ?? []).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("numbers as JSON has them", () => {
    const rows = [77.125, 78.25, null, 79.5].map((speed, at) => ({ bus: `b${at}`, line: "N9", speed }));
    const found = look(rows);
    expect(found.guess).toMatchObject({ user: "bus", value: "speed", by: "line", missing: "midpoint" });
    expectHidden(found, ["77.125", "78.25", "79.5"]);
  });

  test.each(["NA", "N/A", "null", "NaN", "-", "error"])("numbers with %s for what is missing", (word) => {
    const found = lookAtCsv(`bus,line,speed\nb1,9,77.125\nb2,9,${word}\nb1,22,78.25\n`);
    expectHidden(found, ["77.125", "78.25"]);
  });

  test.each([
    ["a unit", "77.125 km/h", "78.25 km/h"],
    ["a currency", "£77.12", "£78.25"],
    ["thousands", '"1,077.12"', '"2,078.25"'],
  ])("numbers with %s", (_, first, second) => {
    const found = lookAtCsv(`card_id,shop,amount\nc1,s1,${first}\nc2,s1,${second}\nc1,s2,${first}\n`);
    expectHidden(found, ["77.12", "78.25", "077.12", "078.25"]);
  });

  test.each(["km_per_hour", "steps_per_day", "spend_per_month"])("numbers called %s", (name) => {
    const found = lookAtCsv(`user_id,shop,${name},weight\nu1,s1,7712.5,61.5\nu2,s1,7825.5,62.5\n`);
    expectHidden(found, ["7712.5", "7825.5"]);
  });

  test.each([
    ["account_balance", "amount"],
    ["passenger_count", "fare_amount"],
    ["sensor_reading", "speed"],
    ["customer_age", "price"],
  ])("%s is neither user nor shown", (name, value) => {
    const found = lookAtCsv(`${name},shop,${value}\n7712.5,s1,61.5\n7825.5,s1,62.5\n7712.5,s2,63.5\n`);
    expect(found.guess["user"]).not.toBe(name);
    expectHidden(found, ["7712.5", "7825.5"]);
  });
});

describe("of numbers only places, the time, the user and ids are shown", () => {
  const names = ["iq_code", "phone_number", "score_key", "test_no", "hour", "day", "zip", "zone", "lineNumber", "ids"];

  test.each(names)("%s is not", (name) => {
    const found = lookAtCsv(`user_id,speed,${name}\nu1,61.5,7712\nu2,62.5,7825\nu1,63.5,7712\n`);
    expect(columnOf(found, name)).toMatchObject({ type: "number", samples: null });
    expectHidden(found, ["7712", "7825"]);
  });

  test("nor where some of them are words", () => {
    const found = lookAtCsv("user_id,speed,iq_code\nu1,61.5,7712\nu2,62.5,unknown\nu1,63.5,7825\n");
    expectHidden(found, ["7712", "7825"]);
  });

  test.each(["trip_id", "tripId", "id"])("%s is", (name) => {
    const found = lookAtCsv(`rider,speed,${name}\nann,61.5,7712\nbob,62.5,7825\n`);
    expect(columnOf(found, name)).toMatchObject({ type: "number", samples: ["7712", "7825"] });
  });

  test("seconds since 1970 are where they are the time, not in a second column", () => {
    const found = lookAtCsv("user_id,speed,ts,updated\nu1,61.5,1481878800,1481879901\nu2,62.5,1481878860,1481879962\n");
    expect(columnOf(found, "ts")).toMatchObject({ role: "time", samples: ["1481878800", "1481878860"] });
    expect(columnOf(found, "updated")).toMatchObject({ type: "time", role: null, samples: null });
    const written = lookAtCsv(
      "user_id,speed,ts,end_date\nu1,61.5,1481878800,2016-12-16\nu2,62.5,1481878860,2016-12-17\n",
    );
    expect(columnOf(written, "end_date").samples).toEqual(["2016-12-16", "2016-12-17"]);
  });

  test("text with digits is, where it is called a label", () => {
    const found = lookAtCsv("rider,speed,stop_code\nann,61.5,103D\nbob,62.5,7U\n");
    expect(columnOf(found, "stop_code").samples).toEqual(["103D", "7U"]);
  });
});

test("lists and objects inside a row, and numbers with a unit, are not shown", () => {
  const found = lookAtCsv("bus_id,tempo,zone\nb1,12 km/h,n\nb2,33 km/h,s\n");
  expect(found.columns.find(({ name }) => name === "tempo")?.samples).toBeNull();
  const rows = [{ data: [{ speed: 12.5 }], bus_id: "a" }];
  const nested = firstLook({
    source: "w.json",
    files: [],
    table: null,
    rows,
    isComplete: true,
    columns: ["data", "bus_id"],
    kind: "json lines",
  });
  expect(JSON.stringify(nested)).not.toContain("12.5");
});
