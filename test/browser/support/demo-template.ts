/** Makes the demo's state folder once per run; every test serves a copy. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { serveDemo } from "../../support/serve-demo.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly demoTemplate: string;
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-browser-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const template = path.join(folder, "template");
    const served = await serveDemo({ state: template });
    await served.stop();
    project.provide("demoTemplate", template);
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
