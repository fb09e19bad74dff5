/** Runs one `veilgrid` command line against given streams: parses arguments, runs a command, turns failures into one line and an exit status. */
import { readFileSync } from "node:fs";
import { CommanderError, Command as Program } from "commander";
import { escapeControls, VeilgridError } from "../../core/errors/index.ts";
import { flagOf } from "../../core/options/index.ts";
import { auditCommand } from "./audit.ts";
import type { Command, CommandContext } from "./command.ts";
import { compareCommand } from "./compare.ts";
import { ledgerCommands } from "./ledger.ts";
import { planCommand } from "./plan.ts";
import { ProgressLine } from "./progress.ts";
import { releaseCommand } from "./release.ts";
import { reproduceCommands } from "./reproduce.ts";
import { serveCommand } from "./serve.ts";
import { simulateCityCommand, simulateSyntheticCommand } from "./simulate.ts";
import { surveyCommand } from "./survey.ts";
import { tokenCommands } from "./token.ts";

type Values = Readonly<Record<string, string | boolean | undefined>>;
/** A command of any table: the parser hands over what that table says. */
type AnyCommand = Omit<Command, "run"> & {
  run(argument: string, options: never, context: CommandContext): Promise<void>;
};

const COMMANDS: readonly AnyCommand[] = [
  surveyCommand,
  planCommand,
  compareCommand,
  releaseCommand,
  ...ledgerCommands,
  ...tokenCommands,
  auditCommand,
  simulateSyntheticCommand,
  simulateCityCommand,
  ...reproduceCommands,
  serveCommand,
];
/** Where output goes is said each time. */
const NOT_IN_CONFIG = new Set(["config", "write-config", "out", "json"]);
const GROUPS: Readonly<Record<string, string>> = {
  ledger: "budgets: who may lose how much, and what was spent",
  token: "who may use the service",
  simulate: "make data to try things on",
  reproduce: "the paper's experiments and figures, and what it does not draw",
};

/** Where a command writes. */
export interface Streams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(data: string | Uint8Array): unknown;
}

/** Runs `veilgrid …args` and returns its exit status. */
export async function runCommand(args: readonly string[], streams: Streams, signal: AbortSignal): Promise<number> {
  const { stdout, stderr } = streams;
  const progress = new ProgressLine(stderr);
  const decoder = new TextDecoder();
  const context: CommandContext = {
    out: (data) => {
      progress.clear();
      stdout.write(stdout.isTTY ? forTerminal(data, decoder) : data);
    },
    note: (text) => {
      progress.clear();
      stderr.write(`note: ${escapeControls(text)}\n`);
    },
    err: (text) => {
      progress.clear();
      stderr.write(text);
    },
    work: { signal, onProgress: (each) => progress.show(each) },
  };
  try {
    await buildProgram(streams, context).parseAsync(args, { from: "user" });
    progress.clear();
    return 0;
  } catch (error) {
    progress.clear();
    const { line, status } = explain(error);
    if (line !== undefined) stderr.write(`veilgrid: ${escapeControls(line)}\n`);
    return status;
  }
}

/** An id in a table or CSV may hold what steers a terminal. Line ends and tabs stay; files and pipes get every byte as it is. */
function forTerminal(data: string | Uint8Array, decoder: TextDecoder): string {
  const text = typeof data === "string" ? data : decoder.decode(data, { stream: true });
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 0 ? escapeControls(part) : part))
    .join("");
}

function buildProgram(streams: Streams, context: CommandContext): Program {
  const prepare = (program: Program): Program =>
    program
      .exitOverride()
      .configureOutput({
        writeOut: (text) => void streams.stdout.write(text),
        writeErr: (text) => void streams.stderr.write(text),
        outputError: () => undefined,
      })
      .helpCommand(false);
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const program = prepare(new Program("veilgrid"))
    .description("Per-group statistics of many people's records: exact privacy loss, guaranteed error.")
    .version(version)
    .addHelpText(
      "after",
      "\nStart here:\n  $ veilgrid simulate city --out city.csv\n  $ veilgrid survey city.csv\n  $ veilgrid plan --help\nThe paper's figures:\n  $ veilgrid reproduce all --figures paper --out out/",
    );
  const groups = new Map<string, Program>();
  for (const command of COMMANDS) {
    const [name, group] = command.name.split(" ").reverse() as [string, string?];
    let parent = program;
    if (group !== undefined) {
      parent = groups.get(group) ?? prepare(program.command(group)).description(GROUPS[group] ?? "");
      groups.set(group, parent);
    }
    addCommand(prepare(parent.command(name)), command, context);
  }
  return program;
}

function addCommand(program: Program, command: AnyCommand, context: CommandContext): void {
  program.description(command.summary);
  if (command.argument !== undefined) program.argument(`<${command.argument.name}>`, command.argument.description);
  for (const [name, { takes = "", help, default: standard }] of Object.entries(command.options))
    program.option(`${flagOf(name)} ${takes}`.trim(), standard === undefined ? help : `${help} (default: ${standard})`);
  if (command.words !== undefined)
    program.addHelpText("after", `\nWords:\n${command.words.map((line) => `  ${line}`).join("\n")}`);
  program.addHelpText("after", `\nExamples:\n${command.examples.map((example) => `  $ ${example}`).join("\n")}`);
  program.action(async (...received: unknown[]) => {
    const argument = command.argument === undefined ? "" : (received[0] as string);
    const { keepNewFilesPrivate } = await import("../../data/sources/index.ts");
    keepNewFilesPrivate();
    await command.run(argument, (await withConfig(program.opts())) as never, context);
  });
}

/** Flags from `--config`, where one is given, under those of the command line. A flag of another command is left to it. */
async function withConfig(options: Values): Promise<Values> {
  const file = options["config"];
  if (typeof file !== "string") return options;
  const { readConfigFile } = await import("../../data/sources/index.ts");
  const takesValue = COMMANDS.flatMap(({ options: table }) => Object.entries(table))
    .map(([name, { takes }]) => [flagOf(name).slice(2), takes !== undefined] as const)
    .filter(([name]) => !NOT_IN_CONFIG.has(name));
  return { ...(await readConfigFile(file, new Map(takesValue))), ...options };
}

/** One line for people, and the exit status. */
function explain(error: unknown): { line: string | undefined; status: number } {
  if (error instanceof VeilgridError) return { line: error.message, status: error.exitStatus };
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { line: undefined, status: 0 };
    if (error.code === "commander.help") return { line: undefined, status: 2 };
    const message = error.message.replace(/^error: |\.$/g, "").replace(/\s*\n\s*/g, " ");
    return { line: `${message}; see veilgrid --help`, status: 2 };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { line: `this should not happen, please report it: ${message}`, status: 1 };
}
