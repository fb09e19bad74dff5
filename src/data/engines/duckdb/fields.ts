/** Reads the columns of files by their layout: text, numbers, times, points and cells. */
import { itemAt } from "../../../core/errors/index.ts";
import {
  type DatePart,
  dateGrammar,
  epochUnit,
  FIRST_SHORT_YEAR,
  MONTHS,
  type TimeFormat,
  WRITTEN_CELL,
  WRITTEN_NUMBER,
} from "../../partition/index.ts";
import {
  amountPattern,
  type DescribedFile,
  type FileLayout,
  isFileName,
  NAME_IN_PATH,
  notDigits,
} from "../../sources/index.ts";
import type { SourceFields } from "../pipeline/records.ts";
import { identifier, text } from "./dialect.ts";

/** The relation that reads these files, all of one layout, with the columns named, and the path of each row's file if `withPath`. */
function readFiles(files: readonly DescribedFile[], columns: readonly string[], withPath: boolean): string {
  const paths = literalPaths(files.map((file) => file.path));
  const { layout, gzip } = itemAt(files, 0);
  const path = withPath ? `, filename = ${text(PATH_COLUMN)}` : "";
  const options = `compression = '${gzip ? "gzip" : "uncompressed"}', ${NO_HIVE}${path}`;
  switch (layout.kind) {
    case "csv": {
      const { dialect } = layout;
      // By place, not by name: names may differ in case only, which the engine does not see.
      const types = dialect.columns.map((_, index) => `column${index}: 'VARCHAR'`).join(", ");
      return (
        `read_csv(${paths}, columns = {${types}}, auto_detect = false, delim = ${text(dialect.delimiter)}, ` +
        `quote = '"', escape = '"', header = ${dialect.header}, nullstr = '', skip = ${dialect.skip ?? 0}, encoding = '${dialect.encoding ?? "utf-8"}', ${options})`
      );
    }
    case "parquet":
      return `read_parquet(${paths}, ${NO_HIVE}${path})`;
    default: {
      const format = layout.kind === "json array" ? "array" : "newline_delimited";
      if (differInCaseOnly(layout)) return `read_json_objects(${paths}, format = '${format}', ${options})`;
      const tops = new Map(
        columns.map((name) => pathOf(layout, name)).map((path) => [itemAt(path, 0), path.length > 1]),
      );
      const types = [...tops].map(([top, nested]) => `${identifier(top)}: '${nested ? "JSON" : "VARCHAR"}'`).join(", ");
      return `read_json(${paths}, columns = {${types}}, format = '${format}', ${options})`;
    }
  }
}

/** Files whose rows can be read by one call each, in the order of the first of each layout. */
export function fieldsOf(files: readonly DescribedFile[], columns: readonly string[]): FileFields[] {
  const groups = new Map<string, DescribedFile[]>();
  for (const file of files) {
    const key = layoutKey(file);
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()].map((alike) => new FileFields(alike, columns));
}

function layoutKey({ layout, gzip }: DescribedFile): string {
  if (layout.kind === "csv") return JSON.stringify([layout.dialect, gzip]);
  const types = layout.kind === "parquet" ? [...layout.types] : [];
  return JSON.stringify([layout.kind, gzip, [...layout.paths], types]);
}

function pathOf(layout: FileLayout, name: string): readonly string[] {
  return (layout.kind === "csv" ? undefined : layout.paths.get(name)) ?? [name];
}

/** Names the path of a row's file; no file has a column of this name by chance. */
const PATH_COLUMN = "veilgrid source path";

/** A folder called user=ann is no column. */
const NO_HIVE = "hive_partitioning = false";

export function parquetFiles(paths: readonly string[]): string {
  return `read_parquet(${literalPaths(paths)}, ${NO_HIVE})`;
}

/** The engine takes every path for a pattern; a file may be called like one. */
function literalPaths(paths: readonly string[]): string {
  return `[${paths.map((path) => text(path.replace(/[*?[]/g, "[$&]"))).join(", ")}]`;
}

