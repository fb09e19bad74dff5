/** The flags that say what the columns of a file of records are, the same in every command that takes SOURCE. */
import type { SourceOptions } from "../operations/index.ts";
import { type CommandOption, flagOption, type OptionValues, textOption } from "./command.ts";

export const SOURCE_ARGUMENT = {
  name: "source",
  description:
    "records (CSV, gzip CSV, Parquet, JSON lines, JSON array, a quoted glob; or a table: postgres://user@host/database?table=NAME, clickhouse://…), or an occupancy CSV with header user,grid,count (- for standard input)",
};

export const RECORD_OPTIONS: readonly CommandOption[] = [
  { flags: "--user <col>", description: "records: whose record it is; filename where each file is of one user" },
  { flags: "--value <col>", description: "records: the number whose statistics are wanted, which is protected" },
  { flags: "--by <cols>", description: "grids: columns, such as shop or shop,weekday" },
  { flags: "--lat <col>", description: "grids: latitude in degrees, for hexagons; with --lon and --h3" },
  { flags: "--lon <col>", description: "grids: longitude in degrees" },
  { flags: "--point <col>", description: "grids: a column with [longitude, latitude], instead of --lat and --lon" },
  {
    flags: "--cell <col>",
    description:
      "grids: a column with H3 cells, hexadecimal or integers, instead of coordinates; as stored, or with --h3 those around them",
  },
  {
    flags: "--h3 <res>",
    description: "grids: resolution of the hexagons: 7 about 5 km², 8 about 0.7 km², 9 about 0.1 km²",
  },
  { flags: "--time <col>", description: "when it was: for slots, for filters, and for the order of a user's records" },
  {
    flags: "--time-format <form>",
    description:
      "iso, epoch-s, epoch-ms, epoch-us, dd/mm/yyyy, mm/dd/yy, dd-mmm-yy, yyyymmdd, …; a time of day may follow, also with AM or PM (default: from the first rows, if they leave no doubt)",
  },
  { flags: "--slot <length>", description: "grids: time slots of 15m, 1h, 1d, 1w" },
  {
    flags: "--tz <zone>",
    description: "zone of slots, hours and times without offset: UTC, -06:00, America/Chicago (default: UTC)",
  },
  { flags: "--from <time>", description: "only records from this time on; without it, times before 1900 are refused" },
  { flags: "--to <time>", description: "only records before this time" },
  { flags: "--hours <a-b>", description: "only records of these local hours: 9-10 is 09:00 up to 10:00" },
  {
    flags: "--one-record-per-user",
    description: "nobody has more than one record: users and records are as many; without it, plan refuses that",
  },
  {
    flags: "--empty-user <rule>",
    description: "records whose user is empty: refuse, one (all of them are one user), drop (default: refuse)",
  },
  { flags: "--dedupe <cols>", description: "records of one user and grid that agree in these columns count once" },
  {
    flags: "--missing <rule>",
    description:
      "records without a value: refuse, midpoint (as if in the middle of the range), drop (makes public that they had none) (default: refuse)",
  },
  { flags: "--min-users <n>", description: "only grids with at least n users" },
  { flags: "--top <n>", description: "only the n grids with most records" },
  { flags: "--delimiter <char>", description: "CSV: what stands between fields (default: sniffed)" },
  { flags: "--header <yes|no>", description: "CSV: whether the first row names the columns (default: sniffed)" },
  { flags: "--decimal-comma", description: "CSV: numbers are written 3,5 (default: sniffed)" },
  { flags: "--encoding <name>", description: "CSV: utf-8, utf-16 or latin-1 (default: sniffed)" },
  { flags: "--memory <size>", description: "most memory the engine takes before it spills to disk (default: 1GB)" },
  { flags: "--config <file>", description: "read flags from a YAML file, 'flag: value' a line; flags given here win" },
];

export function recordOptionsOf(options: OptionValues): SourceOptions {
  const text = (name: string): string | undefined => textOption(options, name);
  return {
    user: text("user"),
    value: text("value"),
    by: text("by"),
    lat: text("lat"),
    lon: text("lon"),
    point: text("point"),
    cell: text("cell"),
    h3: text("h3"),
    time: text("time"),
    timeFormat: text("timeFormat"),
    slot: text("slot"),
    tz: text("tz"),
    from: text("from"),
    to: text("to"),
    hours: text("hours"),
    oneRecordPerUser: flagOption(options, "oneRecordPerUser") || undefined,
    emptyUser: text("emptyUser"),
    dedupe: text("dedupe"),
    missing: text("missing"),
    minUsers: text("minUsers"),
    top: text("top"),
    delimiter: text("delimiter"),
    header: text("header"),
    decimalComma: flagOption(options, "decimalComma") || undefined,
    encoding: text("encoding"),
    memory: text("memory"),
  };
}
