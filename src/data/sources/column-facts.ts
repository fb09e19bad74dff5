/** Describes one column for the first look: its type, how many cells are filled, how many differ. */
import { epochUnit, isNoNumber, parseTimeFormat, readCell, writtenDate } from "../partition/index.ts";
import {
  isBlank,
  looksLikeAmount,
  looksLikeNumber,
  looksLikePoint,
  looksLikeTime,
  type Sample,
} from "./cell-patterns.ts";
import { isTimeName, plainName } from "./column-words.ts";
import type { SourceDescription } from "./description.ts";
import { guessTimeFormat } from "./guess-times.ts";

export type ColumnType = "number" | "time" | "point" | "cell" | "text" | "empty";

export interface Column {
  readonly name: string;
  /** As `plainName` writes it. */
  readonly plain: string;
  /** Whether the source gave the name, rather than the place in the row. */
  readonly isNamed: boolean;
  readonly cells: readonly Sample[];
  readonly type: ColumnType;
  /** Whole numbers, or text. */
  readonly isCountable: boolean;
  /** Text whose cells are amounts: numbers with a currency, a unit or thousands separators. */
  readonly isAmount: boolean;
  /** Cells that are not blank, and how many of those differ. */
  readonly filled: number;
  readonly different: number;
}

const CELL = /(^|_)(h3|hex|hexagon|cell)/;
/** Of fewer rows it cannot be told that something is different in each. */
const LEAST_ROWS = 20;
const NEARLY_ALL = 0.95;
/** Of users there are more, and of numbers that are labels there are fewer. */
const FEW = 5;

export function columnFacts({ columns, rows, files }: SourceDescription): Column[] {
  const isNamed = files.every(({ layout }) => layout.kind !== "csv" || layout.dialect.header);
  return columns.map((name) => {
    const cells = rows.map((row) => row[name] ?? null);
    const plain = plainName(name);
    const filled = cells.filter((cell) => !isBlank(cell));
    const type = typeOf(cells, { plain, isNamed });
    return {
      name,
      plain,
      isNamed,
      cells,
      type,
      isCountable: !filled.some((cell) => isFraction(cell)),
      isAmount:
        type === "text" &&
        filled.some((cell) => /\d/.test(String(cell))) &&
        filled.every((cell) => looksLikeAmount(String(cell)) || isNoNumber(String(cell))),
      filled: filled.length,
      different: new Set(filled.map(String)).size,
    };
  });
}

/** The columns that have a rank, the smallest first. */
export function byRank(columns: readonly Column[], rankOf: (column: Column) => number | undefined): Column[] {
  return columns
    .flatMap((column) => {
      const rank = rankOf(column);
      return rank === undefined ? [] : [{ column, rank }];
    })
    .sort((left, right) => left.rank - right.rank)
    .map(({ column }) => column);
}

/** Such as `'lat' or 'lon'`. */
export function namesOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => `'${name}'`).join(" or ");
}

/** Different in every row, or nearly. */
export function isUnique({ filled, different }: Column): boolean {
  return filled >= LEAST_ROWS && different >= NEARLY_ALL * filled;
}

export function isConstant({ filled, different }: Column): boolean {
  return filled >= LEAST_ROWS && different === 1;
}

/** The same few texts in many rows, as kinds and classes are. */
export function isFew({ filled, different }: Column): boolean {
  return filled >= LEAST_ROWS && different <= FEW;
}

export function holdsNumbers({ cells, type }: Column): boolean {
  return type === "number" || cells.some((cell) => !isBlank(cell) && looksLikeNumber(String(cell), true));
}

/** Whatever has a digit in it, and lists, which may hold anything. */
export function mayBeValue({ cells, type }: Column): boolean {
  return (
    type === "number" || cells.some((cell) => (typeof cell === "object" ? cell !== null : /\p{N}/u.test(String(cell))))
  );
}

export function lacksNumber(cell: Sample | undefined): boolean {
  return isBlank(cell) || (typeof cell !== "object" && isNoNumber(String(cell)));
}

function typeOf(cells: readonly Sample[], column: Pick<Column, "plain" | "isNamed">): ColumnType {
  const filled = cells.filter((cell) => !isBlank(cell));
  if (filled.length === 0) return "empty";
  if (filled.every((cell) => isPlace(cell))) return "point";
  if (filled.every((cell) => isStoredCell(cell, column.plain))) return "cell";
  const numbers = filled.filter((cell) => !lacksNumber(cell));
  if (numbers.length > 0 && numbers.every((cell) => looksLikeNumber(String(cell), true)))
    return isEpoch(filled, column) ? "time" : "number";
  return filled.every((cell) => looksLikeTime(String(cell))) ? "time" : "text";
}

/** [longitude, latitude]; any other pair of numbers may be values. */
function isPlace(cell: Sample): boolean {
  const pair = pairIn(cell);
  return pair !== undefined && Math.abs(pair[0]) <= 180 && Math.abs(pair[1]) <= 90;
}

/** The two numbers of a list such as [77.59, 12.97]. */
export function pairIn(cell: Sample): readonly [number, number] | undefined {
  const pair: unknown = typeof cell === "string" && looksLikePoint(cell) ? JSON.parse(cell) : cell;
  return Array.isArray(pair) && pair.length === 2 ? [Number(pair[0]), Number(pair[1])] : undefined;
}

/** An H3 cell. A number of that size has lost its last digits on the way here, so that it takes the column's name to tell. */
function isStoredCell(cell: Sample, name: string): boolean {
  if (typeof cell === "number") return CELL.test(name) && cell >= 2 ** 59 && cell < 9 * 2 ** 56;
  return typeof cell === "string" && readCell(cell) !== undefined;
}

/** Seconds, milliseconds or microseconds since 1970, or days such as 20130829, in a column whose name speaks of time, or that has no name and could hardly be anything else. */
function isEpoch(cells: readonly Sample[], { plain, isNamed }: Pick<Column, "plain" | "isNamed">): boolean {
  if (isNamed && !isTimeName(plain)) return false;
  const format = guessTimeFormat(cells);
  if (format === undefined || isNamed) return format !== undefined;
  return cells.every((cell) => {
    const year = yearOf(String(cell), format);
    return year >= 1995 && year < 2035 && Number.isInteger(Number(cell));
  });
}

function yearOf(number: string, format: string): number {
  const unit = epochUnit(parseTimeFormat(format));
  const date = unit === undefined ? writtenDate(number, format) : new Date((Number(number) * unit) / 1000);
  return date?.getUTCFullYear() ?? 0;
}

/** 17850.0 is a whole number as some programs write it. */
function isFraction(cell: Sample): boolean {
  const written = typeof cell === "object" ? null : /^[^\w]*\d+[.,](\d+)/.exec(String(cell).trim());
  return written !== null && !/^0*$/.test(written[1] ?? "");
}
