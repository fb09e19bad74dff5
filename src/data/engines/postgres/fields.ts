/** Reads a table's columns by their types: text, numbers, times, points and cells. No cast in these expressions can fail. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import {
  type DateGrammar,
  type DatePart,
  dateGrammar,
  epochUnit,
  FIRST_SHORT_YEAR,
  MONTHS,
  type Recipe,
  recipeColumns,
  type TimeFormat,
  WRITTEN_CELL,
  WRITTEN_NUMBER,
} from "../../partition/index.ts";
import type { SourceFields } from "../pipeline/records.ts";
import { double, fenced, identifier, relation } from "./dialect.ts";

/** A table, view, or foreign or partitioned table, as the server's catalogue has it. */
export interface Table {
  readonly schema: string;
  readonly name: string;
  /** Types under the names the server gives them, domains as what they are made of; by column, in order. */
  readonly types: ReadonlyMap<string, string>;
}

const SPACES = `E'${JSON.stringify(WRITTEN_NUMBER.blanks).slice(1, -1)}'`;
const PLAIN_NUMBER = "'^[+-]?([0-9]{1,200}([.][0-9]{0,100})?|[.][0-9]{1,100})$'";
const ANY_NUMBER = `'^${WRITTEN_NUMBER.pattern}$'`;
/** From here on doubles are infinite, up to here they are 0; a cast beyond them would stop the query. */
const INFINITE_FROM = "CAST('1.79769313486231580793728971405e308' AS numeric)";
const ZERO_UP_TO = "CAST('2.47032822920623272089e-324' AS numeric)";

const WHOLE_NUMBERS = ["smallint", "integer", "bigint"];
const DOUBLES = ["real", "double precision"];
/** Types whose text would pass for a number, or might, and is none. */
const NO_NUMBERS =
  /^(money|date|time|timestamp|interval|bytea|bit|uuid|oid|xid|cid|tid|pg_lsn|inet|cidr|macaddr|point)/;

/** The columns named, under names of our own that no table can have a column of by chance, and the way to ask for them. */
export class TableFields implements SourceFields {
  readonly #table: Table;
  readonly #columns: readonly string[];
  /** The table with nothing but these columns, and what a written time was taken apart into. */
  readonly relation: string;

  constructor(table: Table, recipe: Recipe) {
    const { time } = recipe;
    this.#table = table;
    this.#columns = [...new Set(recipeColumns(recipe).map(({ column }) => column))];
    const listed = this.#columns.map((name) => `${identifier(name)} AS ${this.raw(name)}`);
    const rows = relation(`SELECT ${listed.join(", ")} FROM ${identifier(table.schema)}.${identifier(table.name)}`);
    const pattern = time === null ? undefined : writtenPattern(time.format);
    this.relation =
      time === null || pattern === undefined || isTime(this.type(time.column))
        ? rows
        : relation(
            fenced(`SELECT *, regexp_match(${this.#trimmed(time.column)}, ${pattern.regexp}) AS written FROM ${rows}`),
          );
  }

  raw(name: string): string {
    return `source${this.#columns.indexOf(name)}`;
  }

  type(name: string): string {
    return this.#table.types.get(name)!;
  }

  /** Bytes are compared, whatever the column's own rules: letters that some collation takes for the same stay apart. */
  text(name: string): string {
    return `CAST(${this.raw(name)} AS text) COLLATE "C"`;
  }

  id(name: string): string {
    return this.text(name);
  }

  user(name: string): string {
    return `coalesce(${this.text(name)}, '')`;
  }

  value(name: string): string {
    return this.number(name);
  }

  /** NaN is how some writers say that there is no value; infinity is no number. */
  isNoNumber(name: string): string {
    return `CASE WHEN x_read IS NULL THEN ${this.isFilled(name)} ELSE x_read IN (${double(Number.NEGATIVE_INFINITY)}, ${INFINITY}) END`;
  }

  /** A number that is a cast at most may stand wherever it is used. */
  isPlain({ place, time, value }: Recipe): boolean {
    return place === null && time === null && [...WHOLE_NUMBERS, ...DOUBLES].includes(this.type(value));
  }

