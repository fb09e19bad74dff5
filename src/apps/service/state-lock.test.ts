/** The lock of a state folder: one at a time, and free again afterwards. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockState } from "./state-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "veilgrid-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a second server on one folder is refused until the first has gone", () => {
  const first = lockState(folder);
  expect(() => lockState(folder)).toThrow("another process serves this state folder");
  first[Symbol.dispose]();
  lockState(folder)[Symbol.dispose]();
});

test("its files are for their owner only, whatever the umask, also where an earlier version made them", () => {
  const modes = (): string[] =>
    readdirSync(folder).map((name) => `${name} ${(statSync(path.join(folder, name)).mode & 0o777).toString(8)}`);
  const before = process.umask(0);
  try {
    for (const _ of ["made", "found"]) {
      using _lock = lockState(folder);
      expect(modes()).toEqual(["serving.lock 600"]);
      chmodSync(path.join(folder, "serving.lock"), 0o644);
    }
  } finally {
    process.umask(before);
  }
});
