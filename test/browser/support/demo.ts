/** A service with the demo's dataset for one test or one file of tests. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { runProgram } from "./program.ts";
import { serveDemo } from "./serve-demo.ts";

export interface Demo extends AsyncDisposable {
  readonly url: string;
  /** Redeemable once, as `#code=…` in the address. */
  readonly code: string;
  readonly state: string;
  /** A token for all datasets. */
  token(role: "curator" | "analyst"): Promise<string>;
  /** As if somebody had stopped the service; `start` is at the same address again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startDemo(): Promise<Demo> {
  const template = inject("demoTemplate");
  const folder = mkdtempSync(path.join(path.dirname(template), "demo-"));
  const state = path.join(folder, "state");
  cpSync(template, state, { recursive: true });
  // Datasets name their records by where they were made.
  const data = [path.join(template, "data")];
  let served = await serveDemo(state, { data });
  const { url, code } = served;
  return {
    url,
    code,
    state,
    async token(role) {
      const flags = ["--state", state, "--role", role, "--name", `test ${role}`, "--json"];
      return (JSON.parse(await runProgram("token", "create", ...flags)) as { token: string }).token;
    },
    stop: () => served.stop(),
    async start() {
      served = await serveDemo(state, { data, port: new URL(url).port });
    },
    async [Symbol.asyncDispose]() {
      await served.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
