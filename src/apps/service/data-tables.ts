/** The tables that the service may read: those that its operator named, or with `table=*` any that the user of the address can. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type DatabaseUrl, parseDatabaseUrl } from "../../data/sources/index.ts";

/** What says which table of a database is meant; other parameters say how it is reached. */
const OF_TABLE = new Set(["schema", "table"]);

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

function covers(allowed: DatabaseUrl, asked: DatabaseUrl): boolean {
  const isSame = (["kind", "host", "port", "user", "database"] as const).every((part) => allowed[part] === asked[part]);
  const isFree = (name: string): boolean => name === "table" || (OF_TABLE.has(name) && !allowed.parameters.has(name));
  const isOpen = allowed.parameters.get("table") === "*";
  const names = new Set([...allowed.parameters.keys(), ...asked.parameters.keys()]);
  return (
    isSame &&
    [...names].every((name) => allowed.parameters.get(name) === asked.parameters.get(name) || (isOpen && isFree(name)))
  );
}
