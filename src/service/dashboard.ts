/** The dashboard's files as they were built, held in memory: what is not among them cannot be asked for, whatever a path looks like. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** The same place seen from src/service and from dist/service. */
const BUILT = new URL("../../dist/web/", import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".ttf": "font/ttf",
};
/** Others are compressed already. */
const COMPRESSIBLE = /^text\/|json|svg|wasm|ttf|x-icon/;
/** Of 11: a tenth of the time for a few per cent more bytes. */
const BROTLI_QUALITY = 9;

/** In order of preference. */
const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number] | "identity";

/** A file as it is sent. */
export interface Representation {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  /** Strong: other bytes, another tag. */
  readonly etag: string;
}

export class DashboardFile {
  readonly type: string;
  readonly #bytes: Buffer;
  readonly #hash: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(name: string, bytes: Buffer) {
    this.type = TYPES[path.extname(name).toLowerCase()] ?? "application/octet-stream";
    this.#bytes = bytes;
    this.#hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 27);
  }

  /** The smallest form of it that the caller takes; `accepted` is an Accept-Encoding header. */
  async as(accepted: string | undefined): Promise<Representation> {
    const encoding = COMPRESSIBLE.test(this.type) ? encodingFor(accepted) : "identity";
    const bytes = encoding === "identity" ? this.#bytes : await this.#compress(encoding);
    // Where compressing gains nothing the plain file is sent.
    if (encoding === "identity" || bytes.length >= this.#bytes.length)
      return { bytes: this.#bytes, encoding: "identity", etag: `"${this.#hash}"` };
    return { bytes, encoding, etag: `"${this.#hash}-${encoding}"` };
  }

  /** Once, when it is first asked for. */
  #compress(encoding: "br" | "gzip"): Promise<Buffer> {
    const known = this.#compressed.get(encoding);
    if (known !== undefined) return known;
    const made =
      encoding === "br"
        ? promisify(brotliCompress)(this.#bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
        : promisify(gzip)(this.#bytes, { level: 9 });
    this.#compressed.set(encoding, made);
    return made;
  }
}

export class Dashboard {
  readonly #files: ReadonlyMap<string, DashboardFile>;

  /** By path below the folder: `index.html`, `assets/index-1a2b.js`. */
  constructor(files: ReadonlyMap<string, Buffer>) {
    this.#files = new Map([...files].map(([name, bytes]) => [name, new DashboardFile(name, bytes)]));
  }

  /** undefined where none was built: in development. */
  static read(folder: URL = BUILT): Dashboard | undefined {
    const top = fileURLToPath(folder);
    const files = new Map<string, Buffer>();
    try {
      // Links are not followed.
      for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const file = path.join(entry.parentPath, entry.name);
        files.set(path.relative(top, file).split(path.sep).join("/"), readFileSync(file));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    return files.has("index.html") ? new Dashboard(files) : undefined;
  }

  get names(): readonly string[] {
    return [...this.#files.keys()];
  }

  file(name: string): DashboardFile | undefined {
    return this.#files.get(name);
  }
}

/** RFC 9110, 12.5.3; q = 0 means never. */
function encodingFor(header: string | undefined): Encoding {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").split(",", 50)) {
    const [name, ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith("q="))?.slice(2);
    if (name !== undefined && name !== "") weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  return ENCODINGS.find((each) => (weights.get(each) ?? weights.get("*") ?? 0) > 0) ?? "identity";
}
