/** What a command is: one file with its name, summary, options, examples and a `run` that calls an operation. */
import { escapeControls, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { Progress } from "../../core/planning/index.ts";

export interface CommandOption {
  /** As the option parser takes them: `--epsilon <number>`. */
  readonly flags: string;
  readonly description: string;
}

/** What a command may touch. Data goes to `out`, everything else to `err`. */
export interface CommandContext {
  out(text: string | Uint8Array): void;
  /** A note or warning, one line. */
  note(text: string): void;
  /** To standard error, as it is: the log of a service. */
  err(text: string): void;
  progress(progress: Progress): void;
  readonly signal: AbortSignal;
}

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export interface Command {
  /** `plan`, or `simulate synthetic` for a command of a group. */
  readonly name: string;
  readonly summary: string;
  /** The positional argument, if there is one. */
  readonly argument?: { readonly name: string; readonly description: string };
  readonly options: readonly CommandOption[];
  /** What the words in its output mean, a line each. */
  readonly words?: readonly string[];
  /** Full command lines that work as printed. */
  readonly examples: readonly string[];
  run(argument: string, options: OptionValues, context: CommandContext): Promise<void>;
}

/** A source as people call it. */
export function sourceName(source: string): string {
  return source === "-" ? "standard input" : source;
}

export function textOption(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function flagOption(options: OptionValues, name: string): boolean {
  return options[name] === true;
}

/** `--json` output: two-space JSON and a newline. An id may hold control characters that JSON lets through raw; they are escaped too. */
export function jsonText(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split("\n");
  return `${lines.map(escapeControls).join("\n")}\n`;
}

/** A flag's text as a number. */
export function numberOption(text: string, flag: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text))
    throw new VeilgridError("PARAMETER_INVALID", `${flag} ${quoteForMessage(text)} is not a number`);
  return Number(text);
}
