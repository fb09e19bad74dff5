/** Describes a faulty record to a curator: by its place in the source, never by a protected value. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import { epochUnit, type Place, readCell, type TimeFormat, writtenDate } from "../../partition/index.ts";
import { timeFormatAdvice } from "../../sources/index.ts";
import type { Records } from "../engine.ts";

export const TROUBLES = ["time", "place", "value", "missing"] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Records of a table have no order that one could be named by: from how many are at fault, and a text that is. */
export function foundInTable(
  table: string,
  row: readonly unknown[] = [],
): { where: string; shown: string } | undefined {
  const count = Number(row[0] ?? 0);
  if (count === 0) return undefined;
  const records = `${count.toLocaleString("en-US")} record${count === 1 ? "" : "s"}`;
  return { where: `table ${quoteForMessage(table)}, in ${records}`, shown: String(row[1] ?? "") };
}

/** `where` names the record as its source can; `shown` is the text at fault, empty where it is protected. */
export function describeTrouble(
  { recipe, source }: Records,
  trouble: Trouble,
  { where, shown }: { where: string; shown: string },
): VeilgridError {
  const column = (name: string): string => `column ${quoteForMessage(name)}`;
  const message = {
    time: () =>
      `${where}: ${column(recipe.time!.column)}: ${quoteForMessage(shown)} ${timeTrouble(recipe.time!.format, shown)}`,
    place: () => `${where}: ${placeTrouble(recipe.place!, shown)}`,
    value: () =>
      `${where}: ${column(recipe.value)} holds text that is not a number (not shown: values are protected); correct it${source.kind === "csv" ? ", write it without thousands separators, or, if a comma stands before decimals, use --decimal-comma" : ""}`,
    missing: () =>
      `${where}: ${column(recipe.value)} is empty; use --missing midpoint to count such records as the middle of the range, or --missing drop to leave them out (which makes it public that they were empty)`,
  }[trouble]();
  return new VeilgridError("INPUT_MALFORMED", message);
}

function timeTrouble(format: TimeFormat, shown: string): string {
  const written = format.replace("date:", "");
  const year = yearOf(shown, format);
  if (year === undefined || !(year > 0 && year < 1900))
    return `is not a time written as ${written}; ${timeFormatAdvice([shown], written)}`;
  const from =
    year < 100 ? "" : `, or --from with the first day wanted, such as --from ${String(year).padStart(4, "0")}-01-01`;
  return `is a time in the year ${year}, and times before 1900 are refused; correct it, or write the --time-format that it has${from}`;
}

/** Columns of dates and timestamps are shown in ISO's way, whatever the format. */
function yearOf(shown: string, format: TimeFormat): number | undefined {
  const date = format.startsWith("date:") ? writtenDate(shown, format.slice(5)) : undefined;
  const unit = epochUnit(format);
  if (date !== undefined) return date.getUTCFullYear();
  const iso = /^\s*(\d{4})-\d\d-\d\d(?!.*BC)/.exec(shown);
  if (iso !== null) return Number(iso[1]);
  return unit === undefined ? undefined : new Date((Number(shown) * unit) / 1000).getUTCFullYear();
}

/** `shown` is the text of the place's column, or of both with a comma between; places are public. */
function placeTrouble(place: Place, shown: string): string {
  const column = `column ${quoteForMessage(place.kind === "columns" ? place.latitude : place.column)}`;
  const given = quoteForMessage(shown);
  if (place.kind === "cell") {
    const cell = readCell(shown);
    return cell === undefined
      ? `${column}: ${given} is no H3 cell; expected 15 hexadecimal digits, or the same number as an integer`
      : `${column}: ${given} is a cell of resolution ${cell.resolution}, which lies in no single one of resolution ${place.resolution}; use --h3 ${cell.resolution} or coarser, or leave --h3 out to take cells as they are`;
  }
  const [columns, wanted] =
    place.kind === "columns"
      ? [`${column} and ${quoteForMessage(place.longitude)}`, "latitude, longitude"]
      : [column, "[longitude, latitude]"];
  return `${columns}: ${given} is no place on Earth; expected ${wanted} in degrees, latitude within ±90 and longitude within ±180`;
}
