/** Records as a program gives them: a file, a glob or a table by its name, or rows in memory; with what their columns are. */
import { createWriteStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { VeilgridError } from "../../core/errors/index.ts";
import type { RecordsOptions } from "../../core/options/index.ts";
import { checkpoint, type LongWorkOptions } from "../../core/planning/index.ts";
import { noTemporaryFiles, TemporaryFolder } from "../../data/sources/index.ts";

/** A record: a value by column. */
export type RecordRow = Readonly<Record<string, string | number | bigint | boolean | Date | readonly number[] | null>>;

export type Records = RecordsOptions &
  (
    | { /** A file, a quoted glob, or the address of a table. */ readonly source: string; readonly rows?: undefined }
    | { readonly rows: Iterable<RecordRow> | AsyncIterable<RecordRow>; readonly source?: undefined }
  );

const TEXT_AT_A_TIME = 1 << 16;

/** Hands over the name of a source; rows stand in a private file until `use` is done. */
export async function withSource<Result>(
  { source, rows, ...options }: Records,
  use: (source: string, options: RecordsOptions) => Promise<Result>,
  work: LongWorkOptions,
): Promise<Result> {
  if (source !== undefined) return use(source, options);
  using folder = TemporaryFolder.make();
  const file = path.join(folder.path, "records.jsonl");
  await pipeline(Readable.from(lines(rows)), createWriteStream(file, { mode: 0o600 }), { signal: work.signal }).catch(
    async (error: unknown) => {
      if (error instanceof VeilgridError) throw error;
      await checkpoint(work.signal);
      throw noTemporaryFiles(error);
    },
  );
  return await use(file, options);
}

/** JSON lines, many at a time. */
async function* lines(rows: Iterable<RecordRow> | AsyncIterable<RecordRow>): AsyncGenerator<string> {
  let at = 0;
  let text = "";
  for await (const row of given(rows)) {
    at += 1;
    text += `${lineOf(row, at)}\n`;
    if (text.length < TEXT_AT_A_TIME) continue;
    yield text;
    text = "";
  }
  if (at === 0) throw new VeilgridError("INPUT_MALFORMED", "there are no records: `rows` is empty");
  yield text;
}

/** What fails here is the program's own; its message may quote a value. */
async function* given(rows: Iterable<RecordRow> | AsyncIterable<RecordRow>): AsyncGenerator<RecordRow> {
  let at = 0;
  try {
    for await (const row of rows) {
      at += 1;
      yield row;
    }
  } catch (cause) {
    throw new VeilgridError(
      "INPUT_UNREADABLE",
      `\`rows\` cannot be read past ${at.toLocaleString("en-US")} records: give an iterable of objects; the error's cause says more`,
      { cause },
    );
  }
}

function lineOf(row: unknown, at: number): string {
  if (typeof row === "object" && row !== null && !Array.isArray(row))
    try {
      return JSON.stringify(row, (_, value: unknown) => (isWrittenOut(value) ? String(value) : value));
    } catch {}
  throw new VeilgridError(
    "INPUT_MALFORMED",
    `record ${at.toLocaleString("en-US")} of \`rows\` is not an object with a value by column; correct it`,
  );
}

/** Of what JSON has no form for: infinities are refused as they are in files, not taken for missing. */
function isWrittenOut(value: unknown): boolean {
  return typeof value === "bigint" || value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}
