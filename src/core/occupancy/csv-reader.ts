/** Reads `user,grid,count` CSV (RFC 4180, UTF-8, any chunking) into the occupancy builder, without a string per row. */
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import { type BuildNotes, LARGEST_COUNT, OccupancyBuilder } from "./builder.ts";
import type { Occupancy } from "./occupancy.ts";

const COLUMNS = ["user", "grid", "count"] as const;
/** A record longer than this is taken for an unclosed quote rather than read on for ever. */
const LONGEST_RECORD_BYTES = 1 << 20;

const QUOTE = 0x22;
const COMMA = 0x2c;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

interface Field {
  start: number;
  end: number;
  quoted: boolean;
}

/** Push the file's bytes in order, then `finish`. `name` is how errors call the file. */
export class OccupancyCsvReader {
  readonly #name: string;
  readonly #builder = new OccupancyBuilder();
  readonly #fields: Field[] = [];
  #buffer = new Uint8Array(0);
  /** Where each of user, grid, count stands in a row; undefined until the header was read. */
  #columns: { user: number; grid: number; count: number } | undefined;
  #rows = 0;
  /** Physical line on which the current record starts. */
  #line = 1;
  #started = false;

  constructor(name: string) {
    this.#name = name;
  }

  get rows(): number {
    return this.#rows;
  }

  push(chunk: Uint8Array): void {
    // Always our own copy: escaped quotes are removed in place.
    const joined = new Uint8Array(this.#buffer.length + chunk.length);
    joined.set(this.#buffer);
    joined.set(chunk, this.#buffer.length);
    this.#buffer = joined;
    // No record can end in a chunk without a line end: a long one that comes in small pieces is scanned once.
    if (chunk.includes(NEWLINE)) this.#consume(false);
    if (this.#buffer.length > LONGEST_RECORD_BYTES) this.#refuseLength(0);
  }

  finish(): { occupancy: Occupancy; notes: BuildNotes } {
    this.#consume(true);
    if (this.#columns === undefined) {
      throw new VeilgridError(
        "INPUT_EMPTY",
        `${this.#name}: the file is empty; expected the header user,grid,count and rows`,
      );
    }
    try {
      const built = this.#builder.build();
      if (built.occupancy.entries > 0) return built;
    } catch (error) {
      throw placed(error, this.#name);
    }
    throw new VeilgridError("INPUT_EMPTY", `${this.#name}: no row has a count above 0, so there is nothing to plan`);
  }

  /** Takes every complete record from the buffer; at the end of the file also the last one without a newline. */
  #consume(atEnd: boolean): void {
    let at = 0;
    // With a line end among them, fewer than three bytes are no beginning of a byte order mark.
    if (!this.#started && this.#buffer[0] === 0xef && this.#buffer[1] === 0xbb && this.#buffer[2] === 0xbf) at = 3;
    this.#started = true;
    while (at < this.#buffer.length) {
      const next = this.#scanRecord(at, atEnd);
      if (next < 0) break;
      at = next;
    }
    this.#buffer = this.#buffer.slice(at);
  }

  /** Reads the record at `start`; returns where the next begins, or −1 if this one is not complete yet. */
  #scanRecord(start: number, atEnd: boolean): number {
    const buffer = this.#buffer;
    const end = buffer.length;
    let at = start;
    let fieldCount = 0;
    for (;;) {
      const quoted = buffer[at] === QUOTE;
      const contentEnd = quoted ? this.#endOfQuoted(at, atEnd) : this.#endOfPlain(at);
      if (contentEnd < 0) return -1;
      this.#setField(fieldCount++, quoted ? at + 1 : at, contentEnd, quoted);
      at = quoted ? contentEnd + 1 : contentEnd;
      // What follows decides whether the record goes on, so it must be in the buffer, a carriage return's newline too.
      if (!atEnd && (at >= end || (buffer[at] === RETURN && at + 1 >= end))) return -1;
      if (buffer[at] !== COMMA) break;
      at += 1;
    }
    if (buffer[at] === RETURN && (at + 1 === end || buffer[at + 1] === NEWLINE)) at += 1;
    if (at < end && buffer[at] !== NEWLINE) {
      const closed = this.#fields[fieldCount - 1]!;
      this.#fail(`text follows the closing quotation mark of ${this.#excerpt(closed.start - 1, closed.end + 1)}`);
    }
    if (at - start > LONGEST_RECORD_BYTES) this.#refuseLength(start);
    // Counted first: taking the record moves bytes within its quoted fields.
    let lines = 0;
    for (let passed = start; passed <= at; passed++) if (buffer[passed] === NEWLINE) lines += 1;
    this.#takeRecord(start, fieldCount);
    this.#line += lines;
    return at + 1;
  }

  /** The closing mark of the quoted field at `open`, or −1 if it is not in the buffer yet. */
  #endOfQuoted(open: number, atEnd: boolean): number {
    const buffer = this.#buffer;
    for (let at = open + 1; at < buffer.length; at++) {
      if (buffer[at] !== QUOTE) continue;
      if (buffer[at + 1] !== QUOTE) return at;
      at += 1;
    }
    if (atEnd) this.#fail(`the quotation mark that opens ${this.#excerpt(open, buffer.length)} is never closed`);
    return -1;
  }

  /** Where the unquoted field at `start` ends: at a comma, a line end or the end of the buffer. */
  #endOfPlain(start: number): number {
    const buffer = this.#buffer;
    let at = start;
    for (; at < buffer.length; at++) {
      const byte = buffer[at]!;
      if (byte === COMMA || byte === NEWLINE) break;
      if (byte === RETURN && (at + 1 >= buffer.length || buffer[at + 1] === NEWLINE)) break;
      if (byte === QUOTE) {
        const upToMark = this.#excerpt(start, at + 1);
        this.#fail(`a quotation mark inside the unquoted field ${upToMark}; quote the field and double the mark`);
      }
    }
    return at;
  }

  #setField(index: number, start: number, end: number, quoted: boolean): void {
    const field = this.#fields[index];
    if (field === undefined) this.#fields.push({ start, end, quoted });
    else {
      field.start = start;
      field.end = end;
      field.quoted = quoted;
    }
  }

  #takeRecord(start: number, fieldCount: number): void {
    const first = this.#fields[0]!;
    if (fieldCount === 1 && first.start === first.end && !first.quoted) return; // a blank line
    if (this.#columns !== undefined && fieldCount !== COLUMNS.length) {
      const last = this.#fields[fieldCount - 1]!;
      const record = this.#excerpt(start, last.quoted ? last.end + 1 : last.end);
      this.#fail(`${fieldCount} field${fieldCount === 1 ? "" : "s"} in ${record} where user,grid,count needs 3`);
    }
    for (let index = 0; index < fieldCount; index++)
      if (this.#fields[index]!.quoted) this.#removeDoubling(this.#fields[index]!);
    if (this.#columns === undefined) this.#columns = this.#readHeader(fieldCount);
    else this.#takeRow(this.#columns);
  }

  #takeRow(columns: { user: number; grid: number; count: number }): void {
    const user = this.#fields[columns.user]!;
    const grid = this.#fields[columns.grid]!;
    const count = this.#readCount(this.#fields[columns.count]!);
    try {
      this.#builder.addBytes(this.#buffer, user, grid, count);
    } catch (error) {
      if (error instanceof TypeError) {
        const ids = `user ${quoteForMessage(this.#text(user))} or grid ${quoteForMessage(this.#text(grid))}`;
        this.#fail(`${ids} is not valid UTF-8 text; save the file as UTF-8`);
      }
      throw placed(error, `${this.#name}: ${this.#place()}`);
    }
    this.#rows += 1;
  }

  #readHeader(fieldCount: number): { user: number; grid: number; count: number } {
    const names = this.#fields.slice(0, fieldCount).map((field) => this.#text(field));
    const [user, grid, count] = COLUMNS.map((column) => names.indexOf(column)) as [number, number, number];
    const missing = COLUMNS.filter((column) => !names.includes(column));
    if (missing.length > 0) this.#refuseHeader(`no column is called ${missing.join(" or ")}`);
    if (fieldCount !== COLUMNS.length) this.#refuseHeader(`it has ${fieldCount} columns`);
    return { user, grid, count };
  }

