/** Resolves what a request calls a source to a real path or a table's address, or refuses it. */
import { realpathSync, statSync } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { DuckDbEngine } from "../../data/engines/index.ts";
import { type DatabaseUrl, isPattern, parseDatabaseUrl } from "../../data/sources/index.ts";
import { isUploadSource } from "./uploads.ts";

const LONGEST = 4_096;

/** A place that a source may mean. */
interface Candidate {
  /** Real path of a data folder. */
  readonly folder: string;
  /** The names below it, without `.` and `..`. */
  readonly inner: readonly string[];
}

/**
 * The check is on real paths and of this moment: files may come and links may change, so a source is resolved again before it is
 * read. What resolves once resolves to itself.
 */
export class DataFolders {
  readonly #folders: ReadonlyArray<ReturnType<typeof openFolder>>;
  readonly #tables: DataTables;
  readonly #uploads: string | undefined;

  /** `places` are folders, which must exist, and addresses of databases. A file in `uploads` is found by its whole name only, which only its sender knows. */
  constructor(places: readonly string[], uploads?: string) {
    const addresses = places.map(parseDatabaseUrl);
    this.#folders = places.filter((_, index) => addresses[index] === undefined).map(openFolder);
    this.#tables = new DataTables(addresses.filter((address) => address !== undefined));
    this.#uploads = uploads === undefined ? undefined : openFolder(uploads).real;
  }

  /** Under every name that a message could have for them. */
  get paths(): readonly string[] {
    const uploads = this.#uploads === undefined ? [] : [this.#uploads];
    return [...this.#folders.flatMap(({ real, given }) => [real, given]), ...uploads];
  }

  /**
   * The real path of a file, or a glob whose every match lies inside, or the address of a table. A relative name is looked for in each folder in turn. What
   * lies elsewhere is FORBIDDEN_PATH, whether it exists or not.
   */
  async resolve(source: string): Promise<string> {
    const table = this.#tables.resolve(source);
    if (table !== undefined) return table;
    checkSpelling(source);
    const upload = await this.#upload(source);
    if (upload !== undefined) return upload;
    for (const path of this.#candidates(source)) {
      const found = (await this.#file(path, source)) ?? (await this.#glob(path, source));
      if (found !== undefined) return found;
    }
    throw new VeilgridError(
      "INPUT_NOT_FOUND",
      `${quoteForMessage(source)} does not exist in a folder that the service may read; check the name`,
    );
  }

  /** Relative as the upload was answered, or absolute as it was resolved to. */
  async #upload(source: string): Promise<string | undefined> {
    const folder = this.#uploads;
    if (folder === undefined) return undefined;
    const inner = source.startsWith(folder + sep) ? source.slice(folder.length + 1) : source;
    if (!isUploadSource(inner)) return undefined;
    const path = join(folder, inner);
    const found = await lstat(path).catch(() => undefined);
    return found?.isFile() && (await realpath(path)) === path ? path : undefined;
  }

  /** In the order of the folders; an absolute name must begin with one of them. */
  #candidates(source: string): Candidate[] {
    const below = (inner: string): string[] => inner.split("/").filter((name) => name !== "" && name !== ".");
    if (!isAbsolute(source)) return this.#folders.map(({ real }) => ({ folder: real, inner: below(source) }));
    const found = this.#folders.flatMap(({ real, given }) =>
      [...new Set([real, given])]
        .filter((each) => isInside(source, each))
        .map((each) => ({ folder: real, inner: below(source.slice(each.length)) })),
    );
    if (found.length === 0) throw forbidden(source);
    return found;
  }

  async #file(path: Candidate, source: string): Promise<string | undefined> {
    const real = await this.#realInside(join(path.folder, ...path.inner), source);
    if (real === undefined) return undefined;
    const found = await stat(real);
    if (!found.isFile())
      throw new VeilgridError(
        "INPUT_UNREADABLE",
        `${quoteForMessage(source)} is ${found.isDirectory() ? "a folder; name a file in it, or a pattern such as *.csv" : "no regular file"}`,
      );
    // The engine may take a name for a pattern, after all.
    if (isPattern(real)) await this.#checkMatches(real, source);
    return real;
  }

  async #glob(path: Candidate, source: string): Promise<string | undefined> {
    const first = path.inner.findIndex(isPattern);
    if (first < 0) return undefined;
    const base = await this.#realInside(join(path.folder, ...path.inner.slice(0, first)), source);
    if (base === undefined) return undefined;
    const glob = join(base, ...path.inner.slice(first));
    return (await this.#checkMatches(glob, source)) ? glob : undefined;
  }

  /** False if there are none; they are found as they will be when they are read. */
  async #checkMatches(glob: string, source: string): Promise<boolean> {
    await using engine = await openEngine();
    const files = await engine.filesOf(glob).catch((error: unknown) => {
      if (error instanceof VeilgridError && error.code === "INPUT_NOT_FOUND") return [];
      throw error;
    });
    for (const file of files) {
      const real = await realpath(file).catch(() => undefined);
      if (real === undefined || !this.#holds(real)) throw forbidden(source);
    }
    return files.length > 0;
  }

  /** undefined if nothing is there. A link that leads outside is forbidden, whether its target exists or not. */
  async #realInside(path: string, source: string): Promise<string | undefined> {
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined) {
      if (!this.#holds(real)) throw forbidden(source);
      return real;
    }
    const above = await this.#realInside(dirname(path), source);
    if (above === undefined) return undefined;
    const dangling = await lstat(join(above, basename(path))).catch(() => undefined);
    if (dangling !== undefined) throw forbidden(source);
    return undefined;
  }

  #holds(real: string): boolean {
    if (this.#uploads !== undefined && isInside(real, this.#uploads)) return false;
    return this.#folders.some((folder) => isInside(real, folder.real));
  }
}

