/** Files that curators send: each in a folder of its own below the state, whole or not at all, for the service's owner only. */
import { realpathSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { makeFolder } from "./store.ts";
import { unusedUploads } from "./unused-uploads.ts";
import { checkUploadName, newUploadId } from "./upload-names.ts";
import { Pace, type PaceOptions, USUAL_PACE } from "./upload-pace.ts";

const MOST_AT_ONCE = 4;
/** So many times the largest file is what files that no dataset uses may take up. */
const MOST_UNUSED = 4;
const DAY_MS = 86_400_000;

export interface UploadsOptions {
  /** The service's state; files go below it. */
  readonly state: string;
  readonly mostBytes: number;
  /** What datasets read, as of now. */
  readonly sources: () => readonly string[];
  readonly pace?: Partial<PaceOptions> | undefined;
  readonly now?: (() => Date) | undefined;
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
  readonly #sources: () => readonly string[];
  readonly #pace: PaceOptions;
  readonly #now: () => Date;
  #underWay = 0;
  /** For files that no dataset uses; found out when an upload begins, and taken up by all that are under way. */
  #room = 0;
  /** Bytes that are being written. */
  #claimed = 0;
  /** Bytes that were, ever. */
  #written = 0;

  constructor({ state, mostBytes, sources, pace, now = () => new Date() }: UploadsOptions) {
    const folder = path.join(state, "uploads");
    makeFolder(folder, state);
    this.folder = realpathSync(folder);
    this.#mostBytes = mostBytes;
    this.#sources = sources;
    this.#pace = { ...USUAL_PACE, ...pace };
    this.#now = now;
  }

  /** Never in memory as a whole. What ends early, or grows too large, leaves nothing behind; the stream is then not read on. */
  async receive(name: string, body: Readable, declaredBytes?: number): Promise<Uploaded> {
    checkUploadName(name);
    if (declaredBytes !== undefined && declaredBytes > this.#mostBytes) throw this.#tooLarge();
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

  async #keep(name: string, body: Readable): Promise<Uploaded> {
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

  /** Removes what was sent more than a day ago and is no dataset's source; how many there were. */
  async tidy(): Promise<number> {
    const tooOld = this.#now().getTime() - DAY_MS;
    const old = (await unusedUploads(this.folder, this.#sources())).filter(({ changed }) => changed < tooOld);
    for (const { folder } of old) await rm(folder, { recursive: true, force: true });
    return old.length;
  }

  async #makeRoom(bytes: number): Promise<void> {
    await this.tidy();
    const before = this.#written;
    const unused = await unusedUploads(this.folder, this.#sources());
    // What is written while sizes are taken counts twice rather than not at all.
    const meanwhile = this.#claimed + this.#written - before;
    this.#room = MOST_UNUSED * this.#mostBytes - unused.reduce((sum, each) => sum + each.bytes, meanwhile);
    if (bytes > this.#room) throw this.#noRoom();
  }

  async #write(file: string, body: Readable): Promise<number> {
    await using handle = await open(file, "wx", 0o600);
    using pace = new Pace(body, this.#pace);
    let bytes = 0;
    try {
      for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        pace.took(chunk.length);
        bytes += chunk.length;
        if (bytes > this.#mostBytes) throw this.#tooLarge();
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
      await append(handle, chunk);
    } finally {
      this.#claimed -= chunk.length;
      this.#written += chunk.length;
    }
  }

  #tooLarge(): VeilgridError {
    return new VeilgridError(
      "BODY_TOO_LARGE",
      `the file is larger than ${gigabytes(this.#mostBytes)}, the most that this service takes; serve --upload-limit sets it`,
    );
  }

  #noRoom(): VeilgridError {
    return new VeilgridError(
      "BODY_TOO_LARGE",
      `files that were sent and that no dataset uses may take up ${gigabytes(MOST_UNUSED * this.#mostBytes)}, and this one would be too much; register them, or wait a day until they are removed`,
    );
  }
}

function gigabytes(bytes: number): string {
  return `${Number((bytes / 2 ** 30).toPrecision(3))} GB`;
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
