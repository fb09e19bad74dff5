/** What an installation brings along is what SECURITY.md and decision 0003 say; and the check that tells so notices each thing it is for. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root, runNode } from "./support/cli.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const SCRIPT = path.join(root, "scripts", "supply-chain.mjs");
const DECISION = "docs/decisions/0003-dependencies.md";

/** A copy of all that is checked, with changes to the text of some files. */
function changed(changes: Readonly<Record<string, (text: string) => string>>): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "docs", "decisions"), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "dir");
  for (const file of ["package.json", "package-lock.json", "SECURITY.md", DECISION]) {
    const text = readFileSync(path.join(root, file), "utf8");
    const now = changes[file]?.(text) ?? text;
    if (changes[file] !== undefined) expect(now).not.toBe(text);
    writeFileSync(path.join(folder, file), now);
  }
  return folder;
}

const check = (folder: string) => runNode([SCRIPT, "--check", "--root", folder], { in: folder });

test("all is as it is said to be", async () => {
  expect(await check(root)).toMatchObject({ status: 0, stderr: "" });
  expect(await check(changed({}))).toMatchObject({ status: 0, stderr: "" });
});

test.each([
  [
    "a dependency nobody has justified",
    DECISION,
    (text: string) => text.replace("**yaml**", "yaml"),
    /^yaml: decision 0003/,
  ],
  ["a reason for what is not there", DECISION, (text: string) => `${text}\n- **left-pad**: why not\n`, /^left-pad: /],
  [
    "a version that may change",
    "package.json",
    (text: string) => text.replace('"yaml": "', '"yaml": "^'),
    /^yaml: version \^/,
  ],
  [
    "a package without a checksum",
    "package-lock.json",
    (text: string) => text.replace(/("node_modules\/yaml": \{[^}]*?)"integrity": "[^"]*",/, "$1"),
    /^yaml: no checksum/,
  ],
  [
    "another version than the lock file's",
    "package-lock.json",
    (text: string) => text.replace(/("node_modules\/yaml": \{\s*"version": ")/, "$19"),
    /^yaml: installed in another version/,
  ],
  [
    "an install script that the lock file knows of",
    "package-lock.json",
    (text: string) => text.replace('"node_modules/yaml": {', '"node_modules/yaml": { "hasInstallScript": true,'),
    /^yaml: runs something/,
  ],
] as const)("%s is noticed", async (_, file, change, says) => {
  const { status, stderr } = await check(changed({ [file]: change }));
  expect(status).toBe(1);
  expect(stderr.split("\n").filter((line) => says.test(line))).toHaveLength(1);
});

test("an install script that only the package knows of is noticed", async () => {
  const folder = temporaryFolder();
  const own = path.join(folder, "node_modules", "one");
  mkdirSync(own, { recursive: true });
  mkdirSync(path.join(folder, "docs", "decisions"), { recursive: true });
  cpSync(path.join(root, "SECURITY.md"), path.join(folder, "SECURITY.md"));
  const write = (file: string, content: unknown): void =>
    writeFileSync(path.join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
  write("package.json", { dependencies: { one: "1.0.0" } });
  write("package-lock.json", { packages: { "": {}, "node_modules/one": { version: "1.0.0", integrity: "sha512-x" } } });
  write(DECISION, "- **one**: for a test\n");
  write("node_modules/one/package.json", { version: "1.0.0", scripts: { postinstall: "node x.js" } });
  expect((await check(folder)).stderr).toContain("one: runs something when it is installed\n");
  write("node_modules/one/package.json", { version: "1.0.0" });
  write("node_modules/one/binding.gyp", "{}");
  expect((await check(folder)).stderr).toContain("one: runs something when it is installed\n");
});

test("a stale table is noticed, on the platform it was made on", async () => {
  const { stdout } = await runNode([SCRIPT, "--root", root], { in: root });
  const isThere = readFileSync(path.join(root, "SECURITY.md"), "utf8").includes(stdout.trimEnd());
  const { status, stderr } = await check(
    changed({ "SECURITY.md": (text) => text.replace("89 packages", "88 packages") }),
  );
  // Elsewhere other binaries are installed, and the table is not compared.
  expect([status, stderr.includes("SECURITY.md: its table")]).toEqual(isThere ? [1, true] : [0, false]);
});