/** Loaded when there is a pattern, outside the function with `await using`: the compiler leaves imports there as they are. */
async function openEngine(): Promise<DuckDbEngine> {
  const { DuckDbEngine } = await import("../../data/engines/index.ts");
  return DuckDbEngine.open();
}

/** Its real path, and the one that the operator gave, perhaps by way of links. */
function openFolder(folder: string) {
  const shown = quoteForMessage(folder);
  let real: string;
  try {
    real = realpathSync(folder);
  } catch (error) {
    throw new VeilgridError("INPUT_NOT_FOUND", `data folder ${shown} does not exist; check the path`, { cause: error });
  }
  if (!statSync(real).isDirectory()) throw new VeilgridError("INPUT_UNREADABLE", `data folder ${shown} is no folder`);
  if (/[*?[\\]/.test(real))
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `data folder ${shown} has one of * ? [ \\ in its path, which patterns could not tell from their own; rename it`,
    );
  return { real, given: resolve(folder) };
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** What an engine, or a shell, could read as something else than a file's name. */
function checkSpelling(source: string): void {
  if (source.length > LONGEST)
    throw new VeilgridError("FORBIDDEN_PATH", `a source has ${source.length} characters; name a file with fewer`);
  if (/[\0\\]/.test(source) || !source.isWellFormed())
    throw forbidden(source, "holds a NUL, a backslash or half a character; name a file without them");
  if (/^[a-z][a-z0-9+.-]*:/i.test(source))
    throw forbidden(
      source,
      "is an address; the service reads files in its data folders, and tables that its operator named",
    );
  if (source.startsWith("~") || source.split("/").includes("..")) throw forbidden(source);
}

const OUTSIDE = "lies outside the folders that the service may read; name a file in one of them";

function forbidden(source: string, why = OUTSIDE): VeilgridError {
  return new VeilgridError("FORBIDDEN_PATH", `${quoteForMessage(source)} ${why}`);
}

export class DataTables {
  readonly #allowed: readonly DatabaseUrl[];

  constructor(allowed: readonly DatabaseUrl[]) {
    const unnamed = allowed.find(({ parameters }) => !parameters.has("table"));
    if (unnamed !== undefined)
      throw new VeilgridError(
        "USAGE",
        `--data ${quoteForMessage(unnamed.shown)} names no table; add ?table=NAME, or ?table=* for every table that this user can read`,
      );
    this.#allowed = allowed;
  }

  /** The source as it stands if it is a table that may be read, undefined if it is no database's address. */
  resolve(source: string): string | undefined {
    const asked = parseDatabaseUrl(source);
    if (asked === undefined) return undefined;
    if (this.#allowed.some((each) => covers(each, asked))) return source;
    throw new VeilgridError(
      "FORBIDDEN_PATH",
      `${quoteForMessage(asked.shown)}: table ${quoteForMessage(asked.parameters.get("table") ?? "")} is not among those that the service may read; write the address as its operator gave it to serve --data`,
    );
  }
}

/** Where any table is allowed, schema and table are free; other parameters say how the database is reached. */
function covers(allowed: DatabaseUrl, asked: DatabaseUrl): boolean {
  const isSame = (["kind", "host", "port", "user", "database"] as const).every((part) => allowed[part] === asked[part]);
  const isOpen = allowed.parameters.get("table") === "*";
  const free = isOpen ? ["table", ...(allowed.parameters.has("schema") ? [] : ["schema"])] : [];
  const names = new Set([...allowed.parameters.keys(), ...asked.parameters.keys()]);
  for (const name of free) names.delete(name);
  return isSame && [...names].every((name) => allowed.parameters.get(name) === asked.parameters.get(name));
}