/** The column itself, whatever its type. */
function sourceField(layout: FileLayout, name: string): string {
  if (layout.kind === "csv") return `column${layout.dialect.columns.indexOf(name)}`;
  const [top, ...inner] = pathOf(layout, name);
  if (layout.kind !== "parquet" && differInCaseOnly(layout)) return jsonField("json", [top!, ...inner]);
  const column = identifier(top!);
  if (inner.length === 0) return column;
  if (layout.kind === "parquet") return inner.reduce((outer, key) => `struct_extract(${outer}, ${text(key)})`, column);
  return jsonField(column, inner);
}

/** By JSON Pointer: in the engine's own paths a quoted star still means every field, the value among them. */
function jsonField(object: string, path: readonly string[]): string {
  const steps = path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return `json_extract_string(${object}, ${text(steps)})`;
}

/** The engine takes such names for one. */
function differInCaseOnly(layout: Exclude<FileLayout, { kind: "csv" }>): boolean {
  const names = new Set([...layout.paths.values()].map(([top]) => top!));
  return new Set([...names].map((name) => name.toLowerCase())).size < names.size;
}

/** The columns named, under names of our own that no file can have a column of by chance, and the way to ask for them. */
export class FileFields implements SourceFields {
  readonly #layout: FileLayout;
  readonly #columns: readonly string[];
  readonly relation: string;

