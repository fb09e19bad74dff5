/** The built program, to hold the dashboard against. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { program } from "../../support/serve-demo.ts";

/** What it prints; rejects if it fails. */
export async function runProgram(...parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...parameters], { maxBuffer: 2 ** 26 });
  return stdout;
}
