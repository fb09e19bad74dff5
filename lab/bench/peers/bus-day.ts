/** A real day of a city's buses as datasets of the bench: speeds by hexagon. The file is never part of the project. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { latLngToCell } from "h3-js";
import { type Dataset, datasetOf, LOWER, UPPER } from "./datasets.js";

const RESOLUTIONS = [7, 8] as const;
const BUSIEST = 60;
const COLUMNS = ["vehicle_id", "speed", "latitude", "longitude"] as const;
const KILOMETRES_PER_HOUR = 3.6;

/** `file`: gzipped CSV without quoted commas in the wanted columns, speeds in m/s. */
export function busDays(file: string): Dataset[] {
  const [head = "", ...lines] = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  const at = COLUMNS.map((column) => head.split(",").indexOf(column));
  const records = lines.map((line) => {
    const cells = line.split(",");
    const [user, speed, latitude, longitude] = at.map((index) => cells[index]!) as [string, string, string, string];
    const value = Math.min(UPPER, Math.max(LOWER, KILOMETRES_PER_HOUR * Number(speed)));
    return { user, value: value.toFixed(2), place: [Number(latitude), Number(longitude)] as const };
  });
  return RESOLUTIONS.map((resolution) => {
    const rows = records.map(({ user, value, place }) => [user, latLngToCell(...place, resolution), value] as const);
    const count = new Map<string, number>();
    for (const [, grid] of rows) count.set(grid, (count.get(grid) ?? 0) + 1);
    const busiest = new Set(
      [...count]
        .sort(([left, many], [right, more]) => more - many || (left < right ? -1 : 1))
        .slice(0, BUSIEST)
        .map(([grid]) => grid),
    );
    return datasetOf(
      rows.filter(([, grid]) => busiest.has(grid)),
      {
        name: `bus-day-${resolution}`,
        meaning: `speeds of a real day's buses, km/h, in the ${BUSIEST} busiest hexagons of resolution ${resolution}`,
      },
    );
  });
}
