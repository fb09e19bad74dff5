/** The lock of a state folder: one at a time, and free again afterwards. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { lockState } from "./state-lock.ts";

test("a second server on one folder is refused until the first has gone", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-lock-"));
  try {
    const first = lockState(folder);
    expect(() => lockState(folder)).toThrow("another process serves this state folder");
    first[Symbol.dispose]();
    lockState(folder)[Symbol.dispose]();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
