/**
 * Changes the code of one room after the other in small ways and sees whether a test notices: `npm run mutation`.
 * `-- --only noise,ledger` for some rooms, `--files src/noise/tail.ts` for some files of one room (`src/noise/tail.ts:10-20` for some lines),
 * `--tests src/noise/tail*.test.ts` to hold them to some of its tests only, where all would take too long. `--quick` tries the same changes
 * in one warm process (test/mutation/quick.mjs), with `--seconds 300` a sample of them. Stryker is installed beside its tests.
 * Prints the score of each room, what was left out and why, and every change that no test noticed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const home = path.join(root, "test", "mutation");
const out = path.join(root, "build", "mutation");

/** Each room with the tests that its mutants are held to. */
const ROOMS = {
  errors: ["src/errors/**/*.test.ts", "test/errors-doc.test.ts"],
  arithmetic: ["src/arithmetic/**/*.test.ts"],
  occupancy: ["src/occupancy/**/*.test.ts"],
  influence: ["src/influence/**/*.test.ts"],
  composition: ["src/composition/**/*.test.ts"],
  planning: ["src/planning/**/*.test.ts"],
  noise: ["src/noise/**/*.test.ts"],
  ledger: ["src/ledger/**/*.test.ts", "test/simulation/ledger-*.test.ts"],
  release: ["src/release/**/*.test.ts"],
};

const { values: flags } = parseArgs({
  options: {
    only: { type: "string" },
    files: { type: "string" },
    tests: { type: "string" },
    quick: { type: "boolean", default: false },
    seconds: { type: "string" },
    concurrency: { type: "string", default: "2" },
  },
});

function install() {
  if (existsSync(path.join(home, "node_modules", ".package-lock.json"))) return;
  console.error("installing stryker");
  const command = ["ci", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", command, { cwd: home, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("npm ci failed in test/mutation");
}

function run(room) {
  const report = path.join(out, `${room}.json`);
  const configFile = path.join(out, `${room}.config.json`);
  mkdirSync(out, { recursive: true });
  const config = {
    mutate: flags.files?.split(",") ?? [
      `src/${room}/**/*.ts`,
      `!src/${room}/**/*.test.ts`,
      `!src/${room}/**/index.ts`,
      // Held to real servers by npm run test:engines, which is no unit of a few milliseconds.
      `!src/${room}/postgres-*.ts`,
    ],
    testRunner: "vitest",
    vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
    plugins: [
      path.join(home, "node_modules", "@stryker-mutator", "vitest-runner", "dist", "src", "index.js"),
      path.join(home, "message-words.mjs"),
    ],
    ignorers: ["message-words"],
    ignoreStatic: true,
    coverageAnalysis: "perTest",
    concurrency: Number(flags.concurrency),
    timeoutMS: 15_000,
    timeoutFactor: 2,
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: report },
    tempDirName: path.join("build", "mutation", "sandbox"),
    ignorePatterns: [
      "build",
      "dist",
      "docs/api",
      "docs/figures",
      "docs/dashboard",
      "bench",
      "web",
      "examples",
      "test/mutation/node_modules",
    ],
    allowConsoleColors: false,
    disableTypeChecks: false,
    logLevel: "warn",
  };
  writeFileSync(configFile, JSON.stringify(config));
  const { status } = spawnSync(
    process.execPath,
    [
      path.join(home, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js"),
      "run",
      path.relative(root, configFile),
    ],
    {
      cwd: root,
      stdio: ["ignore", process.stderr, "inherit"],
      env: { ...process.env, MUTATION_TESTS: flags.tests ?? ROOMS[room].join(",") },
    },
  );
  if (status !== 0) throw new Error(`stryker failed on ${room}`);
  return JSON.parse(readFileSync(report, "utf8"));
}

/** The files that a list of patterns means, `**` any folders and `*` any name. */
function filesLike(patterns) {
  const all = ["src", "test"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/")),
  );
  const matchers = patterns.map((pattern) => {
    const source = pattern
      .split("/")
      .map((part) => (part === "**" ? "(?:[^/]+/)*" : `${part.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}/`))
      .join("");
    return new RegExp(`^${source.slice(0, -1)}$`);
  });
  return all.filter((file) => matchers.some((matcher) => matcher.test(file))).sort();
}

async function runQuick(room) {
  const { runQuickly } = await import("../test/mutation/quick.mjs");
  mkdirSync(out, { recursive: true });
  const files =
    flags.files?.split(",") ??
    filesLike([`src/${room}/**/*.ts`]).filter((file) => !/(\.test|\/index|\/postgres-[^/]*)\.ts$/.test(file));
  const tests = filesLike(flags.tests?.split(",") ?? ROOMS[room]);
  let told = Date.now();
  const onProgress = ({ done, of, survived }) => {
    if (done < of && Date.now() - told < 10_000) return;
    told = Date.now();
    console.error(`${room}: ${done} of ${of} tried, ${survived} unnoticed`);
  };
  const report = await runQuickly({
    root,
    home,
    files,
    tests,
    seconds: flags.seconds === undefined ? undefined : Number(flags.seconds),
    onProgress,
  });
  writeFileSync(path.join(out, `${room}.json`), JSON.stringify(report));
  return report;
}

const UNNOTICED = new Set(["Survived", "NoCoverage"]);

function tell(room, { files }) {
  const count = {};
  const reasons = {};
  const unnoticed = [];
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split("\n");
    for (const { status, statusReason, location, mutatorName, replacement } of mutants) {
      count[status] = (count[status] ?? 0) + 1;
      if (status === "Ignored") reasons[statusReason] = (reasons[statusReason] ?? 0) + 1;
      if (!UNNOTICED.has(status)) continue;
      const { start, end } = location;
      const was =
        start.line === end.line
          ? lines[start.line - 1].slice(start.column - 1, end.column - 1)
          : `${lines[start.line - 1].slice(start.column - 1)} …`;
      unnoticed.push(
        `  ${file}:${start.line}:${start.column} ${status === "NoCoverage" ? "(no test) " : ""}${mutatorName}: ${was.trim()} -> ${(replacement ?? "").replace(/\s+/g, " ").slice(0, 80)}`,
      );
    }
  }
  const noticed = (count.Killed ?? 0) + (count.Timeout ?? 0);
  const all = noticed + (count.Survived ?? 0) + (count.NoCoverage ?? 0);
  const left = Object.entries(reasons).map(([reason, many]) => `${many} ${reason}`);
  writeFileSync(path.join(out, `${room}.unnoticed.txt`), `${unnoticed.join("\n")}\n`);
  for (const line of unnoticed) console.log(line);
  console.log(
    `${room.padEnd(12)} ${((100 * noticed) / Math.max(1, all)).toFixed(1).padStart(5)} %  ${noticed} of ${all} noticed (${count.Timeout ?? 0} by a time-out), ${count.Survived ?? 0} survived, ${count.NoCoverage ?? 0} met by no test; not counted: ${count.Ignored ?? 0} (${left.join("; ") || "none"})${count.RuntimeError ? `, ${count.RuntimeError} that cannot run` : ""}${count.Pending ? `; ${count.Pending} not tried: a sample` : ""}`,
  );
  return { noticed, all };
}

install();
const sum = { noticed: 0, all: 0 };
for (const room of flags.only?.split(",") ?? Object.keys(ROOMS)) {
  const { noticed, all } = tell(room, flags.quick ? await runQuick(room) : run(room));
  sum.noticed += noticed;
  sum.all += all;
}
console.log(`in all ${((100 * sum.noticed) / sum.all).toFixed(1)} %: ${sum.noticed} of ${sum.all}`);
