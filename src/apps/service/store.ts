/** Keeps tokens, datasets, plans and jobs in the state folder; several processes may share it. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { invariant, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { JobRow, PlanRow, ServedDataset, TokenRow } from "./rows.ts";
import { StateDatabase, type StateDatabaseOptions, type Value } from "./state-database.ts";
import { DAMAGED, makeFolder, makePrivateFile, stateUnavailable, writePrivateFile } from "./state-folder.ts";

/** Columns as their fields are called; these two kinds are written in another way. */
const FLAGS = new Set(["oneTime", "onlyReleased"]);
const JSONS = new Set(["datasets", "recipe", "wishes", "result", "error", "summary"]);

const TOKEN = "id, name, role, datasets, secretHash, created, expires, revoked, oneTime";
const DATASET = "name, source, recipe, bounds, statistics, unit, plan, key, onlyReleased, created";
const PLAN = "hash, dataset, created, summary";
const JOB = "id, kind, dataset, wishes, state, created, started, ended, result, error";

export interface StoreOptions extends StateDatabaseOptions {
  /** Make the folder and its database where there is none. */
  readonly create?: boolean | undefined;
}

/** Synchronous; a call that returns is on disk. */
export class ServiceStore implements Disposable {
  readonly folder: string;
  readonly #database: StateDatabase;

  private constructor(folder: string, options: StoreOptions) {
    this.folder = folder;
    this.#database = new StateDatabase(folder, options);
  }

  /** Only `create` makes a folder, or a service.db in one that is there. */
  static open(folder: string, options: StoreOptions = {}): ServiceStore {
    const path = resolve(folder);
    const file = join(path, "service.db");
    if (options.create) {
      // The folder above must exist: a slip in a path makes no tree.
      makeFolder(path, folder);
      makePrivateFile(file, folder);
    } else if (!existsSync(file)) {
      throw new VeilgridError(
        "INPUT_NOT_FOUND",
        `no service state in ${quoteForMessage(folder)}; veilgrid token create and veilgrid serve make one`,
      );
    }
    return new ServiceStore(path, options);
  }

