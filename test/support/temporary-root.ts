/** Gives each run of tests one temporary folder of its own, which goes away with everything in it when the run ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const PREFIX = "veilgrid-tests-";

export function setup(): (() => void) | undefined {
  const before = process.env["TMPDIR"];
  // Each project of a run calls this.
  if (path.basename(before ?? "").startsWith(PREFIX)) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), PREFIX));
  process.env["TMPDIR"] = folder;
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
