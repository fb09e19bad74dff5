/** Whether a file is whole. Engines may take a file that ends early for a shorter one, and publish from half the data. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import type { DescribedFile } from "./description.ts";
import { asReadError } from "./read-error.ts";

const CHUNK_BYTES = 1 << 20;
const TAIL_BYTES = 1 << 12;

/** Gzip is decompressed to its end, and a JSON array must be closed; of anything else the engine sees the end. */
export async function checkWhole(file: DescribedFile, signal?: AbortSignal): Promise<void> {
  const isArray = file.layout.kind === "json array";
  if (!file.gzip && !isArray) return;
  const last = file.gzip ? await checkGzipWhole(file.path, signal) : await lastCharacter(file.path);
  if (isArray && last !== "]") {
    throw new VeilgridError(
      "INPUT_MALFORMED",
      `${quoteForMessage(file.path)}: the JSON array ends early, without a closing bracket; copy it again`,
    );
  }
}

/** Decompresses to nowhere, checking lengths and sums; gives the last character that is no blank. */
export async function checkGzipWhole(path: string, signal?: AbortSignal): Promise<string> {
  let last = "";
  const nowhere = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      last = lastFilled(chunk) || last;
      done();
    },
  });
  try {
    await pipeline(
      createReadStream(path, { highWaterMark: CHUNK_BYTES }),
      createGunzip({ chunkSize: CHUNK_BYTES }),
      nowhere,
      signal === undefined ? {} : { signal },
    );
    return last;
  } catch (error) {
    throw asReadError(error, path);
  }
}

async function lastCharacter(path: string): Promise<string> {
  try {
    await using file = await open(path, "r");
    const { size } = await file.stat();
    const buffer = Buffer.alloc(TAIL_BYTES);
    const { bytesRead } = await file.read(buffer, 0, TAIL_BYTES, Math.max(0, size - TAIL_BYTES));
    return lastFilled(buffer.subarray(0, bytesRead));
  } catch (error) {
    throw asReadError(error, path);
  }
}

function lastFilled(bytes: Buffer): string {
  for (let at = bytes.length - 1; at >= 0; at--) if (bytes[at]! > 0x20) return String.fromCharCode(bytes[at]!);
  return "";
}
