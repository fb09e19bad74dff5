/** Detects how a delimited text file is written: its delimiter, whether it has a header, its columns, decimal commas. What the curator states wins. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { isNoNumber } from "../partition/index.ts";
import { type AmountForm, amountForm } from "./amounts.ts";
import { looksLikeAmount, looksLikeNumber, looksLikePoint, looksLikeTime, SAMPLE_ROWS } from "./cell-patterns.ts";

export interface CsvDialect {
  readonly delimiter: string;
  readonly header: boolean;
  /** Names from the header, or column1, column2, … */
  readonly columns: readonly string[];
  /** Numbers are written 3,5. */
  readonly decimalComma: boolean;
  /** Columns with currency or thousands separators, and how they are written. Absent: none. */
  readonly amounts?: ReadonlyArray<AmountForm & { readonly column: string }> | undefined;
  /** Lines before the header: one that says the delimiter, such as sep=;. Absent: none. */
  readonly skip?: 1 | undefined;
  /** Absent: UTF-8. */
  readonly encoding?: Exclude<Encoding, "utf-8"> | undefined;
}

const ENCODINGS = ["utf-8", "utf-16", "latin-1"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What the curator said about the file; what is absent is sniffed. */
export interface DialectOptions {
  readonly delimiter?: string | undefined;
  readonly header?: boolean | undefined;
  readonly decimalComma?: boolean | undefined;
  readonly encoding?: Encoding | undefined;
}

/** Where two fit equally well the earlier wins: commas also stand inside numbers and text. */
const DELIMITERS = ["\t", ";", "|", ","];

/** Spreadsheets take such a first line for the delimiter, and show no row for it. */
const DELIMITER_LINE = /^\uFEFF?(?:sep=([^"\r\n\p{L}\p{N}])|"sep=([^"\r\n\p{L}\p{N}])")(?:\r\n|\n|\r)/iu;

export interface SniffedCsv {
  readonly dialect: CsvDialect;
  /** The first rows below the header. */
  readonly rows: string[][];
}

/** `complete` says that `head` is the whole file; otherwise its last row may be cut and is not looked at. */
export function sniffCsv(head: string, complete: boolean, stated: DialectOptions = {}): SniffedCsv {
  const line = DELIMITER_LINE.exec(head);
  const text = head.slice(line?.[0].length ?? 0);
  const delimiter = stated.delimiter ?? line?.[1] ?? line?.[2] ?? bestDelimiter(text, complete);
  const all = parseDelimited(text, delimiter, complete);
  const first = all[0];
  if (first === undefined) throw new VeilgridError("INPUT_EMPTY", "the file is empty");
  if (/^\uFEFF?[\r\n]/.test(text))
    throw new VeilgridError(
      "INPUT_MALFORMED",
      `line ${line === null ? 1 : 2} is blank; begin with the header or a row`,
    );
  const header = stated.header ?? !first.some((cell, index) => looksLikeData(cell, all, index));
  const rows = header ? all.slice(1) : all;
  const columns = header ? distinctNames(first) : first.map((_, index) => `column${index + 1}`);
  const decimalComma = stated.decimalComma ?? usesDecimalComma(rows);
  const forms = columns.flatMap((column, index) => {
    const form = amountForm(
      rows.map((row) => row[index] ?? ""),
      stated,
    );
    return form === undefined ? [] : [{ ...form, column }];
  });
  const amounts = forms.length === 0 ? undefined : forms;
  return { dialect: { delimiter, header, columns, decimalComma, amounts, skip: line === null ? undefined : 1 }, rows };
}

const NAMED_DELIMITERS: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["\\t", "\t"],
  ["comma", ","],
  ["semicolon", ";"],
  ["pipe", "|"],
  ["space", " "],
]);

export function parseDelimiter(text: string): string {
  const delimiter = NAMED_DELIMITERS.get(text) ?? text;
  if ([...delimiter].length !== 1 || /["\r\n\p{L}\p{N}]/u.test(delimiter)) {
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--delimiter ${quoteForMessage(text)} must be one character such as ; or |, or the word tab`,
    );
  }
  return delimiter;
}

export function parseEncoding(text: string): Encoding {
  const encoding = ENCODINGS.find((each) => each === text.toLowerCase());
  if (encoding === undefined)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--encoding ${quoteForMessage(text)} cannot be read; use ${ENCODINGS.join(", ")}, or convert the file: iconv -f ENCODING -t UTF-8 FILE > NEW`,
    );
  return encoding;
}

function bestDelimiter(text: string, complete: boolean): string {
  const scores = DELIMITERS.map((delimiter) => {
    const rows = parseDelimited(text, delimiter, complete, 200);
    const width = rows[0]?.length ?? 0;
    const agreeing = rows.filter((row) => row.length === width).length / Math.max(1, rows.length);
    return width < 2 ? 0 : agreeing === 1 ? 2 : agreeing;
  });
  const best = Math.max(...scores);
  if (best < 2) refuseColons(text, complete);
  if (best > 0) return DELIMITERS[scores.indexOf(best)] ?? ",";
  return isSpaced(text, complete) ? " " : ",";
}

/** Spaces also stand inside text, so all of several rows must have as many fields as the first. */
function isSpaced(text: string, complete: boolean): boolean {
  const rows = parseDelimited(text, " ", complete, 200);
  const width = rows[0]?.length ?? 0;
  return width >= 3 && rows.length > 1 && rows.every((row) => row.length === width);
}

/** The delimiter of the MovieLens files, which is none that can be read. */
function refuseColons(text: string, complete: boolean): void {
  const rows = text.split(/\r?\n/).slice(0, 200);
  const widths = rows.slice(0, complete ? undefined : -1).flatMap((row) => (row === "" ? [] : row.split("::").length));
  const [first = 0] = widths;
  if (first >= 3 && widths.every((width) => width === first))
    throw new VeilgridError(
      "INPUT_MALFORMED",
      "fields stand between two colons, and a delimiter is one character; write tabs instead, such as: sed 's/::/\\t/g' FILE > FILE.tsv",
    );
}

/** Rows of fields, quotes doubled inside quotes; blank lines are no rows. */
export function parseDelimited(text: string, delimiter: string, complete: boolean, most = SAMPLE_ROWS): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length && rows.length < most) {
    let cell = "";
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        const close = text.indexOf('"', at);
        if (close < 0) return rows; // the sample ends inside quotes
        cell += text.slice(at, close);
        at = close + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at += 1;
      }
    }
    const start = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at += 1;
    row.push(cell + text.slice(start, at));
    if (text[at] === delimiter) {
      at += 1;
      if (at < text.length) continue;
      row.push("");
    }
    if (at >= text.length && !complete) return rows;
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  return rows;
}

/** Whether a cell of the first row is one of a record: of a form that names do not have, or of that of most cells below it. */
function looksLikeData(cell: string, all: readonly string[][], column: number): boolean {
  if (looksLikeAmount(cell) || looksLikeTime(cell) || looksLikePoint(cell)) return true;
  if (cell.trim() !== "" && isNoNumber(cell)) return true;
  if (!/\p{N}/u.test(cell)) return false;
  const cells = all.slice(1).map((row) => row[column] ?? "");
  const below = cells.filter((each) => each.trim() !== "").map(shapeOf);
  return 2 * below.filter((shape) => shape === shapeOf(cell)).length > below.length;
}

/** Numbers are alike however long they are, and so are words. */
function shapeOf(cell: string): string {
  return cell
    .trim()
    .replace(/\p{L}+/gu, "a")
    .replace(/\p{N}[\p{N}\s.,'\u2019]*/gu, "9");
}

/** A name that stands twice, or is empty, gets a number. */
function distinctNames(header: readonly string[]): string[] {
  const seen = new Set<string>();
  return header.map((cell, index) => {
    const name = cell.trim() === "" ? `column${index + 1}` : cell.trim();
    let distinct = name;
    for (let copy = 2; seen.has(distinct); copy++) distinct = `${name}_${copy}`;
    seen.add(distinct);
    return distinct;
  });
}

/** Some column holds numbers with commas, and no column numbers with points: 12,500 beside 3.5 is twelve thousand. */
function usesDecimalComma(rows: readonly string[][]): boolean {
  const width = rows[0]?.length ?? 0;
  let found = false;
  for (let column = 0; column < width; column++) {
    const cells = rows.map((row) => (row[column] ?? "").trim()).filter((cell) => cell !== "");
    if (cells.length > 0 && cells.some((cell) => cell.includes(".")) && cells.every((cell) => looksLikeNumber(cell)))
      return false;
    const commas = cells.filter((cell) => /^[+-]?\d+,\d+$/.test(cell));
    const mayBeThousands = commas.every((cell) => /^[+-]?[1-9]\d{0,2},\d{3}$/.test(cell));
    if (commas.length > 0 && !mayBeThousands && cells.every((cell) => /^[+-]?\d+(,\d+)?$/.test(cell))) found = true;
  }
  return found;
}
