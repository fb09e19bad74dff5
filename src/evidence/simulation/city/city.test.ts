/** Checks that what cannot be simulated is refused in one line at the call, that sizes are met, and the preset's likeness to the paper's bus data. */
import fc from "fast-check";
import { latLngToCell } from "h3-js";
import { expect, test } from "vitest";
import { cityRecords } from "../../../../test/support/city-records.ts";
import { checkCityOptions } from "./city.ts";
import { type CityTextOptions, cityText } from "./text.ts";

function refused(options: object, message: RegExp): void {
  const expected = expect.objectContaining({ code: "PARAMETER_INVALID", message: expect.stringMatching(message) });
  expect(() => cityText({ seed: 1, ...options } as CityTextOptions)).toThrow(expected);
}

test.each<[name: string, value: unknown]>([
  ["seed", -1],
  ["seed", 1.5],
  ["seed", 2 ** 53],
  ["records", 99],
  ["records", 1e9 + 1],
  ["records", Number.NaN],
  ["vehicles", 0],
  ["vehicles", 20_001],
  ["days", 0],
  ["utcOffsetMinutes", 900],
  ["utcOffsetMinutes", 5.5],
])("%s %d", (name, value) => {
  refused({ [name]: value }, new RegExp(`^${name} ${value} must be a whole number from .+$`));
});

test.each([
  "2026-02-29",
  "2026-02-30",
  "2100-02-29",
  "2026-13-01",
  "2026-00-10",
  "2026-3-10",
  "10.03.2026",
  "1066-10-14",
  "",
])("'%s' is no date", (date) => refused({ date }, new RegExp(`^date '${date}' must be a day such as 2026-03-10$`)));

test("every day of the calendar is a date", () => {
  const days = fc.date({ min: new Date("1900-01-01"), max: new Date("2199-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(days, (day) => {
      const date = day.toISOString().slice(0, 10);
      expect(checkCityOptions({ seed: 1, date }).firstSecond).toBe(Date.parse(date) / 1000);
    }),
  );
});

test("hours and choices", () => {
  for (const hours of [
    [10, 9],
    [9, 9],
    [-1, 3],
    [3, 25],
    [Number.NaN, 4],
  ])
    refused({ hours }, /^hours \S+ must be .+$/);
  refused({ preset: "poster" }, /^preset 'poster' must be 'paper'$/);
  refused({ schema: "tame" }, /^schema 'tame' must be one of plain, wild$/);
  refused({ format: "xml" }, /^format 'xml' must be one of csv, jsonl, json$/);
});

test("more records than the buses could report, and hours without any bus", () => {
  refused({ records: 1_000_000, vehicles: 10, days: 1 }, /^records 1000000 must be at most \d+ for these vehicles.+$/);
  refused({ vehicles: 1, hours: [2, 3] }, /^hours 2-3 must have a bus on the road.+$/);
});

test.each<Partial<CityTextOptions>>([
  { records: 100 },
  { records: 250 },
  { records: 3000, vehicles: 700 },
  { records: 20_000, vehicles: 3 },
  { records: 40_000, days: 5 },
  { records: 50_000, hours: [9, 10] },
  { records: 120_000, preset: "paper" },
  { records: 250_000, date: "2024-12-31" },
])("the size of %o comes out near its target", (options) => {
  for (const schema of ["plain", "wild"] as const) {
    let rows = -1;
    for (const chunk of cityText({ seed: 3, schema, ...options }))
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1;
    expect(Math.abs(rows / options.records! - 1)).toBeLessThan(0.05);
  }
});

/** Users seen in the 50 hexagons with most records from nine to ten, and the most of them one user is seen in. */
function shapeOf(seed: number): { grids: number; users: number; mostGrids: number } {
  const cells = new Map<string, { records: number; users: Set<string> }>();
  for (const { latitude, longitude, vehicleId } of cityRecords({ seed, preset: "paper", hours: [9, 10] })) {
    const id = latLngToCell(latitude, longitude, 8);
    const cell = cells.get(id) ?? { records: 0, users: new Set() };
    cells.set(id, cell);
    cell.records += 1;
    cell.users.add(vehicleId);
  }
  const busiest = [...cells].sort(([a, x], [b, y]) => y.records - x.records || (a < b ? -1 : 1)).slice(0, 50);
  const gridsOf = new Map<string, number>();
  for (const [, cell] of busiest) for (const user of cell.users) gridsOf.set(user, (gridsOf.get(user) ?? 0) + 1);
  return { grids: busiest.length, users: gridsOf.size, mostGrids: Math.max(...gridsOf.values()) };
}

/** The paper's: L = 223 users, at most 11 grids each. */
test.each([1, 2, 3])("the paper's preset, seed %i", (seed) => {
  const { grids, users, mostGrids } = shapeOf(seed);
  expect(grids).toBe(50);
  expect(users).toBeGreaterThanOrEqual(215);
  expect(users).toBeLessThanOrEqual(231);
  expect(mostGrids).toBeGreaterThanOrEqual(10);
  expect(mostGrids).toBeLessThanOrEqual(12);
});
