/** Temporary folders: made where they can be, otherwise one line. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { makeTemporaryFolder, noTemporaryFiles } from "./temporary-folder.ts";

const above = mkdtempSync(path.join(tmpdir(), "veilgrid-test-"));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(above, { recursive: true, force: true });
});

test("a folder of our own, for its owner only", () => {
  vi.stubEnv("TMPDIR", above);
  const made = makeTemporaryFolder("veilgrid-");
  expect(path.dirname(made)).toBe(above);
  expect(statSync(made).mode & 0o777).toBe(0o700);
});

test.each([
  ["none", "it does not exist"],
  ["file", "it is a file"],
])("none where there cannot be one: %s", (name, reason) => {
  writeFileSync(path.join(above, "file"), "");
  vi.stubEnv("TMPDIR", path.join(above, name));
  expect(() => makeTemporaryFolder("veilgrid-")).toThrow(
    `no temporary files can be written to '${path.join(above, name)}': ${reason}; make room there, or set TMPDIR to another folder`,
  );
});

test("other reasons keep the system's code", () => {
  expect(noTemporaryFiles({ code: "EIO" })).toMatchObject({
    code: "OUTPUT_FAILED",
    message: expect.stringMatching(/: EIO; make room/),
  });
});
