/** A service with the demo's dataset for one test or one file of tests. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { type ServeOptions, serveDemo } from "../../support/serve-demo.ts";
import { runProgram } from "./program.ts";

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
  const folder = newFolder();
  const state = path.join(folder, "state");
  cpSync(template, state, { recursive: true });
  // Datasets name their records by where they were made.
  return serving({ folder, state, flags: { state, data: [path.join(template, "data")] } });
}

/** As README prints it: in an empty working folder, without --state. */
export function startDemoByDefault(): Promise<Demo> {
  const folder = newFolder();
  return serving({ folder, state: path.join(folder, "veilgrid-demo"), flags: { in: folder } });
}

function newFolder(): string {
  return mkdtempSync(path.join(path.dirname(inject("demoTemplate")), "demo-"));
}

async function serving(demo: { folder: string; state: string; flags: ServeOptions }): Promise<Demo> {
  const { folder, state, flags } = demo;
  let served = await serveDemo(flags);
  const { url, code } = served;
  return {
    url,
    code,
    state,
    async token(role) {
      const options = ["--state", state, "--role", role, "--name", `test ${role}`, "--json"];
      return (JSON.parse(await runProgram("token", "create", ...options)) as { token: string }).token;
    },
    stop: () => served.stop(),
    async start() {
      served = await serveDemo({ ...flags, port: new URL(url).port });
    },
    async [Symbol.asyncDispose]() {
      await served.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
