/** What a feed calls its vehicles, routes and trips. */
import type { BusMotion } from "./motion.ts";

/** Letters of licence plates; those that look like digits are left out, as on real ones. */
const LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ";
const SERIES = LETTERS.length * LETTERS.length;
const NUMBERS = 9000;
/** Prime to all plates there are, so that counting in steps of it meets each once. */
const PLATE_STEP = 1_000_003;

export interface CityNames {
  vehicle(bus: BusMotion): string;
  route(bus: BusMotion): string;
  trip(bus: BusMotion): string;
}

/** As bus-0042, R07 and 20260310-0042-07: a day's seventh trip of that bus. */
export function plainNames(vehicles: number, date: string): CityNames {
  const number = numberer(vehicles);
  const day = date.replaceAll("-", "");
  return {
    vehicle: (bus) => `bus-${number(bus)}`,
    route: (bus) => `R${String(bus.vehicle.route.number).padStart(2, "0")}`,
    trip: (bus) => `${day}-${number(bus)}-${String(bus.trip).padStart(2, "0")}`,
  };
}

/** As GJ05BX1234, 107U or 107D by direction, and a trip number of digits only. */
export function wildNames(vehicles: number, date: string, seed: number): CityNames {
  const number = numberer(vehicles);
  const day = date.slice(2).replaceAll("-", "");
  return {
    vehicle: (bus) => plate(bus.vehicle.index, seed),
    route: (bus) => `${100 + bus.vehicle.route.number}${bus.goesOut ? "U" : "D"}`,
    trip: (bus) => `${day}${number(bus)}${String(bus.trip).padStart(2, "0")}`,
  };
}

function plate(index: number, seed: number): string {
  const place = (index * PLATE_STEP + (seed % 1_000_000)) % (SERIES * NUMBERS);
  const series = Math.floor(place / NUMBERS);
  const letters = LETTERS[Math.floor(series / LETTERS.length)]! + LETTERS[series % LETTERS.length]!;
  return `GJ05${letters}${1000 + (place % NUMBERS)}`;
}

function numberer(vehicles: number): (bus: BusMotion) => string {
  const digits = Math.max(4, String(vehicles).length);
  return (bus) => String(bus.vehicle.index + 1).padStart(digits, "0");
}
