/** Receives files from curators: each in a folder of its own below the state, whole or not at all. */
import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import type { Static } from "typebox";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { Uploaded } from "./schemas.ts";
import { makeFolder } from "./state-folder.ts";

const MOST_AT_ONCE = 4;
/** So many times the largest file is what files that no dataset uses may take up. */
const MOST_UNUSED = 4;
const DAY_MS = 86_400_000;

/** No path, nothing that a shell or a pattern could read differently, and a kind of file that can be read. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const KIND = /\.((csv|tsv|json|jsonl|ndjson)(\.gz)?|parquet)$/i;
const ID_BYTES = 12;
const ID = /^[0-9a-f]{24}$/;

/** Who sends nothing for `idleMs` has gone; from `graceMs` on the average since the beginning counts. */
const USUAL_PACE = { idleMs: 60_000, graceMs: 60_000, leastBytesPerSecond: 1_000 };

export interface UploadsOptions {
  /** The service's state; files go below it. */
  readonly state: string;
  readonly mostBytes: number;
  /** What datasets read, as of now. */
  readonly sources: () => readonly string[];
  readonly pace?: Partial<typeof USUAL_PACE> | undefined;
  readonly now?: (() => Date) | undefined;
}

export class Uploads {
  /** A folder that the service may read, one named file at a time. */
  readonly folder: string;
  readonly #options: UploadsOptions;
  #underWay = 0;
  /** For files that no dataset uses; found out when an upload begins, and taken up by all that are under way. */
  #room = 0;
  /** Bytes that are being written. */
  #claimed = 0;
  /** Bytes that were, ever. */
  #written = 0;

  constructor(options: UploadsOptions) {
    const folder = path.join(options.state, "uploads");
    makeFolder(folder, options.state);
    this.folder = realpathSync(folder);
    this.#options = options;
  }

