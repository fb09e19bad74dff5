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
/** In order of preference, with the ending under which the build leaves a file's compressed form beside it. */
const ENCODINGS = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;
export type Encoding = (typeof ENCODINGS)[number]["name"] | "identity";

/** A file as it is sent. */
export interface Representation {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  /** Strong: other bytes, another tag. */
  readonly etag: string;
}

export class DashboardFile {
  readonly type: string;
  readonly #forms: ReadonlyMap<Encoding, Representation>;

  constructor(name: string, forms: ReadonlyMap<Encoding, Buffer>) {
    this.type = TYPES[path.extname(name).toLowerCase()] ?? "application/octet-stream";
    this.#forms = new Map([...forms].map(([encoding, bytes]) => [encoding, { bytes, encoding, etag: tagOf(bytes) }]));
  }

  /** The smallest form of it that the caller takes; `accepted` is an Accept-Encoding header. */
  as(accepted: string | undefined): Representation {
    const taken = encodingsFor(accepted).find((each) => this.#forms.has(each));
    return this.#forms.get(taken ?? "identity")!;
  }
}

function tagOf(bytes: Buffer): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
}

export class Dashboard {
  readonly #files: ReadonlyMap<string, DashboardFile>;

  /** By path below the folder: `index.html`, `assets/index-1a2b.js`. */
  constructor(files: ReadonlyMap<string, Buffer>) {
    const plain = [...files].filter(([name]) => !ENCODINGS.some(({ ending }) => name.endsWith(ending)));
    this.#files = new Map(
      plain.map(([name, bytes]) => {
        const forms = new Map<Encoding, Buffer>([["identity", bytes]]);
        for (const { name: encoding, ending } of ENCODINGS) {
          const compressed = files.get(name + ending);
          if (compressed !== undefined) forms.set(encoding, compressed);
        }
        return [name, new DashboardFile(name, forms)];
      }),
    );
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

/** What the caller takes, best first. RFC 9110, 12.5.3; q = 0 means never. */
function encodingsFor(header: string | undefined): Encoding[] {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").split(",", 50)) {
    const [name, ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith("q="))?.slice(2);
    if (name !== undefined && name !== "") weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  return ENCODINGS.map(({ name }) => name).filter((name) => (weights.get(name) ?? weights.get("*") ?? 0) > 0);
}
