/**
 * Changes the code of one room after the other in small ways and sees whether a test notices: `npm run mutation`.
 * `-- --only noise,ledger` for some rooms, `--files src/core/noise/tail.ts` for some files of one room, `--tests` for some of its tests,
 * `--sample 1/3` for every third change (`2/3` and `3/3` for the others), `--again` for those that went unnoticed the last time, with other
 * `--tests` perhaps; the same files then. Stryker is installed beside its tests.
 * Prints the score of each room, what was left out and why, and every change that no test noticed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

const root = path.resolve(import.meta.dirname, "..", "..");
const home = import.meta.dirname;
const out = path.join(root, "build", "mutation");

/** Each room with the tests that its mutants are held to. */
const ROOMS = {
  errors: ["src/core/errors/**/*.test.ts"],
  arithmetic: ["src/core/arithmetic/**/*.test.ts"],
  occupancy: ["src/core/occupancy/**/*.test.ts"],
  influence: ["src/core/influence/**/*.test.ts", "src/publish/release/exact-statistics.test.ts"],
  composition: ["src/core/composition/**/*.test.ts"],
  planning: ["src/core/planning/**/*.test.ts"],
  noise: ["src/core/noise/**/*.test.ts"],
  ledger: [
    "src/publish/ledger/**/*.test.ts",
    "test/simulation/ledger-conformance.test.ts",
    "test/simulation/ledger-file.test.ts",
    "test/simulation/ledger-simulation.test.ts",
  ],
  release: ["src/publish/release/**/*.test.ts"],
};

const { values: flags } = parseArgs({
  options: {
    only: { type: "string" },
    files: { type: "string" },
    tests: { type: "string" },
    sample: { type: "string", default: "1/1" },
    again: { type: "boolean", default: false },
    concurrency: { type: "string", default: "2" },
  },
});

const [part, parts] = flags.sample.split("/").map(Number);
const isInSample = ({ id }) => Number(id) % parts === part - 1;
const UNNOTICED = new Set(["Survived", "NoCoverage"]);

function install() {
  if (existsSync(path.join(home, "node_modules", ".package-lock.json"))) return;
  console.error("installing stryker");
  const command = ["ci", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", command, { cwd: home, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("npm ci failed in lab/mutation");
}

const mutantsOf = ({ files }) => Object.values(files).flatMap(({ mutants }) => mutants);

function run(room) {
  const report = path.join(out, `${room}.json`);
  const configFile = path.join(out, `${room}.config.json`);
  const wantedFile = path.join(out, `${room}.wanted.json`);
  mkdirSync(out, { recursive: true });
  const before = flags.again ? mutantsOf(JSON.parse(readFileSync(report, "utf8"))) : undefined;
  const isWanted = (mutant) => isInSample(mutant) && UNNOTICED.has(mutant.status);
  writeFileSync(wantedFile, JSON.stringify(before?.filter(isWanted).map(({ id }) => id) ?? null));
  const folder = ROOMS[room][0].split("/**")[0];
  const config = {
    mutate: flags.files?.split(",") ?? [
      `${folder}/**/*.ts`,
      `!${folder}/**/*.test.ts`,
      `!${folder}/**/index.ts`,
      // Held to real servers by npm run test:engines, which is no unit of a few milliseconds.
      `!${folder}/postgres-*.ts`,
    ],
    testRunner: "resident",
    plugins: [path.join(home, "resident-runner.mjs"), path.join(home, "message-words.mjs")],
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
      "lab/bench",
      "web",
      "examples",
      "lab/mutation/node_modules",
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
      env: {
        ...process.env,
        MUTATION_TESTS: flags.tests ?? ROOMS[room].join(","),
        MUTATION_SAMPLE: flags.sample,
        VEILGRID_MOST_RUNS: "200",
        MUTATION_WANTED: wantedFile,
      },
    },
  );
  if (status !== 0) throw new Error(`stryker failed on ${room}`);
  const now = JSON.parse(readFileSync(report, "utf8"));
  if (before !== undefined) {
    const statusBefore = new Map(before.filter((mutant) => !isWanted(mutant)).map(({ id, status }) => [id, status]));
    for (const mutant of mutantsOf(now)) mutant.status = statusBefore.get(mutant.id) ?? mutant.status;
    writeFileSync(report, JSON.stringify(now));
  }
  return now;
}

function tell(room, { files }) {
  const count = {};
  const reasons = {};
  const unnoticed = [];
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split("\n");
    for (const { status, statusReason, location, mutatorName, replacement } of mutants.filter(isInSample)) {
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
    `${room.padEnd(12)} ${((100 * noticed) / Math.max(1, all)).toFixed(1).padStart(5)} %  ${noticed} of ${all} noticed (${count.Timeout ?? 0} by a time-out), ${count.Survived ?? 0} survived, ${count.NoCoverage ?? 0} met by no test; not counted: ${count.Ignored ?? 0} (${left.join("; ") || "none"})${count.RuntimeError ? `, ${count.RuntimeError} that cannot run` : ""}${parts > 1 ? `; part ${flags.sample} of all changes` : ""}`,
  );
  return { noticed, all };
}

install();
const sum = { noticed: 0, all: 0 };
for (const room of flags.only?.split(",") ?? Object.keys(ROOMS)) {
  const { noticed, all } = tell(room, run(room));
  sum.noticed += noticed;
  sum.all += all;
}
console.log(`in all ${((100 * sum.noticed) / sum.all).toFixed(1)} %: ${sum.noticed} of ${sum.all}`);
