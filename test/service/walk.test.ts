/** The walk with curl in docs/service.md, run as it stands. */
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

test.skipIf(!hasCurl)("register, plan, ask, release, read as analyst", async () => {
  const page = readFileSync(path.join(root, "docs", "service.md"), "utf8");
  const [, block] = /```bash\n([\s\S]*?)```/.exec(page)!;
  const folder = temporaryFolder();
  const bin = path.join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, "npx"),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${root}/dist/apps/cli/main.js" "$@"\n`,
  );
  chmodSync(path.join(bin, "npx"), 0o755);
  const { stdout, status } = await new Promise<{ stdout: string; status: number }>((resolve) => {
    const child = execFile(
      "bash",
      ["-euo", "pipefail", "-c", block!],
      { cwd: folder, env: { PATH: `${bin}:${process.env["PATH"]}` }, timeout: 110_000 },
      (_, out) => resolve({ stdout: out, status: child.exitCode ?? -1 }),
    );
  });
  const read = (name: string): string => readFileSync(path.join(folder, name), "utf8");
  expect(stdout, stdout.slice(-2000)).toContain("the same answer");
  expect(status).toBe(0);
  expect(read("events.txt")).toMatch(/event: state\ndata: .*"done"/);
  expect(JSON.parse(read("first.json")).rows).toHaveLength(1);
  // Header and six grids.
  const csv = stdout.split("\n").slice(stdout.split("\n").findIndex((line) => line.startsWith("grid,")));
  expect(csv.filter((line) => line.startsWith("8")).length).toBe(6);
  expect(read("statement.md")).toContain("loss");
  expect(stdout).toContain("403\n");
  expect(JSON.parse(read("refused.json"))).toEqual({ error: { code: "FORBIDDEN", message: expect.any(String) } });
  expect(stdout).toMatch(/"consistent":\s*true/);
  expect(read("service.log")).not.toContain("vg_");
});
