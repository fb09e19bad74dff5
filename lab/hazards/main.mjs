/**
 * Harms the built command and service in every way a machine can, and holds the ledger to account afterwards: `npm run hazards`.
 * `-- --only NAME[,NAME]`, `--rounds N` (1), `--seed N` (1), `--verbose`. One line each: how often, what was charged and lost, what was
 * disclosed twice or uncharged, and how it ended. Anything but 0, or a line that is not clear, ends with exit status 1.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { SeededRandom } from "#evidence/simulation";
import { hazards } from "./all.mjs";
import { releaseMounts } from "./disks.mjs";
import { makeTemplate, Scene, Tally } from "./scene.mjs";
import { makeServiceTemplate } from "./service.mjs";

/** Two at a time: each is mostly one process after another. */
const LANES = 2;

const { values: flags } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    verbose: { type: "boolean", default: false },
  },
});
const names = flags.only === undefined ? Object.keys(hazards) : flags.only.split(",");
const unknown = names.find((name) => hazards[name] === undefined);
if (unknown !== undefined) {
  console.error(`hazards: no hazard ${unknown}; there are ${Object.keys(hazards).join(", ")}`);
  process.exit(2);
}

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-hazards-"));
chmodSync(folder, 0o755);
let isOver = false;
function leave() {
  if (isOver) return;
  isOver = true;
  releaseMounts();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    leave();
    process.exit(130);
  });

async function suffer(name, template) {
  const began = performance.now();
  const tally = new Tally();
  for (let round = 0; round < Number(flags.rounds); round++) {
    // A seed of its own for each, so that `--only` repeats what a whole run did.
    const random = new SeededRandom(
      1_000_003 * Number(flags.seed) + 1_009 * round + Object.keys(hazards).indexOf(name),
    );
    const scene = () => new Scene({ template, folder, tally, random });
    try {
      await hazards[name]({ template, folder, tally, random, scene, round });
    } catch (error) {
      tally.problem(`broke off: ${error.stack}`);
    }
  }
  tally.milliseconds = performance.now() - began;
  return tally;
}

let told = 0;
const all = { injected: 0, lost: 0, doubled: 0, failed: 0 };
try {
  const template = await makeTemplate(path.join(folder, "template"));
  template.service = await makeServiceTemplate(path.join(folder, "service"));
  const waiting = [...names];
  const reports = new Map();
  const takeTurns = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      reports.set(name, await suffer(name, template));
      // In order, whoever is done first.
      for (const next of names.slice(told)) {
        if (!reports.has(next)) break;
        report(next, reports.get(next));
        told += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, takeTurns));
} finally {
  leave();
}
console.log(
  `${names.length} hazards, ${all.injected} times injected, ${all.lost} lost, ${all.doubled} disclosed twice, ${all.failed} failed`,
);
process.exitCode = all.failed === 0 ? 0 : 1;

function report(name, tally) {
  const { injected, lost, doubled, problems, outcomes, skipped, milliseconds } = tally;
  all.injected += injected;
  all.lost += lost;
  all.doubled += doubled;
  // What was not injected at all and says why is skipped; what says nothing is a mistake of ours.
  if (problems.length > 0 || (injected === 0 && skipped.length === 0)) all.failed += 1;
  const ended = [...outcomes].map(([outcome, times]) => `${outcome} ${times}`);
  const parts = [
    ...(problems.length === 0 ? [] : ["FAILED"]),
    ...ended,
    ...new Set(skipped.map((why) => `skipped: ${why}`)),
  ];
  console.log(
    `${name.padEnd(18)} ${String(injected).padStart(4)} times, ${lost} lost, ${doubled} disclosed twice: ${parts.join(", ")}`,
  );
  if (flags.verbose) console.log(`${"".padEnd(19)}${(milliseconds / 1000).toFixed(1)} s`);
  for (const problem of problems.slice(0, flags.verbose ? 1_000 : 8)) console.error(`  ${name}: ${problem}`);
}
