/** Holds the dashboard's built files in memory: no path leads to any other file. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The same place seen from src/apps/service and from dist/apps/service. */
const BUILT = new URL("../../../dist/web/", import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};
/** In order of preference, with the ending under which the build leaves a file's compressed form beside it. */
const ENCODINGS = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

/** A file as it is sent. */
export interface Representation {
  readonly type: string;
  readonly bytes: Buffer;
  readonly encoding: (typeof ENCODINGS)[number]["name"] | "identity";
  /** Strong: other bytes, another tag. */
  readonly etag: string;
}

export class Dashboard {
  /** Each with its compressed forms, and as it is at the end. */
  readonly #files: ReadonlyMap<string, readonly Representation[]>;

  /** By path below the folder: `index.html`, `assets/index-1a2b.js`. */
  constructor(files: ReadonlyMap<string, Buffer>) {
    const plain = [...files].filter(([name]) => !ENCODINGS.some(({ ending }) => name.endsWith(ending)));
    this.#files = new Map(plain.map(([name, bytes]) => [name, formsOf(name, bytes, files)]));
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

  /** The smallest form of a file that the caller takes; `accepted` is an Accept-Encoding header. */
  file(name: string, accepted: string | undefined): Representation | undefined {
    return this.#files.get(name)?.find(({ encoding }) => encoding === "identity" || takes(accepted, encoding));
  }
}

function formsOf(name: string, plain: Buffer, files: ReadonlyMap<string, Buffer>): Representation[] {
  const type = TYPES[path.extname(name).toLowerCase()] ?? "application/octet-stream";
  const form = (encoding: Representation["encoding"], bytes: Buffer): Representation => {
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
    return { type, bytes, encoding, etag };
  };
  const compressed = ENCODINGS.flatMap(({ name: encoding, ending }) => {
    const bytes = files.get(name + ending);
    return bytes === undefined ? [] : [form(encoding, bytes)];
  });
  return [...compressed, form("identity", plain)];
}

/** Whether an Accept-Encoding header takes this encoding; q = 0 means never (RFC 9110, 12.5.3). */
function takes(header: string | undefined, encoding: string): boolean {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").split(",", 50)) {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  return (weights.get(encoding) ?? weights.get("*") ?? 0) > 0;
}
