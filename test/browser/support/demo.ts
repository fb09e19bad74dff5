/** A service with the demo's dataset for one test or one file of tests. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { program, serveDemo } from "./serve-demo.ts";

export interface Demo extends AsyncDisposable {
  readonly url: string;
  /** Redeemable once, as `#code=…` in the address. */
  readonly code: string;
  readonly state: string;
  /** A token for all datasets. */
  token(role: "curator" | "analyst"): Promise<string>;
}

export async function startDemo(): Promise<Demo> {
  const template = inject("demoTemplate");
  const folder = mkdtempSync(path.join(path.dirname(template), "demo-"));
  const state = path.join(folder, "state");
  cpSync(template, state, { recursive: true });
  // Datasets name their records by where they were made.
  const served = await serveDemo(state, { data: [path.join(template, "data")] });
  return {
    ...served,
    state,
    async token(role) {
      const flags = ["--state", state, "--role", role, "--name", `test ${role}`, "--json"];
      const { stdout } = await promisify(execFile)(process.execPath, [program, "token", "create", ...flags]);
      return (JSON.parse(stdout) as { token: string }).token;
    },
    async [Symbol.asyncDispose]() {
      await served.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
