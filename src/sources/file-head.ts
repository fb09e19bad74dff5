/** The beginning of a file, decompressed, and what kind of file it is. */
import { open, stat } from "node:fs/promises";
import { constants, gunzipSync } from "node:zlib";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import { asReadError } from "./read-error.ts";

const HEAD_BYTES = 1 << 20;
/** Compressed bytes that are looked at; they may hold a thousand times as much. */
const GZIP_HEAD_BYTES = 1 << 17;
const TEXT_BYTES = 1 << 12;

export type FileKind = "parquet" | "json lines" | "json array" | "csv";

export interface FileHead {
  readonly kind: FileKind;
  readonly gzip: boolean;
  /** Decoded text; empty for Parquet. */
  readonly text: string;
  /** Whether `text` is all there is. */
  readonly complete: boolean;
}

/** Whether a path may stand for several: `day-*.csv`, `day-[12].csv`. */
export function isPattern(path: string): boolean {
  return /[*?]|\[[^\]]+\]/.test(path);
}

export async function readFileHead(path: string): Promise<FileHead> {
  const { bytes, size } = await firstBytes(path);
  if (bytes.length === 0) throw new VeilgridError("INPUT_EMPTY", `${quoteForMessage(path)} is empty`);
  if (bytes.toString("latin1", 0, 4) === "PAR1") return { kind: "parquet", gzip: false, text: "", complete: true };
  const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const { content, complete } = gzip ? inflateHead(bytes, path) : { content: bytes, complete: size <= bytes.length };
  if ((content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff)) {
    throw new VeilgridError("INPUT_MALFORMED", `${quoteForMessage(path)} is UTF-16; save it as UTF-8`);
  }
  if (content.toString("latin1", 0, 4) === "PK\u0003\u0004")
    throw new VeilgridError(
      "INPUT_MALFORMED",
      `${quoteForMessage(path)} is an archive, perhaps an Excel workbook; save it as CSV (UTF-8)`,
    );
  if (content.subarray(0, TEXT_BYTES).includes(0))
    throw new VeilgridError(
      "INPUT_MALFORMED",
      `${quoteForMessage(path)} is no text; CSV, JSON and Parquet files can be read`,
    );
  const text = content.toString("utf8");
  if ((text.split("\n", 1)[0] ?? "").includes("\uFFFD"))
    throw new VeilgridError("INPUT_MALFORMED", `${quoteForMessage(path)}: line 1: not UTF-8; save the file as UTF-8`);
  const first = /^\uFEFF?\s*([[{])?/.exec(text)?.[1];
  const kind = first === "[" && looksLikeJsonArray(text) ? "json array" : first === "{" ? "json lines" : "csv";
  return { kind, gzip, text, complete };
}

/** A bracket may also begin a headerless row whose first column is a point. */
function looksLikeJsonArray(text: string): boolean {
  return /^\uFEFF?\s*\[\s*(\{|\]|$)/.test(text);
}

async function firstBytes(path: string): Promise<{ bytes: Buffer; size: number }> {
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory())
      throw new VeilgridError(
        "INPUT_UNREADABLE",
        `${quoteForMessage(path)} is no regular file; save the records to one`,
      );
    if (found.isDirectory())
      throw new VeilgridError(
        "INPUT_UNREADABLE",
        `${quoteForMessage(path)} is a folder; name a file in it, or a pattern such as ${quoteForMessage(`${path.replace(/\/+$/, "")}/*.csv`)}`,
      );
    await using file = await open(path, "r");
    const buffer = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(buffer, 0, HEAD_BYTES, 0);
    return { bytes: buffer.subarray(0, bytesRead), size: found.size };
  } catch (error) {
    throw asReadError(error, path);
  }
}

/** Complete if the whole of it stood in these bytes and was sound. */
function inflateHead(bytes: Buffer, path: string): { content: Buffer; complete: boolean } {
  const beginning = bytes.subarray(0, GZIP_HEAD_BYTES);
  try {
    return { content: gunzipSync(beginning), complete: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "Z_BUF_ERROR") throw asReadError(error, path);
    return { content: gunzipSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH }), complete: false };
  }
}
