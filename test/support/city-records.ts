/** The simulated city's records as objects, read from its CSV. */
import { type CityTextOptions, cityText } from "../../src/evidence/simulation/index.ts";

export interface CityRecord {
  readonly vehicleId: string;
  readonly routeId: string;
  readonly tripId: string;
  /** As 2026-03-10T09:00:03+05:30. */
  readonly timestamp: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
}

export function textOfCity(options: CityTextOptions): string {
  const decoder = new TextDecoder();
  return Array.from(cityText(options), (chunk) => decoder.decode(chunk, { stream: true })).join("");
}

export function cityRecords(options: Omit<CityTextOptions, "schema" | "format">): CityRecord[] {
  const lines = textOfCity(options).trimEnd().split("\n").slice(1);
  return lines.map((line) => {
    const [vehicleId = "", routeId = "", tripId = "", timestamp = "", ...numbers] = line.split(",");
    const [latitude = Number.NaN, longitude = Number.NaN, speedKmh = Number.NaN] = numbers.map(Number);
    return { vehicleId, routeId, tripId, timestamp, latitude, longitude, speedKmh };
  });
}
