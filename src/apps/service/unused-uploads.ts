/** Files that were sent and that no dataset uses: how old and how large they are. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";

export interface UnusedUpload {
  readonly folder: string;
  /** When anything in it last changed, in milliseconds since 1970. */
  readonly changed: number;
  readonly bytes: number;
}

/** Also those that are still coming in. */
export async function unusedUploads(uploads: string, sources: readonly string[]): Promise<UnusedUpload[]> {
  const entries = await readdir(uploads, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(uploads, name));
  const unused = folders.filter((folder) => !sources.some((source) => source.startsWith(folder + path.sep)));
  return Promise.all(unused.map(measure));
}

/** What vanishes meanwhile counts as old and empty. */
async function measure(folder: string): Promise<UnusedUpload> {
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
