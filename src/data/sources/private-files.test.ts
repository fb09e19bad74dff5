/** Temporary folders: made where they can be, otherwise one line; removed once their process is gone, and nothing else is. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lockFile, noTemporaryFiles, removeLeftFolders, TemporaryFolder } from "./private-files.ts";

let above: string;
beforeEach(() => {
  vi.unstubAllEnvs();
  above = mkdtempSync(path.join(tmpdir(), "veilgrid-test-"));
  vi.stubEnv("TMPDIR", above);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(above, { recursive: true, force: true });
});

/** What a killed process leaves: its folder, rows in it, and a lock that nobody holds. */
function leftFolder(name = "veilgrid-rows-killed"): string {
  const left = path.join(above, name);
  mkdirSync(left, { mode: 0o700 });
  writeFileSync(path.join(left, "lock"), "");
  writeFileSync(path.join(left, "rows"), "bus-1,57.3");
  return left;
}

test("a folder of our own, for its owner only, until it is disposed of", () => {
  const listeners = process.listenerCount("exit");
  const made = TemporaryFolder.make();
  expect(path.dirname(made.path)).toBe(above);
  expect(statSync(made.path).mode & 0o777).toBe(0o700);
  writeFileSync(path.join(made.path, "rows"), "bus-1,57.3");
  made[Symbol.dispose]();
  expect(readdirSync(above)).toEqual([]);
  expect(process.listenerCount("exit")).toBe(listeners);
});

test("who makes a folder removes what killed processes left, and no folder of a living one", () => {
  leftFolder();
  using living = TemporaryFolder.make();
  using other = TemporaryFolder.make();
  removeLeftFolders();
  expect(readdirSync(above).sort()).toEqual([living, other].map((each) => path.basename(each.path)).sort());
});

test("many folders at once take one listener, and Node has nothing to warn of", () => {
  using _first = TemporaryFolder.make();
  const listeners = process.listenerCount("exit");
  const made = Array.from({ length: 12 }, () => TemporaryFolder.make());
  expect(process.listenerCount("exit")).toBe(listeners);
  for (const each of made) each[Symbol.dispose]();
  expect(process.listenerCount("exit")).toBe(listeners);
  expect(readdirSync(above)).toHaveLength(1);
});

test("a folder that a killed process had not locked yet, or had half removed, is removed", () => {
  rmSync(path.join(leftFolder(), "lock"));
  removeLeftFolders();
  expect(readdirSync(above)).toEqual([]);
});

test("what only looks like a folder of ours stays: links, files, other users', open to others, other names", () => {
  const elsewhere = path.join(above, "elsewhere");
  mkdirSync(elsewhere, { mode: 0o700 });
  writeFileSync(path.join(elsewhere, "lock"), "");
  symlinkSync(elsewhere, path.join(above, "veilgrid-rows-linked"));
  writeFileSync(path.join(above, "veilgrid-rows-a-file"), "");
  writeFileSync(path.join(above, "veilgrid-rows-afile1"), "");
  chmodSync(leftFolder("veilgrid-rows-opened"), 0o755);
  leftFolder("veilgrid-rows-too-long");
  leftFolder("veilgrid-older1");
  const before = readdirSync(above);
  removeLeftFolders();
  expect(readdirSync(above)).toEqual(before);
  expect(readdirSync(elsewhere)).toEqual(["lock"]);

  const left = leftFolder();
  vi.spyOn(process, "getuid").mockReturnValue(statSync(left).uid + 1);
  removeLeftFolders();
  expect(existsSync(path.join(left, "rows"))).toBe(true);
});

test("a lock is held once, and free again afterwards", () => {
  const file = path.join(above, "lock");
  const held = lockFile(file, { waitMs: 0 });
  expect(lockFile(file, { waitMs: 0 })).toBeUndefined();
  held?.[Symbol.dispose]();
  using again = lockFile(file, { waitMs: 0 });
  expect(again).toBeDefined();
  expect(readdirSync(above)).toEqual(["lock"]);
});

test.each([
  ["none", "it does not exist"],
  ["file", "it is a file"],
])("none where there cannot be one: %s", (name, reason) => {
  writeFileSync(path.join(above, "file"), "");
  vi.stubEnv("TMPDIR", path.join(above, name));
  expect(() => TemporaryFolder.make()).toThrow(
    `no temporary files can be written to '${path.join(above, name)}': ${reason}; make room there, or set TMPDIR to another folder`,
  );
});

test("other reasons keep the system's code", () => {
  expect(noTemporaryFiles({ code: "EIO" })).toMatchObject({
    code: "OUTPUT_FAILED",
    message: expect.stringMatching(/: EIO; make room/),
  });
});
