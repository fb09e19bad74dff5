/** The built command before it does anything: --help and its examples, --version, and what is loaded for them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { statisticsHelp } from "../src/core/influence/index.ts";
import { planFlags, readVectors, root, runNode, veilgrid, veilgridDone } from "./support/cli.ts";
import { isFull } from "./support/full.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** Commands that have no commands below them, found as a person would: in the help. */
async function leafCommands(above: string[] = []): Promise<string[][]> {
  const { stdout } = await veilgridDone([...above, "--help"], { in: root });
  const listed = /^Commands:\n((?: {2}.*\n)+)/m.exec(stdout)?.[1];
  if (listed === undefined) return [above];
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map((match) => match[1]!);
  return (await Promise.all(names.map((name) => leafCommands([...above, name])))).flat();
}

/** Their examples are about what no example can make: a release that a crash broke off, a token with an id known before. */
const COMPLAINTS: Readonly<Record<string, RegExp>> = {
  "ledger resume": /^veilgrid: (no ledger at 'ledger.db'|'plan.json' does not exist)[^\n]*\n$/,
  "ledger void": /^veilgrid: no ledger at 'ledger.db'[^\n]*\n$/,
  "token revoke": /^veilgrid: no service state in 'state'[^\n]*\n$/,
};

/** Left to full runs: seconds to minutes each, and figures and audits are tested by themselves. A service runs until it is stopped, and has tests of its own. */
const NOT_RUN = isFull ? /^(reproduce (?!.*--figures paper)|serve )/ : /^(reproduce|serve|audit)/;

describe.concurrent("--help", async () => {
  const commands = await leafCommands();

  test("lists the commands", () => {
    expect(commands).toEqual(expect.arrayContaining([["survey"], ["plan"], ["simulate", "synthetic"]]));
  });

  test.each(
    [[], ...commands].map((command) => ({ command })),
  )("of $command shows examples that work when run in order", { timeout: 400_000 }, async ({ command }) => {
    const { stdout, stderr } = await veilgridDone([...command, "--help"], { in: root });
    expect(stderr).toBe("");
    const examples = [...stdout.matchAll(/^ {2}\$ veilgrid (.+)$/gm)].map((match) => match[1]!.split(" "));
    expect(examples.some((example) => command.every((name, at) => example[at] === name))).toBe(true);
    const folder = temporaryFolder();
    for (const example of examples.filter((words) => !NOT_RUN.test(words.join(" ")))) {
      const run = await veilgrid(example, { in: folder });
      // Notes, and progress of what takes long on a busy machine.
      const complaints = run.stderr.replace(/^(note: .*|.* \(\d+ s(, about \d+ (s|min) left)?\))\n/gm, "");
      const complaint = COMPLAINTS[command.join(" ")];
      if (complaint !== undefined) {
        expect(complaints).toMatch(complaint);
        continue;
      }
      expect({ example, status: run.status, complaints }).toEqual({ example, status: 0, complaints: "" });
      const out = example.indexOf("--out");
      if (out >= 0) expect(readdirSync(folder)).toContain(example[out + 1]!.replace(/\/$/, ""));
    }
  });

  test("--version is the package's", async () => {
    const { stdout } = await veilgridDone(["--version"], { in: root });
    expect(stdout.trim()).toBe(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")).version);
  });
});

/** Paths of the script files a Node process loaded, modules of either kind: V8's coverage lists every one. */
async function filesLoadedBy(args: readonly string[]): Promise<string[]> {
  const folder = temporaryFolder();
  const coverage = path.join(folder, "coverage");
  mkdirSync(coverage);
  const run = await runNode(args, { in: folder, env: { NODE_V8_COVERAGE: coverage } });
  expect(run).toMatchObject({ status: 0, stderr: "" });
  const reports = readdirSync(coverage).map((name) => JSON.parse(readFileSync(path.join(coverage, name), "utf8")));
  const urls: string[] = reports.flatMap((report) => report.result.map((script: { url: string }) => script.url));
  const base = pathToFileURL(root).href;
  return urls
    .filter((url) => url.startsWith("file:"))
    .map((url) => url.replace(base, "").replace(/^.*\/node_modules\//, "node_modules/"));
}

describe.concurrent("start-up", () => {
  const small = readVectors().find((vector) => vector.name === "small")!;
  const program = path.join(root, "dist", "apps", "cli", "main.js");
  const allowed = /^(dist\/|node_modules\/(commander|@noble\/hashes)\/)/;
  const ENGINE = /^dist\/(data\/engines|publish\/(ledger|release)|apps\/service|evidence\/(experiments|audit))\//;

  test("of --help loads neither operations nor planning", async () => {
    const loaded = await filesLoadedBy([program, "--help"]);
    expect(loaded).toContain("dist/apps/cli/main.js");
    expect(
      loaded.filter(
        (file) => !/^(dist\/(apps\/cli|core\/(errors|options|arithmetic))\/|node_modules\/commander\/)/.test(file),
      ),
    ).toEqual([]);
  });

  test("of help is so short because statistics are written out there, all of them", async () => {
    const { stdout } = await runNode([program, "plan", "--help"], { in: temporaryFolder() });
    expect(stdout.replace(/\s+/g, " ")).toContain(`${statisticsHelp()} (default: mean,variance)`);
  });

  test("of plan on a small file loads no engine and no other package", async () => {
    const loaded = await filesLoadedBy([program, "plan", small.csv, ...planFlags(small)]);
    expect(loaded).toContain("dist/core/planning/clip-user/clip-user.js");
    expect(loaded.filter((file) => !allowed.test(file) || ENGINE.test(file))).toEqual([]);
  });

  test("is watched by something that sees both kinds of module", async () => {
    const script = path.join(temporaryFolder(), "load.mjs");
    writeFileSync(
      script,
      `import { createRequire } from "node:module";
       const require = createRequire(${JSON.stringify(path.join(root, "package.json"))});
       await import(${JSON.stringify(pathToFileURL(path.join(root, "dist/index.js")).href)});
       require("typescript");`,
    );
    const loaded = await filesLoadedBy([script]);
    expect(loaded).toContain("dist/index.js");
    expect(loaded.filter((file) => !allowed.test(file))).toContainEqual(expect.stringContaining("/typescript/"));
  });
});
