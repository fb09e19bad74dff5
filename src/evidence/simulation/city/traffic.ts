/** How fast buses go, by distance from the centre and hour of the day, and how long a trip should take. */
import { itemAt } from "../../../core/errors/index.ts";
import type { Path } from "./routes.ts";

/** What a speed sensor here can say; the paper's bound too. */
export const MOST_KMH = 65;
export const ACCELERATION = 0.9;

/** Cruising speeds in km/h at these distances from the centre, in metres, on a free street; linear in between. */
const AREA_SPEEDS = [
  { radius: 0, kmh: 21 },
  { radius: 1500, kmh: 26 },
  { radius: 3000, kmh: 35 },
  { radius: 4500, kmh: 46 },
  { radius: 6500, kmh: 53 },
] as const;

/** How crowded the streets are in each hour of the day, 0 to 1: two rush hours, the evening's longer. */
const CROWDING = [
  0, 0, 0, 0, 0, 0.05, 0.3, 0.85, 1, 0.6, 0.4, 0.4, 0.45, 0.45, 0.4, 0.55, 0.9, 1, 0.95, 0.6, 0.35, 0.2, 0.1, 0,
] as const;

export const DWELL_SECONDS = { least: 7, most: 26 } as const;
export const HALT_SECONDS = { least: 6, most: 50 } as const;
/** Some stops are passed: nobody waits, nobody rings. */
export const PASSED_STOPS = 0.12;

export function crowdingAt(second: number): number {
  return itemAt(CROWDING, Math.floor(second / 3600) % 24);
}

/** Crowds slow the centre more than the outskirts. */
export function cruisingKmh(radius: number, crowding: number): number {
  const isCentral = Math.max(0, 1 - radius / 5000);
  return freeKmh(radius) * (1.08 - crowding * (0.16 + 0.22 * isCentral));
}

/** The chance that a red light or a jam halts the bus once between two stops. */
export function haltChance(radius: number, crowding: number): number {
  return 0.1 + 0.3 * Math.max(0, 1 - radius / 4000) * (0.4 + 0.6 * crowding);
}

/** Seconds from standstill to standstill; a leg too short for the speed is driven at what it allows. */
export function driveSeconds(metres: number, metresPerSecond: number): number {
  const reached = Math.min(metresPerSecond, Math.sqrt(ACCELERATION * metres));
  return metres / reached + reached / ACCELERATION;
}

/** The timetable's time for a trip in each hour of the day: the mean of what the streets do, and some reserve. */
export function runSecondsByHour(path: Path): number[] {
  return CROWDING.map((crowding) => {
    let seconds = 0;
    for (const [index, to] of path.stops.slice(1).entries()) {
      const from = itemAt(path.stops, index);
      const radius = (from.radius + to.radius) / 2;
      seconds += driveSeconds(to.metres - from.metres, cruisingKmh(radius, crowding) / 3.6);
      seconds += haltChance(radius, crowding) * ((HALT_SECONDS.least + HALT_SECONDS.most) / 2 + 10);
      seconds += (1 - PASSED_STOPS) * (((DWELL_SECONDS.least + DWELL_SECONDS.most) / 2) * dwellFactor(crowding));
    }
    return Math.round(seconds * 1.03);
  });
}

export function dwellFactor(crowding: number): number {
  return 0.75 + 0.5 * crowding;
}

function freeKmh(radius: number): number {
  let inner: (typeof AREA_SPEEDS)[number] = AREA_SPEEDS[0];
  for (const outer of AREA_SPEEDS) {
    if (radius < outer.radius)
      return inner.kmh + ((radius - inner.radius) / (outer.radius - inner.radius)) * (outer.kmh - inner.kmh);
    inner = outer;
  }
  return inner.kmh;
}