  /** Never in memory as a whole. What ends early, or grows too large, leaves nothing behind; the stream is then not read on. */
  async receive(name: string, body: Readable, declaredBytes?: number): Promise<Static<typeof Uploaded>> {
    checkUploadName(name);
    if (declaredBytes !== undefined && declaredBytes > this.#options.mostBytes) throw this.#tooLarge();
    if (this.#underWay >= MOST_AT_ONCE)
      throw new VeilgridError("BUSY", `${MOST_AT_ONCE} files are being sent, which is the most; try again soon`);
    this.#underWay += 1;
    try {
      await this.#makeRoom(declaredBytes ?? 1);
      return await this.#keep(name, body);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #keep(name: string, body: Readable): Promise<Static<typeof Uploaded>> {
    const id = randomBytes(ID_BYTES).toString("hex");
    const folder = path.join(this.folder, id);
    try {
      await mkdir(folder, { mode: 0o700 });
      const part = path.join(folder, `${name}.part`);
      const bytes = await this.#write(part, body);
      if (bytes === 0) throw new VeilgridError("INPUT_EMPTY", `${quoteForMessage(name)} is empty`);
      await rename(part, path.join(folder, name));
      return { source: `${id}/${name}`, bytes };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error instanceof VeilgridError ? error : cannotKeep(error);
    }
  }

  /** Removes what was sent more than a day ago and is no dataset's source; how many there were. */
  async tidy(): Promise<number> {
    const { now = () => new Date() } = this.#options;
    const tooOld = now().getTime() - DAY_MS;
    const old = (await unusedUploads(this.folder, this.#options.sources())).filter(({ changed }) => changed < tooOld);
    for (const { folder } of old) await rm(folder, { recursive: true, force: true });
    return old.length;
  }

  async #makeRoom(bytes: number): Promise<void> {
    await this.tidy();
    const before = this.#written;
    const unused = await unusedUploads(this.folder, this.#options.sources());
    // What is written while sizes are taken counts twice rather than not at all.
    const meanwhile = this.#claimed + this.#written - before;
    this.#room = MOST_UNUSED * this.#options.mostBytes - unused.reduce((sum, each) => sum + each.bytes, meanwhile);
    if (bytes > this.#room) throw this.#noRoom();
  }

  async #write(file: string, body: Readable): Promise<number> {
    await using handle = await open(file, "wx", 0o600);
    using pace = new Pace(body, { ...USUAL_PACE, ...this.#options.pace });
    let bytes = 0;
    try {
      for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        pace.took(chunk.length);
        bytes += chunk.length;
        if (bytes > this.#options.mostBytes) throw this.#tooLarge();
        await this.#append(handle, chunk);
      }
    } catch (error) {
      if (error instanceof VeilgridError) throw error;
      throw new VeilgridError("CANCELLED", "the upload ended before all of the file was there", { cause: error });
    }
    await handle.sync();
    return bytes;
  }

  async #append(handle: FileHandle, chunk: Buffer): Promise<void> {
    if (chunk.length > this.#room) throw this.#noRoom();
    this.#room -= chunk.length;
    this.#claimed += chunk.length;
    try {
      await handle.writeFile(chunk);
    } catch (error) {
      throw cannotKeep(error);
    } finally {
      this.#claimed -= chunk.length;
      this.#written += chunk.length;
    }
  }

  #tooLarge(): VeilgridError {
    return new VeilgridError(
      "BODY_TOO_LARGE",
      `the file is larger than ${gigabytes(this.#options.mostBytes)}, the most that this service takes; serve --upload-limit sets it`,
    );
  }

  #noRoom(): VeilgridError {
    return new VeilgridError(
      "BODY_TOO_LARGE",
      `files that were sent and that no dataset uses may take up ${gigabytes(MOST_UNUSED * this.#options.mostBytes)}, and this one would be too much; register them, or wait a day until they are removed`,
    );
  }
}

function gigabytes(bytes: number): string {
  return `${Number((bytes / 2 ** 30).toPrecision(3))} GB`;
}

function cannotKeep(error: unknown): VeilgridError {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
  const remedy = code === "ENOSPC" || code === "EDQUOT" ? "the disk is full; make room and send it again" : code;
  return new VeilgridError("OUTPUT_FAILED", `the file could not be kept: ${remedy}`, { cause: error });
}

/** Exactly `<id>/<name>`, as an upload is answered. */
export function isUploadSource(source: string): boolean {
  const [id = "", name = "", ...more] = source.split("/");
  return more.length === 0 && ID.test(id) && NAME.test(name) && KIND.test(name);
}

function checkUploadName(name: string): void {
  const must = !NAME.test(name)
    ? "be a file's name of at most 100 letters, digits, dots, hyphens and underscores, without a path"
    : "end in .csv, .tsv, .json, .jsonl, .ndjson, one of these with .gz, or .parquet";
  if (!NAME.test(name) || !KIND.test(name))
    throw new VeilgridError("PARAMETER_INVALID", `name ${quoteForMessage(name)} must ${must}`);
}

/** Holds a sender to a pace: one that falls silent or trickles is dropped, so that a few cannot keep the others out. */
class Pace implements Disposable {
  readonly #idle: NodeJS.Timeout;
  readonly #average: NodeJS.Timeout;
  #bytes = 0;

  constructor(body: Readable, { idleMs, graceMs, leastBytesPerSecond }: typeof USUAL_PACE) {
    const began = performance.now();
    this.#idle = setTimeout(() => body.destroy(), idleMs);
    this.#average = setInterval(() => {
      const elapsed = performance.now() - began;
      if (elapsed >= graceMs && this.#bytes < (elapsed / 1000) * leastBytesPerSecond) body.destroy();
    }, graceMs / 12);
  }

  took(bytes: number): void {
    this.#bytes += bytes;
    this.#idle.refresh();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle);
    clearInterval(this.#average);
  }
}

type UnusedUpload = Awaited<ReturnType<typeof measure>>;

/** Also those that are still coming in. */
async function unusedUploads(uploads: string, sources: readonly string[]): Promise<UnusedUpload[]> {
  const entries = await readdir(uploads, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(uploads, name));
  const unused = folders.filter((folder) => !sources.some((source) => source.startsWith(folder + path.sep)));
  return Promise.all(unused.map(measure));
}

/** Its size, and when anything in it last changed. What vanishes meanwhile counts as old and empty. */
async function measure(folder: string) {
  const names = await readdir(folder).catch(() => []);
  const [own, ...files] = await Promise.all(
    [folder, ...names.map((name) => path.join(folder, name))].map((each) => stat(each).catch(() => undefined)),
  );
  return {
    folder,
    changed: Math.max(0, ...[own, ...files].map((each) => each?.mtimeMs ?? 0)),
    bytes: files.reduce((sum, each) => sum + (each?.size ?? 0), 0),
  };
}