  #trimmed(name: string): string {
    return `btrim(${this.text(name)}, ${SPACES})`;
  }

  number(name: string): string {
    const type = this.type(name);
    if (NO_NUMBERS.test(type))
      throw new VeilgridError(
        "INPUT_MALFORMED",
        `column ${quoteForMessage(name)} is of type ${type}, which is no number; name another, or a view that converts it`,
      );
    return numberOf(this.raw(name), type);
  }

  isFilled(name: string): string {
    return this.#isNeverBlank(name) ? `${this.raw(name)} IS NOT NULL` : `coalesce(${this.#trimmed(name)} <> '', false)`;
  }

  #isNeverBlank(name: string): boolean {
    const type = this.type(name);
    return [...WHOLE_NUMBERS, ...DOUBLES, "numeric", "boolean", "point"].includes(type) || isTime(type);
  }

  point(name: string): { longitude: string; latitude: string } {
    const type = this.type(name);
    const raw = this.raw(name);
    if (type === "point") return { longitude: `${raw}[0]`, latitude: `${raw}[1]` };
    if (type.endsWith("[]")) {
      const element = (index: 1 | 2): string => numberOf(`${raw}[${index}]`, type.slice(0, -2));
      const isPair = `array_ndims(${raw}) = 1 AND array_lower(${raw}, 1) = 1 AND array_upper(${raw}, 1) = 2`;
      return {
        longitude: `CASE WHEN ${isPair} THEN ${element(1)} END`,
        latitude: `CASE WHEN ${isPair} THEN ${element(2)} END`,
      };
    }
    const part = `"?([^][",[:space:]]+)"?[[:space:]]*`;
    const pair = `regexp_match(${this.text(name)}, '^[[:space:]]*\\[[[:space:]]*${part},[[:space:]]*${part}\\][[:space:]]*$')`;
    return { longitude: numberOf(`(${pair})[1]`, "text"), latitude: numberOf(`(${pair})[2]`, "text") };
  }

  cell(name: string): string {
    if (WHOLE_NUMBERS.includes(this.type(name))) return `CAST(${this.raw(name)} AS bigint)`;
    const trimmed = `btrim(${this.text(name)})`;
    return (
      `CASE WHEN ${trimmed} ~ '^${WRITTEN_CELL.hexadecimal}$' THEN CAST(CAST('x0' || ${trimmed} AS bit(64)) AS bigint) ` +
      `WHEN ${trimmed} ~ '^${WRITTEN_CELL.decimal}$' THEN CAST(${trimmed} AS bigint) END`
    );
  }

  /** Microseconds since 1970 of what the clock showed, or of the instant where an offset was written. */
  time(name: string, format: TimeFormat): { clock: string; hasOffset: string } {
    const raw = this.raw(name);
    const type = this.type(name);
    if (type === "timestamp with time zone")
      return { clock: microseconds(`timezone('UTC', ${raw})`), hasOffset: "true" };
    if (type === "timestamp without time zone") return { clock: microseconds(raw), hasOffset: "false" };
    if (type === "date") {
      const days = `CAST(${raw} - CAST('1970-01-01' AS date) AS bigint)`;
      return { clock: `CASE WHEN ${isNamed(raw, "date")} THEN ${days} * ${DAY} END`, hasOffset: "false" };
    }
    const unit = epochUnit(format);
    if (unit !== undefined) return { clock: this.#epoch(name, unit), hasOffset: "true" };
    return writtenTime(writtenPattern(format)!);
  }

  /** Six places after the point, as the other engines take them, then down to whole microseconds. */
  #epoch(name: string, scale: number): string {
    const type = this.type(name);
    const raw = this.raw(name);
    const most = LARGEST_CLOCK / scale;
    if (WHOLE_NUMBERS.includes(type))
      return `CASE WHEN ${raw} BETWEEN -${most} AND ${most} THEN CAST(${raw} AS bigint) * ${scale} END`;
    const inRange = (number: string): string =>
      `CASE WHEN ${number} BETWEEN -${most} AND ${most} THEN CAST(floor(round(${number}, 6) * ${scale}) AS bigint) END`;
    if (type === "numeric") return inRange(raw);
    // A double is what its shortest decimal says: a cast would keep no more than 15 digits of it.
    const trimmed = this.#trimmed(name);
    return `CASE WHEN ${isNumber(trimmed)} THEN ${inRange(decimalIn(trimmed))} END`;
  }
}

