/** What a command is: its name, summary, options, examples and a `run` that calls an operation. */
import { escapeControls, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { OptionTable, OptionTexts } from "../../core/options/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";

/** What a command may touch. Data goes to `out`, everything else to `err`. */
export interface CommandContext {
  out(text: string | Uint8Array): void;
  /** A note or warning, one line. */
  note(text: string): void;
  /** To standard error, as it is: the log of a service. */
  err(text: string): void;
  /** To be cancelled, and where progress goes. */
  readonly work: Required<LongWorkOptions> & { readonly signal: AbortSignal };
}

export interface Command<Table extends OptionTable = OptionTable> {
  /** `plan`, or `simulate synthetic` for a command of a group. */
  readonly name: string;
  readonly summary: string;
  /** The positional argument, if there is one. */
  readonly argument?: { readonly name: string; readonly description: string };
  readonly options: Table;
  /** What the words in its output mean, a line each. */
  readonly words?: readonly string[];
  /** Full command lines that work as printed. */
  readonly examples: readonly string[];
  run(argument: string, options: OptionTexts<Table>, context: CommandContext): Promise<void>;
}

/** A command whose `run` gets the options of its own table. */
export function command<const Table extends OptionTable>(given: Command<Table>): Command<Table> {
  return given;
}

/** SOURCE of the commands that read records. */
export const SOURCE_ARGUMENT = {
  name: "source",
  description:
    "records (CSV, gzip CSV, Parquet, JSON lines, JSON array, a quoted glob; or a table: postgres://user@host/database?table=NAME, clickhouse://…), or an occupancy CSV with header user,grid,count (- for standard input)",
};

export const JSON_OPTION = { json: { help: "print the result as JSON" } } as const;
export const CONFIG_OPTION = {
  config: { takes: "<file>", help: "read flags from a YAML file, 'flag: value' a line; flags given here win" },
} as const;

/** A source as people call it. */
export function sourceName(source: string): string {
  return source === "-" ? "standard input" : source;
}

/** `--json` output: two-space JSON and a newline. An id may hold control characters that JSON lets through raw; they are escaped too. */
export function jsonText(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split("\n");
  return `${lines.map(escapeControls).join("\n")}\n`;
}

/** A flag's text as a number; undefined where it is absent. */
export function numberOption(text: string, flag: string): number;
export function numberOption(text: string | undefined, flag: string): number | undefined;
export function numberOption(text: string | undefined, flag: string): number | undefined {
  if (text !== undefined && !/^-?\d+(\.\d+)?$/.test(text))
    throw new VeilgridError("PARAMETER_INVALID", `${flag} ${quoteForMessage(text)} is not a number`);
  return text === undefined ? undefined : Number(text);
}
