/** What may be read and not written: the ledger, its folder, the place of results, plans, and the state of a service. */

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { smallDisk, whyNot } from "./disks.mjs";
import { builtProgram, COLUMN_FLAGS, PLAN_FLAGS } from "./scene.mjs";

const NOBODY = 65534;

/** By permissions: for root, whom they do not bind, under another user's id. */
export async function readOnlyFolder({ tally, scene }) {
  const here = scene();
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot && spawnSync(process.execPath, [builtProgram, "--version"], { ...as, cwd: "/" }).status !== 0) {
    here.remove();
    return tally.skip("another user may not read this package");
  }
  chmodSync(here.folder, 0o777);
  for (const name of ["records.csv", "plan.json", "ledger.db"]) if (isRoot) chownSync(here.at(name), NOBODY, NOBODY);
  const shut = here.at("shut");
  mkdirSync(shut);
  renameSync(here.ledger, `${shut}/ledger.db`);
  here.ledger = `${shut}/ledger.db`;
  chmodSync(shut, 0o555);
  await shutPlace({ here, tally, shut, options: as, kind: "read-only folder" });
  chmodSync(shut, 0o777);
  await opened({ here, tally, shut, options: as, kind: "read-only folder" });
  // A file that may not be written, in a folder that may.
  chmodSync(here.ledger, 0o444);
  const bytes = readFileSync(here.ledger);
  const run = await here.run(here.releaseFlags("file"), as);
  here.refused(run, { what: "read-only ledger", line: /cannot be (written|opened)/ });
  if (!bytes.equals(readFileSync(here.ledger))) tally.problem("read-only ledger: changed");
  tally.injection("refused in one line");
  chmodSync(here.ledger, 0o600);
  await here.worksAgain("file", { what: "read-only ledger" });
  await here.accounts("read-only ledger");
  here.remove();
}

/** A whole disk that is mounted read-only, which binds root too. (It cannot become so under an open ledger.) */
export async function readOnlyDisk({ folder, tally, scene }) {
  const disk = smallDisk(folder, 4_000_000);
  if (disk === undefined) return tally.skip(whyNot());
  const here = scene();
  const shut = disk.place;
  copyFileSync(here.at("ledger.db"), disk.at("ledger.db"));
  here.ledger = disk.at("ledger.db");
  disk.readOnly(true);
  await shutPlace({ here, tally, shut, options: {}, kind: "read-only disk" });
  disk.readOnly(false);
  await opened({ here, tally, shut, options: {}, kind: "read-only disk" });
  await here.accounts("read-only disk");
  disk.remove();
  here.remove();
}

/** Everything that writes there is refused in one line and leaves nothing; what only reads goes on. */
async function shutPlace({ here, tally, shut, options, kind }) {
  const ledger = `${shut}/ledger.db`;
  const bytes = readFileSync(ledger);
  for (const [name, args] of writers(here, shut)) {
    const what = `${kind}: ${name}`;
    here.refused(await here.run(args, options), { what });
    tally.injection("refused in one line");
  }
  for (const name of ["out", "out.csv", "plan.json", "o.csv", "new.db", "state"])
    if (existsSync(`${shut}/${name}`)) tally.problem(`${kind}: ${name} is there`);
  if (!bytes.equals(readFileSync(ledger))) tally.problem(`${kind}: the ledger changed`);
  for (const command of ["show", "verify"]) {
    const run = await here.run(["ledger", command, "--ledger", ledger], options);
    if (run.status !== 0) tally.problem(`${kind}: ledger ${command}: ${run.stderr}`);
  }
  const before = await here.run(
    [...here.releaseFlags("before", undefined).map((each) => (each === here.ledger ? ledger : each))],
    options,
  );
  if (before.status !== 0) tally.problem(`${kind}: what is committed is not given out: ${before.stderr}`);
}

/** And once it can be written again, they work. */
async function opened({ here, tally, shut, options, kind }) {
  for (const [name, args] of writers(here, shut)) {
    if (name === "serve") continue;
    const run = await here.run(args, options);
    if (run.status !== 0) tally.problem(`${kind}: ${name} does not work again: ${run.stderr}`);
    if (name.startsWith("results")) here.keys.add("out");
    if (name === "release" && here.ledger === `${shut}/ledger.db`) here.keys.add("shut");
  }
}

function writers(here, shut) {
  const ledger = `${shut}/ledger.db`;
  const records = here.at("records.csv");
  const data = here.at("data");
  mkdirSync(data, { recursive: true });
  const release = here.releaseFlags("shut").map((each) => (each === here.ledger ? ledger : each));
  return [
    ["release", release],
    ["raise", ["ledger", "raise", "--ledger", ledger, "--dataset", "d", "--budget", "2000", "--reason", "more"]],
    [
      "init",
      ["ledger", "init", "--ledger", `${shut}/new.db`, "--dataset", "d", "--budget", "1", "--occupancy-is-public"],
    ],
    ["results", here.releaseFlags("out", `${shut}/out/`)],
    ["plan", ["plan", records, ...PLAN_FLAGS, "--out", `${shut}/plan.json`]],
    ["survey", ["survey", records, ...COLUMN_FLAGS, "--out", `${shut}/o.csv`]],
    ["token", ["token", "create", "--state", `${shut}/state`, "--role", "curator", "--name", "me"]],
    ["serve", ["serve", "--state", `${shut}/state`, "--data", data, "--port", "0"]],
  ];
}