const DAY = 86_400_000_000;
/** Beyond the year 9999, and far from where 64 bits end. */
const LARGEST_CLOCK = 1e18;

function isTime(type: string): boolean {
  return type.startsWith("timestamp") || type === "date";
}

/** `raw` is not looked at more often than it must be: it may be an expression. */
function numberOf(raw: string, type: string): string {
  if (type === "double precision") return raw;
  if (WHOLE_NUMBERS.includes(type) || type === "real") return `CAST(${raw} AS double precision)`;
  if (type === "boolean") return `CAST(CAST(${raw} AS integer) AS double precision)`;
  if (type === "numeric")
    return (
      `CASE WHEN abs(${raw}) < ${INFINITE_FROM} THEN ${decimalOf(raw)} ` +
      `WHEN ${raw} = CAST('NaN' AS numeric) THEN ${double(Number.NaN)} WHEN ${raw} IS NOT NULL THEN ${INFINITY} END`
    );
  const trimmed = `btrim(CAST(${raw} AS text) COLLATE "C", ${SPACES})`;
  const decimal = decimalIn(trimmed);
  return (
    `CASE WHEN ${trimmed} ~ ${PLAIN_NUMBER} THEN CAST(${trimmed} AS double precision) ` +
    `WHEN ${isNumber(trimmed)} THEN CASE WHEN abs(${decimal}) < ${INFINITE_FROM} THEN ${decimalOf(decimal)} ELSE ${INFINITY} END ` +
    `WHEN ${trimmed} ~ '^${WRITTEN_NUMBER.none}$' THEN ${double(Number.NaN)} END`
  );
}

function isNumber(trimmed: string): string {
  return `(${trimmed} ~ ${ANY_NUMBER} AND char_length(${trimmed}) <= ${WRITTEN_NUMBER.longest})`;
}

/**
 * What of these no double can hold is told apart as a decimal, which is exact. The server takes no exponent of many digits; a
 * number as short as ours is as far beyond all doubles, or as near to 0, with one of four.
 */
function decimalIn(trimmed: string): string {
  return `CAST(regexp_replace(${trimmed}, '([eE][+-]?)0*[1-9][0-9]{4,}$', '\\19999') AS numeric)`;
}

const INFINITY = "CAST('Infinity' AS double precision)";

/** The server reads a decimal's digits as the nearest double, but stops where that is 0 and the decimal is not. */
function decimalOf(decimal: string): string {
  return `CASE WHEN abs(${decimal}) <= ${ZERO_UP_TO} THEN ${double(0)} ELSE CAST(${decimal} AS double precision) END`;
}

/** In whole seconds and the rest: as one double, microseconds of far years would be rounded. */
function microseconds(timestamp: string): string {
  return (
    `CASE WHEN ${isNamed(timestamp, "timestamp")} THEN CAST(date_part('epoch', date_trunc('second', ${timestamp})) AS bigint) * 1000000 + ` +
    `CAST(date_part('microseconds', ${timestamp}) AS bigint) % 1000000 END`
  );
}

/** Years 1 to 9999. The server's types go on far beyond what 64 bits of microseconds hold, up to infinity. */
function isNamed(time: string, type: "date" | "timestamp"): string {
  return `${time} >= CAST('0001-01-01' AS ${type}) AND ${time} < CAST('10000-01-01' AS ${type})`;
}

/** A pattern and what its groups hold; the last is the offset where there are any. */
interface WrittenPattern extends Omit<DateGrammar, "groups"> {
  readonly groups: ReadonlyArray<DatePart | "offset">;
}