  #readCount(field: Field): number {
    let value = 0;
    for (let at = field.start; at < field.end; at++) {
      const digit = this.#buffer[at]! - 0x30;
      if (digit < 0 || digit > 9) this.#refuseCount(field);
      value = 10 * value + digit;
    }
    if (field.start === field.end || value > LARGEST_COUNT) this.#refuseCount(field);
    return value;
  }

  #refuseCount(field: Field): never {
    const text = this.#text(field);
    const reason = /^-\d/.test(text)
      ? "is negative"
      : /^\d+$/.test(text)
        ? `is above ${LARGEST_COUNT}`
        : /^\d*\.\d+$/.test(text)
          ? "is a fraction"
          : "is not a number";
    this.#fail(`count ${quoteForMessage(text)} ${reason}; counts are whole numbers from 0`);
  }

  /** Doubled quotation marks become single ones, within the field's own bytes. */
  #removeDoubling(field: Field): void {
    const buffer = this.#buffer;
    let write = field.start;
    for (let read = field.start; read < field.end; read++) {
      buffer[write++] = buffer[read]!;
      if (buffer[read] === QUOTE) read += 1;
    }
    field.end = write;
  }

  #text(field: Field): string {
    return new TextDecoder().decode(this.#buffer.subarray(field.start, field.end));
  }

  /** The file's own text, doubled marks and all; what is too long for a message is not even decoded. */
  #excerpt(start: number, end: number): string {
    return quoteForMessage(new TextDecoder().decode(this.#buffer.subarray(start, Math.min(end, start + 300))));
  }

  #refuseLength(start: number): never {
    const beginning = this.#excerpt(start, this.#buffer.length);
    this.#fail(`a record of more than 1 MiB, beginning ${beginning}; is a quotation mark left open?`);
  }

  /** Of a file that is no array nothing is known to be public, so nothing of it is quoted. */
  #refuseHeader(why: string): never {
    throw new VeilgridError(
      "INPUT_MALFORMED",
      `${this.#name}: the first row is not the header user,grid,count: ${why}; if these are records, 'veilgrid survey FILE' lists the columns and prints a command to start from`,
    );
  }

  #fail(what: string): never {
    if (this.#columns === undefined) this.#refuseHeader("it cannot be read as CSV");
    throw new VeilgridError("INPUT_MALFORMED", `${this.#name}: ${this.#place()}: ${what}`);
  }

  #place(): string {
    return `row ${this.#rows + 1} (line ${this.#line})`;
  }
}

/** The builder knows what is wrong, the reader where. */
function placed(error: unknown, place: string): unknown {
  return error instanceof VeilgridError ? new VeilgridError(error.code, `${place}: ${error.message}`) : error;
}
