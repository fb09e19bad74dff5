/** Checks that a file is whole. An engine may take a file that ends early for a shorter one, and publish from half the data. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { DescribedFile } from "./description.ts";
import { asReadError } from "./read-error.ts";

const CHUNK_BYTES = 1 << 20;

/** The engine refuses longer lines, but for a last one that does not fit into its buffer: that it passes over. */
const LONGEST_LINE_BYTES = 1 << 21;

/** Gzip is decompressed to its end, a JSON array must be closed, and a CSV's last line be one; of anything else the engine sees the end. */
export async function checkWhole(file: DescribedFile, signal?: AbortSignal): Promise<void> {
  const isArray = file.layout.kind === "json array";
  const isCsv = file.layout.kind === "csv";
  if (!file.gzip && !isArray && !isCsv) return;
  const { last, bytes } = file.gzip ? await gzipEnding(file.path, signal) : await fileEnding(file.path);
  if (isCsv && bytes > LONGEST_LINE_BYTES) {
    throw new VeilgridError(
      "INPUT_MALFORMED",
      `${quoteForMessage(file.path)}: the last line is longer than 2 MB; check --delimiter and quotes`,
    );
  }
  if (isArray && last !== "]") {
    throw new VeilgridError(
      "INPUT_MALFORMED",
      `${quoteForMessage(file.path)}: the JSON array ends early, without a closing bracket; copy it again`,
    );
  }
}

/** The last character that is no blank, and how many bytes follow the last line break. Decompresses to nowhere, checking lengths and sums. */
async function gzipEnding(path: string, signal: AbortSignal | undefined) {
  let last = "";
  let bytes = 0;
  const nowhere = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      last = lastFilled(chunk) || last;
      const lineBreak = lastBreak(chunk);
      bytes = lineBreak < 0 ? bytes + chunk.length : chunk.length - 1 - lineBreak;
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
    return { last, bytes };
  } catch (error) {
    throw asReadError(error, path);
  }
}

async function fileEnding(path: string) {
  try {
    await using file = await open(path, "r");
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, LONGEST_LINE_BYTES + 1));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length);
    const tail = buffer.subarray(0, bytesRead);
    return { last: lastFilled(tail), bytes: tail.length - 1 - lastBreak(tail) };
  } catch (error) {
    throw asReadError(error, path);
  }
}

function lastBreak(bytes: Buffer): number {
  return Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d));
}

function lastFilled(bytes: Buffer): string {
  const last = bytes.findLast((byte) => byte > 0x20);
  return last === undefined ? "" : String.fromCharCode(last);
}