const TIME_OF_DAY = "([01]?[0-9]|2[0-3]):([0-5]?[0-9])(?::([0-5]?[0-9])(?:[.]([0-9]{0,9}))?)?";
const OFFSET = "(Z|[+-][01][0-9](?::?[0-5][0-9])?| ?(?:UTC|GMT))";
const ISO: WrittenPattern = {
  regexp: `'^((?!0000)[0-9]{4})-(0?[1-9]|1[0-2])-(0?[1-9]|[12][0-9]|3[01])(?:(?:T| +)${TIME_OF_DAY}${OFFSET}?)?$'`,
  groups: ["year", "month", "day", "hour", "minute", "second", "fraction", "offset"],
  hasShortYear: false,
  hasMonthName: false,
};

/** undefined for epochs. Everything but the length of months and the hours of AM and PM is in the pattern: what it lets through can be computed with. */
function writtenPattern(format: TimeFormat): WrittenPattern | undefined {
  if (epochUnit(format) !== undefined) return undefined;
  if (!format.startsWith("date:")) return ISO;
  const grammar = dateGrammar(format.slice(5));
  return { ...grammar, regexp: `'^${grammar.regexp}$'` };
}

function writtenTime({ groups, hasShortYear, hasMonthName }: WrittenPattern): { clock: string; hasOffset: string } {
  const part = (name: DatePart | "offset"): string => `written[${groups.indexOf(name) + 1}]`;
  const number = (name: DatePart): string => `CAST(${part(name)} AS integer)`;
  const micros = (name: DatePart, unit: number): string => `coalesce(CAST(${part(name)} AS bigint), 0) * ${unit}`;
  const year = hasShortYear
    ? `(${number("year")} + CASE WHEN ${number("year")} < ${FIRST_SHORT_YEAR} THEN 2000 ELSE 1900 END)`
    : number("year");
  const month = hasMonthName ? `((strpos('${MONTHS}', lower(${part("month")})) + 2) / 3)` : number("month");
  const isLeap = `${year} % 4 = 0 AND (${year} % 100 <> 0 OR ${year} % 400 = 0)`;
  const length = `CASE WHEN ${month} IN (4, 6, 9, 11) THEN 30 WHEN ${month} <> 2 THEN 31 WHEN ${isLeap} THEN 29 ELSE 28 END`;
  const date = `make_date(${year}, ${month}, ${number("day")}) - CAST('1970-01-01' AS date)`;
  const rest = `CAST(rpad(left(coalesce(${part("fraction")}, ''), 6), 6, '0') AS bigint)`;
  const hasOffsets = groups.includes("offset");
  const offset = part("offset");
  const minutes = `CASE WHEN length(${offset}) > 3 THEN CAST(right(${offset}, 2) AS bigint) ELSE 0 END`;
  const shift =
    `CASE WHEN ${offset} ~ '^[+-]' THEN (CAST(substr(${offset}, 2, 2) AS bigint) * 60 + ${minutes}) * ` +
    `CASE WHEN left(${offset}, 1) = '-' THEN -60000000 ELSE 60000000 END ELSE 0 END`;
  const half = part("half");
  const hour = number("hour");
  const halfDay = hasOffsets
    ? ""
    : ` + CASE WHEN ${half} IN ('p', 'P') AND ${hour} < 12 THEN 12 WHEN ${half} IN ('a', 'A') AND ${hour} = 12 THEN -12 ELSE 0 END * 3600000000`;
  const hourIsSound = hasOffsets ? "" : ` AND (${half} IS NULL OR ${hour} BETWEEN 1 AND 12)`;
  return {
    clock:
      `CASE WHEN ${number("day")} <= ${length}${hourIsSound} THEN CAST(${date} AS bigint) * ${DAY} + ${micros("hour", 3_600_000_000)} + ` +
      `${micros("minute", 60_000_000)} + ${micros("second", 1_000_000)} + ${rest}${hasOffsets ? ` - ${shift}` : halfDay} END`,
    hasOffset: hasOffsets ? `${offset} IS NOT NULL` : "false",
  };
}
