/** Runs a peer's program on a job; an end that is not good becomes a sentence instead of an error. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { lastLine } from "./environments.js";
import type { PeerJob, PeerReport } from "./node-peer.js";

export interface Program {
  readonly command: string;
  readonly given: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const MOST_SECONDS = 1800;
let jobs = 0;

export function runProgram(
  { command, given, env }: Program,
  job: PeerJob,
  folder: string,
): Promise<PeerReport | string> {
  const file = path.join(folder, `job-${++jobs}.json`);
  writeFileSync(file, JSON.stringify(job));
  const child = spawn(command, [...given, file], {
    cwd: folder,
    env: { ...process.env, ...env, PEER_FOLDER: folder, PYTHONDONTWRITEBYTECODE: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  let isLate = false;
  const clock = setTimeout(() => {
    isLate = true;
    child.kill("SIGTERM");
  }, 1000 * MOST_SECONDS);
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`not started: ${error.message}`));
    child.once("close", (code) => {
      clearTimeout(clock);
      if (isLate) resolve(`stopped after ${MOST_SECONDS} s`);
      else if (code !== 0) resolve(`failed: ${lastLine(Buffer.concat(err).toString())}`);
      else resolve(JSON.parse(lastText(out)) as PeerReport);
    });
  });
}

/** Libraries may print before it. */
function lastText(out: readonly Buffer[]): string {
  return Buffer.concat(out).toString().trimEnd().split("\n").at(-1)!;
}
