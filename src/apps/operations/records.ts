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

async function* lines(rows: Iterable<RecordRow> | AsyncIterable<RecordRow>): AsyncGenerator<string> {
  let found = false;
  for await (const row of rows) {
    found = true;
    yield `${JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))}\n`;
  }
  if (!found) throw new VeilgridError("INPUT_MALFORMED", "there are no records: `rows` is empty");
}
