/** Reads an occupancy file, plain or gzip, as a stream; hashes large arrays with Node's own SHA-256. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { addAbortSignal, pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type BuildNotes, type Occupancy, OccupancyCsvReader, type RunningHash } from "../../core/occupancy/index.ts";
import { type LongWorkOptions, throwIfCancelled } from "../../core/planning/index.ts";
import { asReadError } from "./read-error.ts";

const CHUNK_BYTES = 1 << 18;
const ROWS_PER_REPORT = 100_000;

/** A path, or `-` for standard input. */
export async function readOccupancyFile(
  path: string,
  options: LongWorkOptions = {},
): Promise<{ occupancy: Occupancy; notes: BuildNotes }> {
  const name = path === "-" ? "standard input" : path;
  const reader = new OccupancyCsvReader(quotedIfNeeded(name));
  let reported = 0;
  for await (const chunk of bytesOf(path, name, options.signal)) {
    throwIfCancelled(options.signal);
    reader.push(chunk);
    if (reader.rows - reported >= ROWS_PER_REPORT) {
      reported = reader.rows;
      options.onProgress?.({ step: "reading rows", done: reported });
    }
  }
  options.onProgress?.({ step: "building the occupancy array", done: reader.rows });
  return reader.finish();
}

/** The file's bytes, decompressed if they begin like gzip, whatever the file is called. */
async function* bytesOf(path: string, name: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  throwIfCancelled(signal);
  if (path !== "-") await checkIsFile(path);
  const raw = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  // Also wakes a read that waits for a terminal or a pipe.
  if (signal !== undefined) addAbortSignal(signal, raw);
  try {
    const chunks = raw[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    let first = await chunks.next();
    while (!first.done && first.value.length < 2) {
      const more = await chunks.next();
      if (more.done) break;
      first = { done: false, value: Buffer.concat([first.value, more.value]) };
    }
    if (first.done) return;
    const all = prepend(first.value, chunks);
    if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) yield* all;
    else yield* decompressed(all);
  } catch (error) {
    throwIfCancelled(signal);
    throw asReadError(error, name);
  } finally {
    raw.destroy();
  }
}

async function* prepend(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** An error on the way in, such as an abort, comes out at the other end. */
function decompressed(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return pipeline(
    Readable.from(chunks, { objectMode: false }),
    createGunzip({ chunkSize: CHUNK_BYTES }),
    () => undefined,
  );
}

async function checkIsFile(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) {
      throw new VeilgridError("INPUT_UNREADABLE", `${quoteForMessage(path)} is a folder; name a file in it`);
    }
  } catch (error) {
    throw asReadError(error, path);
  }
}

/** Plain paths stay plain in messages. */
function quotedIfNeeded(name: string): string {
  return /^[\w./ -]{1,120}$/.test(name) ? name : quoteForMessage(name);
}

export function nativeHash(): RunningHash {
  const hash = createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest("hex") };
}
