/** Runs the built command in a folder of its own: in this process, or in a process of its own where that is the point. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type * as Cli from "../../src/apps/cli/run-command.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));
/** Another build can be tried by its path. */
export const program = process.env["VEILGRID_PROGRAM"] ?? path.join(root, "dist", "apps", "cli", "main.js");

if (!existsSync(program))
  throw new Error("dist/ is missing: these tests run the built package, so `npm run build` first");

export interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Working folder. */
  readonly in: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** One command at a time works in this process: the working folder is the process's. */
let previous: Promise<unknown> = Promise.resolve();

/** `veilgrid …args`, whatever its exit status. With input or an environment it has a process of its own. */
export function veilgrid(args: readonly string[], options: RunOptions): Promise<Run> {
  if (options.input !== undefined || options.env !== undefined || process.env["VEILGRID_PROGRAM"] !== undefined)
    return runNode([program, ...args], options);
  const run = previous.then(() => runHere(args, options.in));
  previous = run.catch(() => undefined);
  return run;
}

async function runHere(args: readonly string[], folder: string): Promise<Run> {
  const { runCommand }: typeof Cli = await import(path.join(path.dirname(program), "run-command.js"));
  const before = process.cwd();
  const streams = { stdout: new Collected(), stderr: new Collected() };
  process.chdir(folder);
  try {
    const status = await runCommand(args, streams, new AbortController().signal);
    return { status, stdout: streams.stdout.text(), stderr: streams.stderr.text() };
  } finally {
    process.chdir(before);
  }
}

/** A stream that keeps what is written to it. */
class Collected {
  readonly #parts: Buffer[] = [];

  write(data: string | Uint8Array): void {
    this.#parts.push(Buffer.from(data));
  }

  text(): string {
    return Buffer.concat(this.#parts).toString();
  }
}

/** As `veilgrid`, for a run that must succeed. */
export async function veilgridDone(args: readonly string[], options: RunOptions): Promise<Run> {
  const run = await veilgrid(args, options);
  if (run.status !== 0) throw new Error(`veilgrid ${args.join(" ")} ended with ${run.status}: ${run.stderr}`);
  return run;
}

export function runNode(args: readonly string[], options: RunOptions): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: options.in, env: { PATH: process.env["PATH"], ...options.env }, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== "number") reject(error);
        else resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
    child.stdin?.on("error", () => undefined); // a command that refuses its flags never reads
    child.stdin?.end(options.input ?? "");
  });
}

export interface Vector {
  readonly name: string;
  readonly csv: string;
  readonly upper: string;
  readonly epsilon: string;
  readonly flags: readonly string[];
  readonly users: number;
  readonly grids: number;
  readonly maxGridsPerUser: number;
  readonly K: number;
  readonly errorBound: number;
  readonly initialErrors: Readonly<Record<string, number>>;
  readonly suppressed: ReadonlyArray<readonly [string, string]>;
  readonly errorsAfter: Readonly<Record<string, number>>;
  readonly caps: Readonly<Record<string, number>>;
  readonly errorsAfterCaps: Readonly<Record<string, number>>;
  readonly worstAfterCaps: number;
  readonly baselineJointLoss: number;
  readonly jointLoss: number;
  readonly simpleLoss: number;
}

/** The shared vectors: results of an independent implementation. `csv` is the full path of the occupancy file. */
export function readVectors(): Vector[] {
  const folder = path.join(root, "test", "vectors");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const vector = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
      return { ...vector, name: name.replace(/\.json$/, ""), csv: path.join(folder, vector.occupancy) };
    });
}

export function planFlags(vector: Vector): string[] {
  return ["--upper", vector.upper, "--epsilon", vector.epsilon, "--strategy", "clip-user", ...vector.flags];
}