  putToken(row: TokenRow): void {
    invariant(/^[0-9a-f]{64}$/.test(row.secretHash), "a token is kept as a hash");
    invariant(this.#insert("tokens", TOKEN, row) === 1, "a token's id is new");
  }

  /** In the order they were made. */
  tokens(): TokenRow[] {
    return this.#select<TokenRow>(TOKEN, "tokens ORDER BY number");
  }

  token(id: string): TokenRow | undefined {
    return this.#select<TokenRow>(TOKEN, "tokens WHERE id = ?", [id])[0];
  }

  /** False if it is unknown or already revoked. */
  revokeToken(id: string, at: string): boolean {
    return this.#change("UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL", [at, id]) === 1;
  }

  /** True exactly once for a one-time token, also among processes: it is revoked then. */
  redeemToken(id: string, at: string): boolean {
    return (
      this.#change("UPDATE tokens SET revoked = ? WHERE id = ? AND oneTime = 1 AND revoked IS NULL", [at, id]) === 1
    );
  }

  putDataset(row: ServedDataset): void {
    if (this.#insert("datasets", DATASET, row) === 0)
      throw new VeilgridError(
        "DATASET_EXISTS",
        `the service has a dataset ${quoteForMessage(row.name)} already; choose another name`,
      );
  }

  updateDataset(name: string, changes: Partial<Pick<ServedDataset, "plan" | "key" | "onlyReleased">>): void {
    if (this.#update("datasets", "name", name, pick(changes, "plan, key, onlyReleased")) === 0)
      throw new VeilgridError("NOT_FOUND", `there is no dataset ${quoteForMessage(name)}`);
  }

  /** Nobody may ask for this over a network. */
  moveSource(name: string, source: string): void {
    this.#update("datasets", "name", name, [["source", source]]);
  }

  dataset(name: string): ServedDataset | undefined {
    return this.#select<ServedDataset>(DATASET, "datasets WHERE name = ?", [name])[0];
  }

  /** In the order they were made. */
  datasets(): ServedDataset[] {
    return this.#select<ServedDataset>(DATASET, "datasets ORDER BY number");
  }

  /** The text goes to a file of its own, whole or not at all. A plan that is there already stays as it is. */
  putPlan(row: PlanRow, text: string): void {
    const file = this.planFile(row.hash);
    makeFolder(join(this.folder, "plans"), this.folder);
    writePrivateFile(file, text);
    this.#insert("plans", PLAN, row);
  }

  /** Two datasets may have the same plan; each has a row of its own. */
  plan(hash: string, dataset: string): PlanRow | undefined {
    return this.#select<PlanRow>(PLAN, "plans WHERE hash = ? AND dataset = ?", [hash, dataset])[0];
  }

  /** Newest first. */
  plans(dataset: string): PlanRow[] {
    return this.#select<PlanRow>(PLAN, "plans WHERE dataset = ? ORDER BY number DESC", [dataset]);
  }

  /** Where a plan's text is, or would be. */
  planFile(hash: string): string {
    // A name from outside must not lead out of the folder.
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new VeilgridError("NOT_FOUND", `there is no plan ${quoteForMessage(hash)}`);
    return join(this.folder, "plans", `${hash}.json`);
  }

  /** Where a dataset's counts are, once it is surveyed. */
  occupancyFile(dataset: string): string {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(dataset))
      throw new VeilgridError("NOT_FOUND", `there is no dataset ${quoteForMessage(dataset)}`);
    return join(this.folder, "occupancy", `${dataset}.csv`);
  }

  putJob(row: JobRow): void {
    invariant(this.#insert("jobs", JOB, row) === 1, "a job's id is new");
  }

  updateJob(id: string, changes: Partial<JobRow>): void {
    invariant(changes.id === undefined || changes.id === id, "a job keeps its id");
    if (this.#update("jobs", "id", id, pick(changes, JOB)) === 0)
      throw new VeilgridError("NOT_FOUND", `there is no job ${quoteForMessage(id)}`);
  }

  job(id: string): JobRow | undefined {
    return this.#select<JobRow>(JOB, "jobs WHERE id = ?", [id])[0];
  }

  /** Newest first. */
  jobs(): JobRow[] {
    return this.#select<JobRow>(JOB, "jobs ORDER BY number DESC");
  }

  /** Ends what a former process left queued or running; how many there were. */
  interruptJobs(at: string): number {
    return this.#change("UPDATE jobs SET state = 'interrupted', ended = ? WHERE state IN ('queued', 'running')", [at]);
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
  }

  /** 1, or 0 if there is such a row already. */
  #insert(table: string, columns: string, row: object): number {
    const names = columns.split(", ");
    const values = names.map((name) => written(name, (row as Record<string, unknown>)[name]));
    const places = names.map(() => "?").join(", ");
    return this.#database.run(`INSERT INTO ${table} (${columns}) VALUES (${places}) ON CONFLICT DO NOTHING`, values);
  }

  /** Only what is named changes, so that two processes can change two things. */
  #update(table: string, key: string, name: string, changes: ReadonlyArray<readonly [string, Value]>): number {
    if (!isStorable(name)) return 0;
    const sets = [`${key} = ${key}`, ...changes.map(([column]) => `${column} = ?`)].join(", ");
    const values = changes.map(([, value]) => value);
    return this.#database.run(`UPDATE ${table} SET ${sets} WHERE ${key} = ?`, [...values, name]);
  }

  #change(sql: string, values: readonly string[]): number {
    return values.every(isStorable) ? this.#database.run(sql, values) : 0;
  }

  #select<Row>(columns: string, from: string, values: readonly string[] = []): Row[] {
    if (!values.every(isStorable)) return [];
    return this.#database.all(columns, from, values).map((row) => {
      const fields = Object.entries(row).map(([name, text]) => [name, this.#read(name, text)] as const);
      return Object.fromEntries(fields) as Row;
    });
  }

  #read(name: string, text: string | null): unknown {
    if (FLAGS.has(name)) return text === "1";
    if (!JSONS.has(name)) return text;
    try {
      return JSON.parse(text ?? "");
    } catch {
      // Without the parser's own words, which quote what it read.
      throw stateUnavailable(this.folder, DAMAGED);
    }
  }
}

/** What is given of these columns; anything else in `changes` is no column and is not written. */
function pick(changes: object, columns: string): Array<readonly [string, Value]> {
  const given = new Map(Object.entries(changes).filter(([, value]) => value !== undefined));
  const named = columns.split(", ").filter((column) => given.has(column));
  return named.map((column) => [column, written(column, given.get(column))] as const);
}

function written(name: string, value: unknown): Value {
  if (JSONS.has(name)) return JSON.stringify(value ?? null);
  if (FLAGS.has(name)) return value === true ? 1 : 0;
  if (typeof value === "string" && !isStorable(value))
    throw new VeilgridError("PARAMETER_INVALID", `${quoteForMessage(value)} holds a NUL or half a character`);
  return value as Value;
}

/** SQLite's text ends at a NUL and knows no half surrogate pairs; two names must never become one. */
function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
