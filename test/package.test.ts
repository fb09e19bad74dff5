/** The package as others depend on it: every entry of the exports map imports by name, and its types hold under strict settings. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { root, runNode } from "./support/cli.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

interface Entry {
  readonly types: string;
  readonly default: string;
}

const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const exported = Object.entries<string | Entry>(manifest.exports);
const entries = exported
  .filter((pair): pair is [string, Entry] => typeof pair[1] !== "string")
  .map(([subpath, entry]) => ({ name: path.posix.join("veilgrid", subpath), ...entry }));
/** Rooms that need Node; the whole leaves out the engines, so that importing it loads no native code. */
const OF_NODE = ["veilgrid", "veilgrid/partition", "veilgrid/sources", "veilgrid/engines", "veilgrid/service"];
const browserSafe = entries.filter(({ name }) => !OF_NODE.includes(name));

/** A folder of somebody else whose node_modules holds the package. */
function consumer(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(root, path.join(folder, "node_modules", "veilgrid"), "dir");
  const all = { "package.json": '{ "type": "module", "private": true }', ...files };
  for (const [name, content] of Object.entries(all)) writeFileSync(path.join(folder, name), content);
  return folder;
}

/** What the compiler has to say about the files; nothing of Node's own types is in reach unless asked for. */
async function typeErrors(folder: string, files: readonly string[], options: object = {}): Promise<string> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "ES2022",
    lib: ["ES2023", "DOM"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: [],
    ...options,
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const { stdout, stderr, status } = await runNode([compiler, "-p", "tsconfig.json"], { in: folder });
  expect(status === 0).toBe(stdout + stderr === "");
  return stdout + stderr;
}

test("the exports map names the library and its browser-safe rooms, and files that exist", () => {
  expect(entries.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["veilgrid", "veilgrid/planning", "veilgrid/influence", "veilgrid/occupancy"]),
  );
  const targets = exported.flatMap(([, entry]) => (typeof entry === "string" ? [entry] : [entry.types, entry.default]));
  expect(targets.filter((target) => !existsSync(path.join(root, target)))).toEqual([]);
  expect(Object.values<string>(manifest.bin).filter((target) => !existsSync(path.join(root, target)))).toEqual([]);
});

test("the reference documents exactly what is exported", () => {
  const { entryPoints } = JSON.parse(readFileSync(path.join(root, "typedoc.json"), "utf8"));
  const sources = entries.map((entry) => entry.default.replace("./dist/", "src/").replace(/\.js$/, ".ts"));
  // The rooms come first, so that a name's page is in its room and the whole only refers to it.
  expect(entryPoints).toEqual([...sources.slice(1), sources[0]]);
});

/** Parts for those who build their own release; most users want `releaseRecords`. */
const ON_THEIR_OWN = new Set(
  ["engines", "noise", "ledger", "release", "report", "charts", "experiments", "client", "service", "audit"].map(
    (room) => `veilgrid/${room}`,
  ),
);

test("every entry imports by name, and the whole has what its rooms have", async () => {
  const folder = consumer({
    "names.mjs": `const names = ${JSON.stringify(entries.map(({ name }) => name))};
      const found = {};
      for (const name of names) found[name] = Object.keys(await import(name)).sort();
      console.log(JSON.stringify(found));`,
  });
  const { stdout, stderr, status } = await runNode(["names.mjs"], { in: folder });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  const found: Record<string, string[]> = JSON.parse(stdout);
  expect(found["veilgrid"]).toEqual(expect.arrayContaining(["plan", "survey", "simulateSynthetic"]));
  expect(found["veilgrid/engines"]).toContain("DuckDbEngine");
  for (const { name } of entries) {
    expect(found[name]!.length).toBeGreaterThan(0);
    expect(found[name]).not.toContain("default");
    if (!ON_THEIR_OWN.has(name)) expect(found["veilgrid"]).toEqual(expect.arrayContaining(found[name]!));
  }
});

test("what is not exported stays inside", async () => {
  const folder = consumer({ "inside.mjs": 'await import("veilgrid/dist/core/planning/clip-user/clip-user.js");' });
  const { status, stderr } = await runNode(["inside.mjs"], { in: folder });
  expect(status).toBe(1);
  expect(stderr).toContain("ERR_PACKAGE_PATH_NOT_EXPORTED");
});

const USE = `
import { parseDecimal, type Rational } from "#core/arithmetic";
import { jointLosses } from "#core/composition";
import { type ErrorCode, VeilgridError } from "#core/errors";
import { type Bounds, makeBounds, makeObjective, type Objective } from "#core/influence";
import { type Occupancy, occupancyFromTriples } from "#core/occupancy";
import { makePlan, type Plan, type PlanSummary, readPlan, runNow, summarisePlan } from "#core/planning";
import { synthesise } from "#evidence/simulation";

const upper: Rational = parseDecimal("65", "upper");
const bounds: Bounds = makeBounds(parseDecimal("0", "lower"), upper);
const objective: Objective = makeObjective(bounds, { statistics: "mean" });
const occupancy: Occupancy = occupancyFromTriples([["ada", "north", 3]]);
const made = runNow(makePlan(occupancy, { objective, epsilon: parseDecimal("1", "ε"), clipUser: {} }));
export const plan: Plan = made.plan;
export const summary: PlanSummary = summarisePlan(occupancy, made);
export const loss: number = summary.loss;
export const code: ErrorCode = new VeilgridError("USAGE", "why").code;
export const others = [jointLosses, readPlan, synthesise({ gamma: 3, q: 0.5, seed: 1 })] as const;
`;

test.concurrent("the browser-safe entries have types without Node's", async () => {
  const everything = browserSafe.map(({ name }, index) => `export * as room${index} from "${name}";`).join("\n");
  const folder = consumer({ "use.ts": USE, "everything.ts": everything });
  expect(await typeErrors(folder, ["use.ts", "everything.ts"])).toBe("");
});

test.concurrent("the library has types, the example program holds to them, and a bundler resolves them too", async () => {
  const library = `import { plan, type PlanResult } from "veilgrid";
    import { DuckDbEngine, type Engine } from "#data/engines";
    export const engine: Promise<Engine> = DuckDbEngine.open({ memory: "1GB" });
    export const result: Promise<PlanResult> = plan("o.csv", { upper: "65", epsilon: "1" }, { signal: AbortSignal.abort() });`;
  const folder = consumer({ "library.ts": library });
  copyFileSync(path.join(root, "examples", "plan-an-occupancy.mjs"), path.join(folder, "example.mjs"));
  const options = { module: "ESNext", moduleResolution: "Bundler", allowJs: true, checkJs: true };
  expect(await typeErrors(folder, ["library.ts", "example.mjs"], options)).toBe("");
});

test.concurrent("the types are real: a wrong use is an error, line by line", async () => {
  const wrong = [
    'import { parseDecimal } from "#core/arithmetic";',
    'import { occupancyFromTriples } from "#core/occupancy";',
    'import { noSuchThing } from "#core/planning";',
    'export const a: string = parseDecimal("1", "a");',
    'export const b = occupancyFromTriples([["ada", "north", "3"]]);',
  ];
  const errors = await typeErrors(consumer({ "wrong.ts": wrong.join("\n") }), ["wrong.ts"]);
  expect([...errors.matchAll(/^wrong\.ts\((\d+),/gm)].map((match) => match[1])).toEqual(["3", "4", "5"]);
});