  constructor(files: readonly DescribedFile[], columns: readonly string[]) {
    this.#layout = itemAt(files, 0).layout;
    this.#columns = [...new Set(columns)];
    const isPath = (name: string): boolean => isFileName(name, files);
    const listed = this.#columns.map((name) => {
      const field = isPath(name)
        ? `regexp_extract(${identifier(PATH_COLUMN)}, ${text(NAME_IN_PATH)}, 1)`
        : sourceField(this.#layout, name);
      return `${field} AS ${this.raw(name)}`;
    });
    const stored = this.#columns.filter((name) => !isPath(name));
    this.relation = `(SELECT ${listed.join(", ")} FROM ${readFiles(files, stored, stored.length < this.#columns.length)})`;
  }

  raw(name: string): string {
    return `source${this.#columns.indexOf(name)}`;
  }

  text(name: string): string {
    return this.#layout.kind === "parquet" ? `CAST(${this.raw(name)} AS VARCHAR)` : this.raw(name);
  }

  user(name: string): string {
    return `coalesce(${this.text(name)}, '')`;
  }

  /** In a delimited file nothing tells a missing id from an empty one: ids are text, and the text is empty. */
  id(name: string): string {
    return this.#layout.kind === "csv" ? `coalesce(${this.text(name)}, '')` : this.text(name);
  }

  /** A double, null where the text is missing or no number. NaN is also read where more stands in the parentheses after it: see `isNone`. */
  number(name: string): string {
    return this.#written(name, "DOUBLE");
  }

  /** A number that may be an amount, with currency and thousands as the file writes them in this column. */
  value(name: string): string {
    const form =
      this.#layout.kind === "csv" ? this.#layout.dialect.amounts?.find(({ column }) => column === name) : undefined;
    if (form === undefined)
      return this.#hasDecimalComma()
        ? `CASE WHEN NOT ${matches(this.raw(name), POINTS_OF_THOUSANDS)} THEN ${this.number(name)} END`
        : this.number(name);
    const currency = [form.prefix, form.suffix].filter((each) => each !== "");
    const number = currency.reduce((written, each) => `replace(${written}, ${text(each)}, '')`, this.raw(name));
    const digits = `replace(regexp_replace(${number}, ${text(notDigits(form).source)}, '', 'g'), '${form.decimal}', '.')`;
    return (
      `CASE WHEN strlen(${this.raw(name)}) <= ${WRITTEN_NUMBER.longest} AND ${matches(this.raw(name), amountPattern(form))} THEN TRY_CAST(${digits} AS DOUBLE) ` +
      `WHEN ${this.isNone(name)} THEN CAST('NaN' AS DOUBLE) END`
    );
  }

  /** Whether the column says in a word that there is no number, whatever was read of it. */
  isNone(name: string): string {
    return matches(this.text(name), WRITTEN_NUMBER.none);
  }

  isFilled(name: string): string {
    return `coalesce(${bare(this.text(name))} <> '', false)`;
  }

  /** NaN and some words are how writers say that there is no value; infinity is no number. */
  isNoNumber(name: string): string {
    return `coalesce(isinf(x_read), false) OR (${this.isFilled(name)} AND NOT ${this.isNone(name)})`;
  }

  isPlain(): boolean {
    return true;
  }

  point(name: string): { latitude: string; longitude: string } {
    const pair =
      this.#isText(name) || this.#typeOf(name) === "VARCHAR[]"
        ? castWhere(this.text(name), POINT, "DOUBLE[]", ["_", "+", "'"])
        : `TRY_CAST(${this.raw(name)} AS DOUBLE[])`;
    return { latitude: `CASE WHEN len(${pair}) = 2 THEN ${pair}[2] END`, longitude: `${pair}[1]` };
  }

  /** A number as a type that holds some; null where the text is missing or no number. */
  #written(name: string, type: string): string {
    if (!this.#isText(name)) return `TRY_CAST(${this.raw(name)} AS ${type})`;
    const written = this.#hasDecimalComma() ? `replace(${this.raw(name)}, ',', '.')` : this.raw(name);
    return castWhere(written, `${WRITTEN_NUMBER.pattern}|${WRITTEN_NUMBER.none}`, type);
  }

  cell(name: string): string {
    if (INTEGER_TYPE.test(this.#typeOf(name))) return `TRY_CAST(${this.raw(name)} AS BIGINT)`;
    const text = this.text(name);
    const trimmed = `trim(${text})`;
    const hexadecimal = (written: string): string => `TRY_CAST('0x' || ${written} AS BIGINT)`;
    // Mostly it is 15 digits and nothing else, for which patterns and trimming would take most of the time. The engine takes more
    // than digits for a number, underscores among them, but what has 15 characters and fewer digits is too small for a cell.
    return (
      `CASE WHEN strlen(${text}) = 15 THEN ${hexadecimal(text)} ` +
      `WHEN regexp_full_match(${trimmed}, '${WRITTEN_CELL.hexadecimal}') THEN ${hexadecimal(trimmed)} ` +
      `WHEN regexp_full_match(${trimmed}, '${WRITTEN_CELL.decimal}') THEN TRY_CAST(${trimmed} AS BIGINT) END`
    );
  }

  time(name: string, format: TimeFormat): TimeFields {
    const column = { raw: this.raw(name), written: this.text(name), type: this.#typeOf(name) };
    return timeFields({ ...column, number: this.#written(name, "DECIMAL(24, 6)") }, format);
  }

  #hasDecimalComma(): boolean {
    return this.#layout.kind === "csv" && this.#layout.dialect.decimalComma;
  }

  #isText(name: string): boolean {
    return ["VARCHAR", "JSON"].includes(this.#typeOf(name));
  }

  #typeOf(name: string): string {
    return this.#layout.kind === "parquet" ? (this.#layout.types.get(name) ?? "VARCHAR") : "VARCHAR";
  }
}

/** Beside decimal commas 1.234 is a thousand, and not to be read as little more than one. */
const POINTS_OF_THOUSANDS = "[+-]?[0-9]{1,3}([.][0-9]{3})+";

const INTEGER_TYPE = /^U?BIGINT$/;

/** Two numbers in brackets; each may stand between quotes, as JSON has texts. */
const BLANK = `[${WRITTEN_NUMBER.blanks}]*`;
const COORDINATE = `${BLANK}"?${BLANK}${WRITTEN_NUMBER.pattern}${BLANK}"?${BLANK}`;
const POINT = `\\[${COORDINATE},${COORDINATE}\\]`;

function bare(written: string): string {
  return `trim(${written}, ${text(WRITTEN_NUMBER.blanks)})`;
}

function matches(written: string, pattern: string): string {
  return `regexp_full_match(${bare(written)}, ${text(pattern)})`;
}

/**
 * The engine's own cast, held to a pattern. It takes what the pattern does, and 1_000 for 1000 and +-3 for -3: only text with such
 * signs in it, or of more characters than the grammar has, is looked at again. To hold all text to a pattern would take twice the
 * time of the cast.
 */
function castWhere(written: string, pattern: string, type: string, signs: readonly string[] = ["_", "+"]): string {
  const { longest } = WRITTEN_NUMBER;
  const isSound = `strlen(${bare(written)}) <= ${longest} AND ${matches(written, pattern)}`;
  const cast = `TRY_CAST(${written} AS ${type})`;
  return (
    `CASE WHEN ${signs.map((sign) => `contains(${written}, ${text(sign)})`).join(" OR ")} OR strlen(${written}) > ${longest} ` +
    `THEN CASE WHEN ${isSound} THEN ${cast} END ELSE ${cast} END`
  );
}

type TimeFields = ReturnType<SourceFields["time"]>;

function timeFields(
  { raw, written, type, number }: { raw: string; written: string; type: string; number: string },
  format: TimeFormat,
): TimeFields {
  if (type === "TIMESTAMP WITH TIME ZONE") return { clock: microseconds(raw), hasOffset: "true" };
  if (type.startsWith("TIMESTAMP") || type === "DATE")
    return { clock: microseconds(`CAST(${raw} AS TIMESTAMP)`), hasOffset: "false" };
  const unit = epochUnit(format);
  if (unit !== undefined) return { clock: `TRY_CAST(floor(${number} * ${unit}) AS BIGINT)`, hasOffset: "true" };
  if (format.startsWith("date:")) return { clock: writtenDate(written, format.slice(5)), hasOffset: "false" };
  const trimmed = `trim(${written})`;
  // The engine wants seconds wherever an offset follows.
  const withSeconds = `regexp_replace(${trimmed}, '^(.{10}[T ][0-9]{2}:[0-9]{2})', '\\1:00')`;
  const asTime = (each: string): string => `TRY_CAST(${each} AS TIMESTAMP WITH TIME ZONE)`;
  return {
    // It also takes words such as epoch, and years of any length, for times.
    clock: microseconds(
      `CASE WHEN substr(${trimmed}, 5, 1) = '-' THEN coalesce(${asTime(trimmed)}, ${asTime(withSeconds)}) END`,
    ),
    // Whatever follows the time of day and is no part of it: Z, +05:30, -0600, UTC.
    hasOffset: `translate(substr(${trimmed}, 12), '0123456789:. ', '') <> ''`,
  };
}

/** The parts by one regular expression: the engine's strptime takes 13 for the year 13, and longer. */
function writtenDate(written: string, pattern: string): string {
  const { regexp, groups, hasShortYear, hasMonthName } = dateGrammar(pattern);
  const parts = `regexp_extract(${bare(written)}, '^${regexp}$', [${groups.map(text).join(", ")}])`;
  const part = (name: DatePart): string => `struct_extract(${parts}, '${name}')`;
  const number = (name: DatePart): string => `coalesce(TRY_CAST(${part(name)} AS BIGINT), 0)`;
  const shortYear = `CASE WHEN ${number("year")} < ${FIRST_SHORT_YEAR} THEN '20' ELSE '19' END || ${part("year")}`;
  const month = hasMonthName ? `((strpos('${MONTHS}', lower(${part("month")})) + 2) // 3)` : part("month");
  const date = `${hasShortYear ? shortYear : part("year")} || '-' || ${month} || '-' || ${part("day")}`;
  const half = part("half");
  const hour = number("hour");
  const ofDay = `CASE WHEN ${half} = '' THEN ${hour} ELSE ${hour} % 12 + CASE WHEN ${half} IN ('p', 'P') THEN 12 ELSE 0 END END`;
  return (
    `CASE WHEN ${half} = '' OR ${hour} BETWEEN 1 AND 12 THEN epoch_us(TRY_CAST(${date} AS TIMESTAMP)) + ` +
    `((${ofDay}) * 3600 + ${number("minute")} * 60 + ${number("second")}) * 1000000 + ` +
    `CAST(left(${part("fraction")} || '000000', 6) AS BIGINT) END`
  );
}

function microseconds(timestamp: string): string {
  return `CASE WHEN isfinite(${timestamp}) THEN epoch_us(${timestamp}) END`;
}
