/** What a bus city can be asked for, checked, with every default filled in. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { isDate } from "./date.ts";

/** Some 400,000 records a day; between nine and ten, the 50 busiest hexagons see about as many vehicles as the paper's. */
export const USUAL_VEHICLES = 291;
const MOST_VEHICLES = 20_000;
export const MOST_DAYS = 1000;

export interface CityOptions {
  readonly seed: number;
  /** How many records to aim at; vehicles, days and reporting are scaled to it. Unset, each device reports at its own pace. */
  readonly records?: number | undefined;
  readonly vehicles?: number | undefined;
  readonly days?: number | undefined;
  /** The first local day, as 2026-03-10. */
  readonly date?: string | undefined;
  /** The local clock's minutes ahead of UTC; 330 is +05:30. */
  readonly utcOffsetMinutes?: number | undefined;
  /** Only records of these local hours, half-open: [9, 10] is nine to ten. */
  readonly hours?: readonly [from: number, to: number] | undefined;
  /**
   * `paper`: about 223 users, at most some 11 grids each, at 9 to 10 in the 50 busiest hexagons of H3 resolution 8. It keeps
   * the usual fleet whatever `records` says; far fewer than 400,000 a day leave users out of the hour.
   */
  readonly preset?: "paper" | undefined;
}

export interface CheckedCityOptions {
  readonly seed: number;
  readonly records: number | undefined;
  readonly vehicles: number | undefined;
  readonly days: number | undefined;
  readonly date: string;
  readonly utcOffsetMinutes: number;
  readonly fromSecond: number;
  readonly toSecond: number;
}

export function checkCityOptions(options: CityOptions): CheckedCityOptions {
  const { seed, records, days, preset } = options;
  const { date = "2026-03-10", utcOffsetMinutes = 330, hours = [0, 24] } = options;
  if (preset !== undefined && preset !== "paper")
    throw new VeilgridError("PARAMETER_INVALID", `preset ${quoteForMessage(String(preset))} must be 'paper'`);
  checkInteger("seed", seed, 0, Number.MAX_SAFE_INTEGER);
  if (records !== undefined) checkInteger("records", records, 100, 1_000_000_000);
  if (options.vehicles !== undefined) checkInteger("vehicles", options.vehicles, 1, MOST_VEHICLES);
  if (days !== undefined) checkInteger("days", days, 1, MOST_DAYS);
  checkInteger("utcOffsetMinutes", utcOffsetMinutes, -12 * 60, 14 * 60);
  if (!isDate(date))
    throw new VeilgridError("PARAMETER_INVALID", `date ${quoteForMessage(date)} must be a day such as 2026-03-10`);
  const [from, to] = hours;
  if (!(from >= 0 && from < to && to <= 24))
    throw new VeilgridError("PARAMETER_INVALID", `hours ${from}-${to} must be two hours of the day, as 9-10`);
  const vehicles = options.vehicles ?? (preset === "paper" ? USUAL_VEHICLES : undefined);
  const fromSecond = Math.round(from * 3600);
  const toSecond = Math.round(to * 3600);
  return { seed, records, vehicles, days, date, utcOffsetMinutes, fromSecond, toSecond };
}

function checkInteger(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new VeilgridError("PARAMETER_INVALID", `${name} ${value} must be a whole number from ${least} to ${most}`);
  }
}
