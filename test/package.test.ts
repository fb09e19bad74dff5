/** The package as others depend on it: packed, installed beside its dependencies, imported by name, compiled and run. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { root, runNode } from "./support/cli.ts";
import { isFull } from "./support/full.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const entries = Object.keys(manifest.exports).filter((name) => name !== "./package.json");
const names = entries.map((entry) => path.posix.join("veilgrid", entry));
const PROGRAMS = ["release-rows", "keep-a-plan", "plan-an-occupancy"];
/** Of a program that is run or compiled beside the package. */
let folder: string;

/** The packed package in a folder of somebody else, beside what it depends on and nothing else. */
beforeAll(() => {
  folder = temporaryFolder();
  const modules = path.join(folder, "node_modules");
  mkdirSync(modules);
  const packed = spawnSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  expect(packed.status, packed.stderr).toBe(0);
  const [archive] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  expect(spawnSync("tar", ["xzf", archive ?? ""], { cwd: folder }).status).toBe(0);
  renameSync(path.join(folder, "package"), path.join(modules, "veilgrid"));
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), path.join(modules, name), "dir");
  }
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module", "private": true }');
  for (const name of PROGRAMS) {
    copyFileSync(path.join(root, "examples", `${name}.mjs`), path.join(folder, `${name}.mjs`));
    copyFileSync(path.join(root, "examples", `${name}.mjs`), path.join(folder, `${name}.ts`));
  }
}, 60_000);

/** What the compiler has to say about the files; nothing of Node's own types is in reach. */
async function typeErrors(name: string, files: readonly string[], options: object): Promise<string> {
  const compilerOptions = {
    ...{ strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ noEmit: true, target: "ES2023", lib: ["ES2023", "DOM", "DOM.Iterable"], types: [] },
    // Types of the project's own development must not be found through a link.
    preserveSymlinks: true,
    ...options,
  };
  const config = `tsconfig.${name}.json`;
  writeFileSync(path.join(folder, config), JSON.stringify({ compilerOptions, files }));
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const { stdout, stderr } = await runNode([compiler, "-p", config], { in: folder });
  return stdout + stderr;
}

test("there are six entries", () => {
  const wanted = [
    "veilgrid",
    ...["planning", "engines", "ledger", "client", "errors"].map((name) => `veilgrid/${name}`),
  ];
  expect(names).toEqual(wanted);
});

test("the reference documents exactly what is exported", () => {
  const { entryPoints } = JSON.parse(readFileSync(path.join(root, "typedoc.json"), "utf8"));
  const sources = entries.map((entry) =>
    manifest.exports[entry].default.replace("./dist/", "src/").replace(/\.js$/, ".ts"),
  );
  expect([...entryPoints].sort()).toEqual(sources.sort());
});

test("every name that an entry exports is used where it is documented", async () => {
  writeFileSync(
    path.join(folder, "names.mjs"),
    `const found = {};
    for (const name of ${JSON.stringify(names)}) found[name] = Object.keys(await import(name));
    console.log(JSON.stringify(found));`,
  );
  const { stdout, stderr, status } = await runNode(["names.mjs"], { in: folder });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  const pages = ["README.md", "docs/service.md", "examples/browser/plan-csv.ts"];
  const texts = [...pages, ...PROGRAMS.map((name) => `examples/${name}.mjs`)].map((file) =>
    readFileSync(path.join(root, file), "utf8"),
  );
  for (const [entry, exported] of Object.entries<string[]>(JSON.parse(stdout))) {
    const using = texts.filter((text) => text.includes(`"${entry}"`)).join("\n");
    expect(
      exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(using)),
      entry,
    ).toEqual([]);
    expect(exported.length, entry).toBeGreaterThan(0);
  }
});

test("what is not exported stays inside", async () => {
  writeFileSync(path.join(folder, "inside.mjs"), 'await import("veilgrid/dist/core/planning/index.js");');
  const { status, stderr } = await runNode(["inside.mjs"], { in: folder });
  expect(status).toBe(1);
  expect(stderr).toContain("ERR_PACKAGE_PATH_NOT_EXPORTED");
});

const RESOLUTIONS = [
  { module: "ESNext", moduleResolution: "Bundler" },
  { module: "NodeNext", moduleResolution: "NodeNext" },
];
// It finds the same files as NodeNext.
if (isFull) RESOLUTIONS.push({ module: "Node16", moduleResolution: "Node16" });

test.concurrent.each(
  RESOLUTIONS,
)("programs compile under strict settings, module $module, resolution $moduleResolution", async ({
  module,
  moduleResolution,
}) => {
  const everything = names.map((name, index) => `export * as entry${index} from "${name}";`).join("\n");
  writeFileSync(path.join(folder, `everything-${module}.ts`), everything);
  const files = [`everything-${module}.ts`, ...PROGRAMS.map((name) => `${name}.ts`)];
  expect(await typeErrors(module, files, { module, moduleResolution })).toBe("");
});

test.concurrent("the types are real: a wrong use is an error, line by line", async () => {
  const wrong = [
    'import { parseDecimal, noSuchThing } from "veilgrid/planning";',
    'import { plan } from "veilgrid";',
    'export const a: string = parseDecimal("1", "a");',
    'export const b = plan({ source: "a.csv", user: 7 }, { upper: 65 });',
    'export const c = plan({ source: "a.csv" }, { upper: "65", epsilon: 1, caps: "yes" });',
  ];
  writeFileSync(path.join(folder, "wrong.ts"), wrong.join("\n"));
  const errors = await typeErrors("wrong", ["wrong.ts"], { module: "NodeNext", moduleResolution: "NodeNext" });
  expect([...errors.matchAll(/^wrong\.ts\((\d+),/gm)].map((match) => match[1])).toEqual(["1", "3", "4", "5"]);
});

test.concurrent("README's program runs as it stands there, and again for the same bytes at no cost", async () => {
  const [, block = ""] =
    /^## In a program\n+```js\n(.*?)```/ms.exec(readFileSync(path.join(root, "README.md"), "utf8")) ?? [];
  expect(readFileSync(path.join(root, "examples", "release-rows.mjs"), "utf8")).toContain(block);
  const own = path.join(folder, "own");
  mkdirSync(own);
  writeFileSync(path.join(own, "program.mjs"), block);
  const first = await runNode(["program.mjs"], { in: own });
  expect({ stderr: first.stderr, status: first.status }).toEqual({ stderr: "", status: 0 });
  expect(first.stdout).toMatch(/^grid,stop,users,samples,kept,mean,[\s\S]*\n0,0,40,667,667,/);
  // The dataset is there already; all else is the same.
  writeFileSync(path.join(own, "again.mjs"), block.replace(/^await ledger\.init.*\n/m, ""));
  expect((await runNode(["again.mjs"], { in: own })).stdout).toBe(first.stdout);
});

test.concurrent("the other program runs", async () => {
  const { stdout, stderr, status } = await runNode(["keep-a-plan.mjs"], { in: folder });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(stdout).toMatch(/^3 grids released\ngrid,day,/);
});
