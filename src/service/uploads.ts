/** Files that curators send: each in a folder of its own below the state, whole or not at all, for the service's owner only. */
import { realpathSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import { makeFolder } from "./store.ts";
import { checkUploadName, newUploadId } from "./upload-names.ts";

/** Who sends nothing for so long has gone. */
const IDLE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface UploadsOptions {
  /** The service's state; files go below it. */
  readonly state: string;
  readonly mostBytes: number;
  readonly idleMs?: number | undefined;
}

export interface Uploaded {
  /** What a dataset may be registered with. */
  readonly source: string;
  readonly bytes: number;
}

export class Uploads {
  /** A folder that the service may read, one named file at a time. */
  readonly folder: string;
  readonly #mostBytes: number;
  readonly #idleMs: number;

  constructor({ state, mostBytes, idleMs = IDLE_MS }: UploadsOptions) {
    const folder = path.join(state, "uploads");
    makeFolder(folder, state);
    this.folder = realpathSync(folder);
    this.#mostBytes = mostBytes;
    this.#idleMs = idleMs;
  }

  /** Never in memory as a whole. What ends early, or grows too large, leaves nothing behind; the stream is then not read on. */
  async receive(name: string, body: Readable, declaredBytes?: number): Promise<Uploaded> {
    checkUploadName(name);
    if (declaredBytes !== undefined && declaredBytes > this.#mostBytes) throw this.#tooLarge();
    const id = newUploadId();
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

  /** Removes what was sent more than a day before `now` and is no dataset's source; how many there were. */
  async tidy(sources: readonly string[], now: Date): Promise<number> {
    let removed = 0;
    for (const entry of await readdir(this.folder, { withFileTypes: true })) {
      const folder = path.join(this.folder, entry.name);
      const isOld = (await lastChange(folder)) < now.getTime() - DAY_MS;
      if (!entry.isDirectory() || !isOld || sources.some((source) => source.startsWith(folder + path.sep))) continue;
      await rm(folder, { recursive: true, force: true });
      removed += 1;
    }
    return removed;
  }

  async #write(file: string, body: Readable): Promise<number> {
    await using handle = await open(file, "wx", 0o600);
    const idle = setTimeout(() => body.destroy(), this.#idleMs);
    let bytes = 0;
    try {
      for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        idle.refresh();
        bytes += chunk.length;
        if (bytes > this.#mostBytes) throw this.#tooLarge();
        await append(handle, chunk);
      }
    } catch (error) {
      if (error instanceof VeilgridError) throw error;
      throw new VeilgridError("CANCELLED", "the upload ended before all of the file was there", { cause: error });
    } finally {
      clearTimeout(idle);
    }
    await handle.sync();
    return bytes;
  }

  #tooLarge(): VeilgridError {
    const most = `${Number((this.#mostBytes / 2 ** 30).toPrecision(3))} GB`;
    return new VeilgridError(
      "BODY_TOO_LARGE",
      `the file is larger than ${most}, the most that this service takes; serve --upload-limit sets it`,
    );
  }
}

async function append(handle: FileHandle, chunk: Buffer): Promise<void> {
  await handle.writeFile(chunk).catch((error: unknown) => {
    throw cannotKeep(error);
  });
}

function cannotKeep(error: unknown): VeilgridError {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
  const remedy = code === "ENOSPC" || code === "EDQUOT" ? "the disk is full; make room and send it again" : code;
  return new VeilgridError("OUTPUT_FAILED", `the file could not be kept: ${remedy}`, { cause: error });
}

async function lastChange(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    [folder, ...names.map((name) => path.join(folder, name))].map((each) => stat(each).catch(() => undefined)),
  );
  return Math.max(0, ...found.map((each) => each?.mtimeMs ?? 0));
}
