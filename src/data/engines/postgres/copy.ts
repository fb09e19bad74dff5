/** Reads and writes PostgreSQL's binary COPY format, a buffer at a time, without an object per row. */

import type { Connection, Submittable } from "pg";
import { itemAt } from "../../../core/errors/index.ts";

const SIGNATURE_LENGTH = 11;
const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");

/** One row; the same object is handed over again and again. A field that is null ends before it starts. */
export interface BinaryRow {
  bytes: Buffer;
  /** Where each field's bytes begin and end; four bytes before `start` tell their number. */
  readonly start: number[];
  readonly end: number[];
}

export function isNull(row: BinaryRow, field: number): boolean {
  return itemAt(row.end, field) < itemAt(row.start, field);
}

/** A bigint field as a number: what is counted here stays below 2^53. */
export function wholeNumber(row: BinaryRow, field: number): number {
  const at = itemAt(row.start, field);
  return row.bytes.readInt32BE(at) * 2 ** 32 + row.bytes.readUInt32BE(at + 4);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A TypeError says that it is not valid UTF-8. */
export function textOf(row: BinaryRow, field: number): string {
  return utf8.decode(row.bytes.subarray(row.start[field], row.end[field]));
}

/** What the client adds to its connections and does not put into its types. */
interface CopyConnection extends Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A COPY command; `done` is when the server is ready again. */
abstract class Copy implements Submittable {
  readonly #sql: string;
  protected failure: unknown;
  #resolve!: () => void;
  #reject!: (reason: unknown) => void;
  readonly done = new Promise<void>((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  constructor(sql: string) {
    this.#sql = sql;
  }

  submit(connection: Connection): void {
    (connection as CopyConnection).query(this.#sql);
  }

  handleCommandComplete(): void {
    // The end is when the server is ready again.
  }

  handleReadyForQuery(): void {
    if (this.failure === undefined) this.#resolve();
    else this.#reject(this.failure);
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }
}

/** `COPY … TO STDOUT (FORMAT binary)`, handed over row by row. */
export class CopyOut extends Copy {
  readonly #take: (row: BinaryRow) => void;
  readonly #row: BinaryRow = { bytes: Buffer.alloc(0), start: [], end: [] };
  #rest: Buffer | undefined;
  #begun = false;

  constructor(sql: string, take: (row: BinaryRow) => void) {
    super(sql);
    this.#take = take;
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.failure !== undefined) return;
    try {
      const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
      const read = this.#rows(bytes);
      // A row is a message in every version so far, but nothing promises that.
      this.#rest = read === bytes.length ? undefined : Buffer.from(bytes.subarray(read));
    } catch (error) {
      this.failure = error;
    }
  }

  /** How far complete rows reach. */
  #rows(bytes: Buffer): number {
    let at = 0;
    if (!this.#begun) {
      if (bytes.length < SIGNATURE_LENGTH + 8) return 0;
      const header = SIGNATURE_LENGTH + 8 + bytes.readInt32BE(SIGNATURE_LENGTH + 4);
      if (bytes.length < header) return 0;
      this.#begun = true;
      at = header;
    }
    const row = this.#row;
    row.bytes = bytes;
    while (at + 2 <= bytes.length) {
      const fields = bytes.readInt16BE(at);
      if (fields < 0) return bytes.length; // the trailer
      let next = at + 2;
      for (let field = 0; field < fields; field++) {
        if (next + 4 > bytes.length) return at;
        const length = bytes.readInt32BE(next);
        next += 4;
        row.start[field] = next;
        row.end[field] = next + length;
        if (length > 0) next += length;
      }
      if (next > bytes.length) return at;
      this.#take(row);
      at = next;
    }
    return at;
  }
}

/** `COPY … FROM STDIN (FORMAT binary)` of rows that stand ready. */
export class CopyIn extends Copy {
  readonly #rows: Buffer;

  constructor(sql: string, rows: Buffer) {
    super(sql);
    this.#rows = rows;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }
}

/** Fields of eight bytes each, as many in every row. */
export function binaryRows(
  rows: number,
  fields: number,
  write: (row: number, put: { whole(value: bigint): void; double(value: number): void }) => void,
): Buffer {
  const header = SIGNATURE_LENGTH + 8;
  const bytes = Buffer.alloc(header + rows * (2 + fields * 12) + 2);
  SIGNATURE.copy(bytes);
  let at = header;
  const put: Parameters<typeof write>[1] = {
    whole: (value) => {
      at = bytes.writeBigInt64BE(value, bytes.writeInt32BE(8, at));
    },
    double: (value) => {
      at = bytes.writeDoubleBE(value, bytes.writeInt32BE(8, at));
    },
  };
  for (let row = 0; row < rows; row++) {
    at = bytes.writeInt16BE(fields, at);
    write(row, put);
  }
  bytes.writeInt16BE(-1, at);
  return bytes;
}
