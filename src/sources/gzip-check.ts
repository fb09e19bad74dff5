/** Whether a gzip file is whole. Engines may take a file that ends early for a shorter one, and publish from half the data. */
import { createReadStream } from "node:fs";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { asReadError } from "./read-error.ts";

const CHUNK_BYTES = 1 << 20;

/** Decompresses to nowhere, checking lengths and sums. */
export async function checkGzipWhole(path: string, signal?: AbortSignal): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline(
      createReadStream(path, { highWaterMark: CHUNK_BYTES }),
      createGunzip({ chunkSize: CHUNK_BYTES }),
      nowhere,
      signal === undefined ? {} : { signal },
    );
  } catch (error) {
    throw asReadError(error, path);
  }
}
