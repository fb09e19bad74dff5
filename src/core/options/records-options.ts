/** Options about a source of records: how it is written, what its columns are, and how records become grids. */
import type { OptionTable, OptionTexts, OptionValues } from "./option.ts";

function allServed<const Table extends OptionTable>(table: Table) {
  const entries = Object.entries(table).map(([name, option]) => [name, { ...option, served: true }]);
  return Object.fromEntries(entries) as { readonly [Name in keyof Table]: Table[Name] & { readonly served: true } };
}

/** From a record to its grid; requests and forms take all of them. A plan carries these, in this order. */
export const RECIPE_OPTIONS = allServed({
  user: {
    takes: "<col>",
    help: "records: whose record it is; filename where each file is of one user",
  },
  value: { takes: "<col>", help: "records: the number whose statistics are wanted, which is protected" },
  by: { takes: "<cols>", help: "grids: columns, such as shop or shop,weekday" },
  lat: { takes: "<col>", help: "grids: latitude in degrees, for hexagons; with lon and h3" },
  lon: { takes: "<col>", help: "grids: longitude in degrees" },
  point: {
    takes: "<col>",
    help: "grids: a column with [longitude, latitude], instead of lat and lon",
  },
  cell: {
    takes: "<col>",
    help: "grids: a column with H3 cells, hexadecimal or integers, instead of coordinates; as stored, or with h3 those around them",
  },
  h3: {
    takes: "<res>",
    type: "number",
    help: "grids: resolution of the hexagons: 7 about 5 km², 8 about 0.7 km², 9 about 0.1 km²",
  },
  time: {
    takes: "<col>",
    help: "when it was: for slots, for filters, and for the order of a user's records",
  },
  timeFormat: {
    takes: "<form>",
    help: "iso, epoch-s, epoch-ms, epoch-us, dd/mm/yyyy, mm/dd/yy, dd-mmm-yy, yyyymmdd, …; a time of day may follow, also with AM or PM",
    default: "from the first rows, if they leave no doubt",
  },
  slot: { takes: "<length>", help: "grids: time slots of 15m, 1h, 1d, 1w" },
  tz: {
    takes: "<zone>",
    help: "zone of slots, hours and times without offset: UTC, -06:00, America/Chicago",
    default: "UTC",
  },
  from: {
    takes: "<time>",
    help: "only records from this time on; without it, times before 1900 are refused",
  },
  to: { takes: "<time>", help: "only records before this time" },
  hours: { takes: "<a-b>", help: "only records of these local hours: 9-10 is 09:00 up to 10:00" },
  emptyUser: {
    takes: "<rule>",
    help: "records whose user is empty: refuse, one (all of them are one user), drop",
    choices: ["refuse", "one", "drop"],
    default: "refuse",
  },
  dedupe: {
    takes: "<cols>",
    help: "records of one user and grid that agree in these columns count once",
  },
  missing: {
    takes: "<rule>",
    help: "records without a value: refuse, midpoint (as if in the middle of the range), drop (makes public that they had none)",
    choices: ["refuse", "midpoint", "drop"],
    default: "refuse",
  },
  minUsers: { takes: "<n>", type: "number", help: "only grids with at least n users" },
  top: { takes: "<n>", type: "number", help: "only the n grids with most records" },
});

/** How a source is written and read, of which a plan says nothing. */
export const READING_OPTIONS = {
  delimiter: { takes: "<char>", help: "CSV: what stands between fields", default: "sniffed", served: true },
  header: {
    takes: "<yes|no>",
    help: "CSV: whether the first row names the columns",
    choices: ["yes", "no"],
    default: "sniffed",
    served: true,
  },
  decimalComma: { help: "CSV: numbers are written 3,5", default: "sniffed", served: true },
  encoding: { takes: "<name>", help: "CSV: utf-8, utf-16 or latin-1", default: "sniffed", served: true },
  memory: { takes: "<size>", help: "most memory the engine takes before it spills to disk", default: "1GB" },
} as const satisfies OptionTable;

/** All that is said about a source of records. */
export const RECORDS_OPTIONS = {
  ...RECIPE_OPTIONS,
  oneRecordPerUser: {
    help: "nobody has more than one record: users and records are as many; without it, plan refuses that",
    served: true,
  },
  ...READING_OPTIONS,
} as const satisfies OptionTable;

/** What is said about a source of records. */
export type RecordsOptions = OptionValues<typeof RECORDS_OPTIONS>;
export type RecordsTexts = OptionTexts<typeof RECORDS_OPTIONS>;
