/** What every engine over a database asks of its source: a table that is named, and nothing that is about files. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { DatabaseUrl, DialectOptions } from "../sources/index.ts";

export function tableNamed({ parameters, shown, kind }: DatabaseUrl): string {
  const table = parameters.get("table");
  if (table === undefined || table === "")
    throw new VeilgridError(
      "USAGE",
      `${quoteForMessage(shown)} names no table; write ${kind}://user@host/database?table=NAME`,
    );
  return table;
}

export function refuseDialect(dialect: DialectOptions): void {
  const flags = {
    delimiter: "--delimiter",
    header: "--header",
    decimalComma: "--decimal-comma",
    encoding: "--encoding",
  } as const;
  for (const [name, flag] of Object.entries(flags) as Array<[keyof typeof flags, string]>) {
    if (dialect[name] === undefined) continue;
    throw new VeilgridError("USAGE", `${flag} is about text files; a table has no such thing, so leave it out`);
  }
}
