/** Checks that the simulated day is a believable one: ranges, order, rush hours, a slow centre, buses that keep to physics. */
import { expect, test } from "vitest";
import { type CityRecord, cityRecords } from "../../../../test/support/city-records.ts";

const records = cityRecords({ seed: 1 });
const byVehicle = new Map<string, CityRecord[]>();
for (const record of records) {
  const own = byVehicle.get(record.vehicleId);
  if (own === undefined) byVehicle.set(record.vehicleId, [record]);
  else own.push(record);
}
const hourOf = (record: CityRecord) => Number(record.timestamp.slice(11, 13));
const secondOf = ({ timestamp }: CityRecord) => Date.parse(timestamp) / 1000;

function metresFromCentre({ latitude, longitude }: CityRecord): number {
  return Math.hypot((latitude - 21.17) * 110_730, (longitude - 72.83) * 103_860);
}

/** Records with the ones before them. */
const pairs = (list: readonly CityRecord[]) => list.slice(1).map((after, index) => [list[index]!, after] as const);
const ownPairs = [...byVehicle.values()].flatMap(pairs);

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

test("a day has some 400,000 records, of a few hundred vehicles", () => {
  expect(records.length).toBeGreaterThan(300_000);
  expect(records.length).toBeLessThan(500_000);
  expect(byVehicle.size).toBe(291);
});

test("ids, times, places and speeds are what they should be", () => {
  const isSound = (record: CityRecord) =>
    /^bus-\d{4}$/.test(record.vehicleId) &&
    /^R\d\d$/.test(record.routeId) &&
    record.tripId.startsWith(`20260310-${record.vehicleId.slice(4)}-`) &&
    /^2026-03-10T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\+05:30$/.test(record.timestamp) &&
    record.speedKmh >= 0 &&
    record.speedKmh <= 65 &&
    metresFromCentre(record) < 7000;
  expect(records.filter((record) => !isSound(record))).toEqual([]);
});

test("records are in order of time, and a vehicle never reports twice in a second", () => {
  expect(pairs(records).filter(([before, after]) => after.timestamp < before.timestamp)).toEqual([]);
  expect(ownPairs.filter(([before, after]) => after.timestamp <= before.timestamp)).toEqual([]);
});

test("a vehicle stays on its route, and trips follow each other", () => {
  for (const own of byVehicle.values()) {
    expect(new Set(own.map((record) => record.routeId)).size).toBe(1);
    const trips = own.map((record) => Number(record.tripId.slice(-2)));
    expect(trips).toEqual(trips.toSorted((a, b) => a - b));
  }
});

test("no bus moves faster than it could", () => {
  const tooFast = ownPairs.filter(([before, after]) => {
    const north = (after.latitude - before.latitude) * 110_730;
    const metres = Math.hypot(north, (after.longitude - before.longitude) * 103_860);
    // 65 km/h, and twice the reach of a reflected signal in both directions. Blocks begin where the last one ended.
    return metres > (secondOf(after) - secondOf(before)) * (65 / 3.6) + 120;
  });
  expect(tooFast).toEqual([]);
});

test("speeds change by no more than a bus can brake, but for the sensor's noise", () => {
  const jumps = ownPairs.filter(([before, after]) => {
    const change = Math.abs(after.speedKmh - before.speedKmh);
    return change > 0.9 * 3.6 * (secondOf(after) - secondOf(before)) + 5.1;
  });
  expect(jumps).toEqual([]);
});

test("buses stand a good part of the time, at speed 0", () => {
  const standing = records.filter((record) => record.speedKmh === 0).length / records.length;
  expect(standing).toBeGreaterThan(0.25);
  expect(standing).toBeLessThan(0.5);
});

test("rush hours have more vehicles than noon, noon more than the night", () => {
  const vehicles = (hour: number) =>
    new Set(records.filter((record) => hourOf(record) === hour).map((record) => record.vehicleId)).size;
  for (const rush of [7, 8, 16, 17, 18]) expect(vehicles(rush)).toBeGreaterThan(1.3 * vehicles(12));
  expect(vehicles(12)).toBeGreaterThan(5 * vehicles(2));
  expect(vehicles(2)).toBeGreaterThan(0);
});

test("the centre is slower than the outskirts, and rush hours than the evening", () => {
  const meanSpeed = (isWanted: (record: CityRecord) => boolean) =>
    mean(records.filter((record) => record.speedKmh > 0 && isWanted(record)).map((record) => record.speedKmh));
  const centre = meanSpeed((record) => metresFromCentre(record) < 1500);
  const outskirts = meanSpeed((record) => metresFromCentre(record) > 3500);
  expect(outskirts).toBeGreaterThan(1.3 * centre);
  expect(meanSpeed((record) => hourOf(record) === 21)).toBeGreaterThan(
    1.1 * meanSpeed((record) => hourOf(record) === 8),
  );
});

test("there are heavy users and light ones, and devices that fall silent", () => {
  const counts = [...byVehicle.values()].map((own) => own.length).sort((a, b) => a - b);
  expect(counts.at(-1)).toBeGreaterThan(5 * counts[counts.length >> 1]!);
  expect(counts[0]).toBeLessThan(counts[counts.length >> 1]! / 10);
  const heaviest = [...byVehicle.values()].find((own) => own.length === counts.at(-1))!;
  const silences = heaviest.slice(1).map((record, at) => secondOf(record) - secondOf(heaviest[at]!));
  expect(silences.toSorted((a, b) => a - b)[silences.length >> 1]).toBe(10);
  expect(Math.max(...silences)).toBeGreaterThan(60);
});

test("hours only leave records out", () => {
  const text = (record: CityRecord) => JSON.stringify(record);
  const expected = records.filter((record) => hourOf(record) === 16 || hourOf(record) === 17).map(text);
  const found = cityRecords({ seed: 1, hours: [16, 18] }).map(text);
  expect(found.toSorted()).toEqual(expected.toSorted());
});

test("days, date and offset", () => {
  const options = { vehicles: 12, days: 3, date: "2024-02-28", utcOffsetMinutes: -210, hours: [8, 9.5] as const };
  const several = cityRecords({ seed: 4, ...options });
  expect([...new Set(several.map((record) => record.timestamp.slice(0, 10)))]).toEqual([
    "2024-02-28",
    "2024-02-29",
    "2024-03-01",
  ]);
  expect(several.every(({ timestamp }) => /T(08:..|09:[0-2].):..-03:30$/.test(timestamp))).toBe(true);
});
