/** Checks the city's text: same seed same bytes, sizes near the target, formats that agree, and the wild schema's copies. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { cityRecords, textOfCity as textOf } from "../../../../test/support/city-records.ts";
import { type CityTextOptions, cityText } from "./text.ts";

function rowsOf(options: CityTextOptions): string[] {
  const lines = textOf({ ...options, format: "csv" }).split("\n");
  expect(lines.pop()).toBe("");
  return lines.slice(1);
}

const SMALL = { seed: 1, records: 12_000 };

/** The first 16 digits of the SHA-256 of what these options have always given. */
test.each([
  ["plain", "csv", "c1829e1905db8b03"],
  ["plain", "json", "387585a870310676"],
  ["wild", "csv", "86a5dd5fb24eb5f9"],
  ["wild", "jsonl", "0ad3b8b88d519e6e"],
] as const)("%s %s of seed 1 never changes", (schema, format, digits) => {
  const hash = createHash("sha256");
  for (const chunk of cityText({ seed: 1, vehicles: 40, schema, format })) hash.update(chunk);
  expect(hash.digest("hex").slice(0, 16)).toBe(digits);
});

test.each(["plain", "wild"] as const)("%s: a seed decides the bytes, and seeds differ", (schema) => {
  const text = textOf({ ...SMALL, schema });
  expect(textOf({ ...SMALL, schema })).toBe(text);
  const others = [2, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER].map((seed) => textOf({ ...SMALL, seed, schema }));
  expect(new Set([text, ...others]).size).toBe(4);
});

test("chunks are bounded and are the caller's to keep", () => {
  const chunks = [...cityText(SMALL)];
  expect(chunks.length).toBeGreaterThan(5);
  for (const chunk of chunks.slice(0, -1)) expect(chunk.length >= 65_536 && chunk.length <= 262_144).toBe(true);
  expect(chunks.map((chunk) => new TextDecoder().decode(chunk)).join("")).toBe(textOf(SMALL));
});

test("plain text is the same records in every format", () => {
  const records = cityRecords(SMALL);
  const [header, first] = textOf(SMALL).split("\n");
  expect(header).toBe("vehicle_id,route_id,trip_id,timestamp,latitude,longitude,speed");
  expect(first).toMatch(/^bus-\d{4},R\d\d,\d{8}-\d{4}-\d\d,\S{25},21\.\d{6},72\.\d{6},\d+\.\d$/);
  const objects = records.map(({ vehicleId, routeId, tripId, timestamp, latitude, longitude, speedKmh }) => {
    const ids = { vehicle_id: vehicleId, route_id: routeId, trip_id: tripId };
    return { ...ids, timestamp, latitude, longitude, speed: speedKmh };
  });
  expect(JSON.parse(textOf({ ...SMALL, format: "json" }))).toEqual(objects);
  const jsonLines = textOf({ ...SMALL, format: "jsonl" })
    .trimEnd()
    .split("\n");
  expect(jsonLines.map((line) => JSON.parse(line))).toEqual(objects);
});

test("wild text looks like a city's feed", () => {
  const row =
    /^\d{12},(\d{3}[UD])?,(-?\d+)?,GJ05[A-Z]{2}\d{4},2026-03-10 \d\d:\d\d:\d\d\+05:30,(\d+\.\d)?,Point,"\[72\.\d{6}, 21\.\d{6}\]"$/;
  expect(textOf({ ...SMALL, schema: "wild" }).split("\n", 1)).toEqual([
    "trip_id,route_id,trip_delay,license_plate,observationDateTime,speed,location.type,location.coordinates",
  ]);
  const rows = rowsOf({ ...SMALL, records: 100_000, schema: "wild" });
  expect(rows.filter((text) => !row.test(text))).toEqual([]);
  const fields = rows.map((text) => text.split(","));
  const share = (isWanted: (row: string[]) => boolean) => fields.filter(isWanted).length / fields.length;
  const blankSpeeds = share((row) => row[5] === "");
  expect(blankSpeeds).toBeGreaterThan(0.003);
  expect(blankSpeeds).toBeLessThan(0.007);
  expect(share((row) => row[1] === "")).toBeGreaterThan(0.01);
  expect(share((row) => row[2] === "")).toBeGreaterThan(0.2);
});

test("wild rows come two to four times, equal where trip and time are, some of them later", () => {
  const rows = rowsOf({ ...SMALL, schema: "wild" });
  const copiesOf = new Map<string, string[]>();
  for (const row of rows) {
    const fields = row.split(",");
    const key = `${fields[0]},${fields[4]}`;
    copiesOf.set(key, [...(copiesOf.get(key) ?? []), row]);
  }
  for (const copies of copiesOf.values()) {
    expect(copies.length >= 2 && copies.length <= 4).toBe(true);
    expect(new Set(copies).size).toBe(1);
  }
  const seen = new Set<string>();
  const apart = rows.filter((row, at) => {
    const isLater = seen.has(row) && rows[at - 1] !== row;
    seen.add(row);
    return isLater;
  }).length;
  expect(apart).toBeGreaterThan(rows.length / 5);
});

test("wild rows without copies are the plain records, but for blanks and dead speedometers", () => {
  const size = { seed: 5, vehicles: 60, hours: [7, 9] as const };
  const wild = [...new Set(rowsOf({ ...size, schema: "wild" }))].map((row) => row.split(","));
  const plain = cityRecords(size);
  expect(wild.length).toBe(plain.length);
  const placeAndTime = wild.map((row) => `${row[4]!.replace(" ", "T")} ${row.slice(7).join().slice(2, -2)}`);
  expect(placeAndTime.toSorted()).toEqual(
    plain.map((r) => `${r.timestamp} ${r.longitude.toFixed(6)}, ${r.latitude.toFixed(6)}`).toSorted(),
  );
  expect(new Set(wild.map((row) => row[3])).size).toBe(new Set(plain.map((r) => r.vehicleId)).size);
});

test("wild JSON nests the location and has null where CSV is blank", () => {
  const rows = rowsOf({ ...SMALL, schema: "wild" });
  const objects = JSON.parse(textOf({ ...SMALL, schema: "wild", format: "json" }));
  expect(objects.length).toBe(rows.length);
  const asRow = (object: (typeof objects)[number]) =>
    [
      object.trip_id,
      object.route_id,
      object.trip_delay,
      object.license_plate,
      object.observationDateTime,
      object.speed?.toFixed(1),
      object.location.type,
      `"[${object.location.coordinates.map((degrees: number) => degrees.toFixed(6)).join(", ")}]"`,
    ].join();
  expect(objects.map(asRow)).toEqual(rows);
});
