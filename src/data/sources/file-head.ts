/** Reads the beginning of a file, decompressed, and what kind of file it is. */
import { open, stat } from "node:fs/promises";
import { constants, gunzipSync } from "node:zlib";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { CsvDialect, Encoding } from "./csv-dialect.ts";
import { asReadError } from "./read-error.ts";

const HEAD_BYTES = 1 << 20;
/** Compressed bytes that are looked at; they may hold a thousand times as much. */
const GZIP_HEAD_BYTES = 1 << 17;
const TEXT_CHARACTERS = 1 << 12;

export type FileKind = "parquet" | "json lines" | "json array" | "csv";

export interface FileHead {
  readonly kind: FileKind;
  readonly gzip: boolean;
  /** Decoded text; empty for Parquet. */
  readonly text: string;
  /** Absent: UTF-8. */
  readonly encoding?: CsvDialect["encoding"];
  /** Whether `text` is all there is. */
  readonly complete: boolean;
}

/** Whether a path may stand for several: `day-*.csv`, `day-[12].csv`. */
export function isPattern(path: string): boolean {
  return /[*?]|\[[^\]]+\]/.test(path);
}

/** `stated` is the encoding that the curator gave. */
export async function readFileHead(path: string, stated?: Encoding): Promise<FileHead> {
  const { bytes, size } = await firstBytes(path);
  if (bytes.length === 0) throw new VeilgridError("INPUT_EMPTY", `${quoteForMessage(path)} is empty`);
  if (bytes.toString("latin1", 0, 4) === "PAR1") return { kind: "parquet", gzip: false, text: "", complete: true };
  const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const { content, complete } = gzip ? inflateHead(bytes, path) : { content: bytes, complete: size <= bytes.length };
  if (content.toString("latin1", 0, 4) === "PK\u0003\u0004")
    throw malformed(path, " is an archive, perhaps an Excel workbook; save it as CSV (UTF-8)");
  const { text, encoding } = decode(content, { complete, stated, path });
  if (text.slice(0, TEXT_CHARACTERS).includes("\0"))
    throw malformed(path, " is no text; CSV, JSON and Parquet files can be read");
  const first = /^\uFEFF?\s*([[{])?/.exec(text)?.[1];
  const kind = first === "[" && looksLikeJsonArray(text) ? "json array" : first === "{" ? "json lines" : "csv";
  if (kind !== "csv" && encoding !== undefined)
    throw malformed(path, `: JSON must be UTF-8; ${howToConvert(encoding)}`);
  return { kind, gzip, text, complete, ...(encoding === undefined ? {} : { encoding }) };
}

function malformed(path: string, what: string): VeilgridError {
  return new VeilgridError("INPUT_MALFORMED", quoteForMessage(path) + what);
}

/** What a curator can do about an encoding that the engine does not read. */
export function howToConvert(encoding: string): string {
  return `convert it: iconv -f ${encoding === "latin-1" ? "WINDOWS-1252" : encoding.toUpperCase()} -t UTF-8 FILE > NEW`;
}

/** UTF-8, unless a byte order mark, the curator or bytes that can hardly be anything else say otherwise. */
function decode(
  content: Buffer,
  { complete, stated, path }: { complete: boolean; stated: Encoding | undefined; path: string },
): Pick<FileHead, "text" | "encoding"> {
  if (content[0] === 0xfe && content[1] === 0xff)
    throw malformed(path, ` is big-endian UTF-16, which cannot be read; ${howToConvert("utf-16")}`);
  const hasMark = content[0] === 0xff && content[1] === 0xfe;
  const encoding =
    stated ?? (hasMark ? "utf-16" : isUtf8(content, complete) || !isLatin1(content) ? "utf-8" : "latin-1");
  if (encoding === "utf-16") return { text: new TextDecoder("utf-16le").decode(content), encoding };
  if (encoding === "latin-1") return { text: content.toString("latin1"), encoding };
  const text = content.toString("utf8");
  if ((text.split("\n", 1)[0] ?? "").includes("\uFFFD")) throw malformed(path, `: line 1: ${NOT_UTF8}`);
  return { text, encoding: undefined };
}

export const NOT_UTF8 = `not UTF-8; give --encoding latin-1 if it is, otherwise ${howToConvert("latin-1")} (or -f what it is)`;

function isUtf8(content: Buffer, complete: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content, { stream: !complete });
    return true;
  } catch {
    return false;
  }
}

/**
 * Letters with accents stand alone among others in the languages that are written in Latin-1. Bytes 0x80 to 0x9f are none of its
 * characters, long runs of high bytes are another script, and pairs that are a character of UTF-8 are hardly anything else.
 */
function isLatin1(content: Buffer): boolean {
  return !/[\x80-\x9f]|[\xa0-\xff]{3}|[\xc2-\xdf][\xa0-\xbf]/.test(content.toString("latin1"));
}

/** A bracket may also begin a headerless row whose first column is a point. */
function looksLikeJsonArray(text: string): boolean {
  return /^\uFEFF?\s*\[\s*(\{|\]|$)/.test(text);
}

async function firstBytes(path: string) {
  try {
    const found = await stat(path);
    const remedy = found.isDirectory()
      ? `a folder; name a file in it, or a pattern such as ${quoteForMessage(`${path.replace(/\/+$/, "")}/*.csv`)}`
      : "no regular file; save the records to one";
    if (!found.isFile()) throw new VeilgridError("INPUT_UNREADABLE", `${quoteForMessage(path)} is ${remedy}`);
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
