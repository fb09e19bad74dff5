/** No room: for the ledger in each of its steps, for results, plans and surveys, and under a limit that needs no privileges. */
import { copyFileSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { smallDisk, whyNot } from "./disks.mjs";
import { COLUMN_FLAGS, PLAN_FLAGS } from "./scene.mjs";

const DISK_BYTES = 2_000_000;
const PAGE = 4096;

/** The disk of the ledger fills up before, between and after the steps of a release, leaving no room, or room for a part of one. */
export async function fullLedger({ folder, tally, scene, random }) {
  const disk = smallDisk(folder, DISK_BYTES);
  if (disk === undefined) return tally.skip(whyNot());
  const here = scene();
  here.ledger = disk.at("ledger.db");
  copyFileSync(here.at("ledger.db"), here.ledger);
  const cases = ["before reserve", "after reserve", "before commit"].flatMap((at) =>
    [0, 1, 2, 4, 6 + random.below(20)].map((pages) => [at, pages]),
  );
  for (const [index, [at, pages]] of cases.entries()) {
    const key = `k${index}`;
    const what = `ledger's disk full ${at}, but for ${pages} pages`;
    const out = here.at(`out-${key}/`);
    const run = await here.harmed(here.releaseFlags(key), at, () => disk.fill(pages * PAGE));
    const before = here.disclosed(out);
    if (run.status === 0) {
      tally.injection("had room enough");
      if (pages === 0) tally.problem(`${what}: went on without room`);
    } else {
      const state = await here.standing(key);
      const line = state === "pending" ? /full.*charged and pending/ : /full; nothing was changed; make room/;
      here.refused(run, { what, line });
      tally.injection(state === "pending" ? "said to be pending, then finished" : "refused in one line");
      if (before !== null) tally.double(`${what}: given out without a commit`);
    }
    disk.makeRoom();
    await here.worksAgain(key, { what, before, command: index === 0 });
  }
  await otherCommands(here, disk, tally);
  await here.accounts("full disk of the ledger");
  disk.remove();
  here.remove();
}

/** The ledger's own commands: what they refuse is unchanged, and can be done once there is room. */
async function otherCommands(here, disk, tally) {
  disk.fill();
  const fresh = disk.at("new.db");
  const init = ["ledger", "init", "--ledger", fresh, "--dataset", "d", "--budget", "1", "--occupancy-is-public"];
  const raise = ["ledger", "raise", "--ledger", here.ledger, "--dataset", "d", "--budget", "2000", "--reason", "more"];
  const bytes = readFileSync(here.ledger);
  for (const args of [init, raise]) {
    here.refused(await here.run(args), { what: `full disk: ${args[1]}`, line: /full; nothing was changed/ });
    tally.injection("refused in one line");
  }
  if (!bytes.equals(readFileSync(here.ledger))) tally.problem("full disk: raise changed the ledger");
  disk.makeRoom();
  for (const args of [init, raise]) {
    const run = await here.run(args);
    if (run.status !== 0) tally.loss(`full disk: ${args[1]} does not work again: ${run.stderr}`);
  }
}

/** The place of results, plans and surveys fills up. */
export async function fullOut({ folder, tally, scene, random }) {
  const here = scene();
  await standardOutput(here, tally);
  const disk = smallDisk(folder, DISK_BYTES);
  if (disk === undefined) {
    here.remove();
    return tally.skip(whyNot());
  }
  const rooms = [0, 1, 3, 4 + random.below(8)];
  for (const [index, pages] of rooms.entries()) {
    const key = `k${index}`;
    const what = `no room for results but for ${pages} pages`;
    const out = disk.at(`out-${key}/`);
    const run = await here.harmed(here.releaseFlags(key, out), index % 2 ? "after commit" : "before reserve", () =>
      disk.fill(pages * PAGE),
    );
    const before = here.disclosed(out);
    if (run.status === 0) tally.injection("had room enough");
    else {
      here.refused(run, { what, line: /the disk is full.*charged and committed.*at no cost/ });
      tally.injection("committed, written later");
    }
    here.tidy(out, what);
    disk.makeRoom();
    await here.worksAgain(key, { what, before, command: index === 0 });
    rmSync(out, { recursive: true });
  }
  const files = [
    ["plan", here.at("records.csv"), ...PLAN_FLAGS, "--out", disk.at("plan.json")],
    ["survey", here.at("records.csv"), ...COLUMN_FLAGS, "--out", disk.at("o.csv")],
    ["survey", here.at("records.csv"), ...COLUMN_FLAGS, "--out", disk.at("o.csv.gz")],
  ];
  for (const args of files) {
    disk.fill();
    const what = `no room: ${args[0]}`;
    here.refused(await here.run(args), { what, line: /the disk is full; nothing was written/ });
    if (existsSync(args.at(-1))) tally.problem(`${what}: left a file`);
    here.tidy(disk.place, what);
    tally.injection("refused in one line");
    disk.makeRoom();
    const run = await here.run(args);
    if (run.status !== 0) tally.problem(`${what}: does not work again: ${run.stderr}`);
  }
  if (!readFileSync(disk.at("plan.json")).equals(readFileSync(here.at("plan.json"))))
    tally.problem("no room: another plan afterwards");
  await here.accounts("no room for results");
  disk.remove();
  here.remove();
}

/** Results printed to where nothing can be written. */
async function standardOutput(here, tally) {
  if (!existsSync("/dev/full")) return tally.skip("there is no /dev/full");
  const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"];
  const run = await here.run(here.releaseFlags("printed", undefined), { stdio });
  here.refused(run, { what: "full standard output", line: /standard output/ });
  tally.injection("committed, printed later");
  await here.worksAgain("printed", { what: "full standard output" });
}

/** A limit on the size of files, which needs no privileges: `ulimit -f` in blocks of 1024 bytes, from the first file written to the last. */
export async function fileSizeLimit({ tally, scene, random }) {
  const blocks = Math.ceil(readFileSync(scene().ledger).length / 1024);
  // Below the ledger's size nothing can be reserved; a little above it a reservation fits and its commit does not; then results do not.
  const limits = [1, 8, blocks - 8, blocks, ...[4, 8, 12, 16, 20, 24, 28, 36].map((more) => blocks + more)];
  limits.push(blocks + random.below(40));
  for (const limit of limits) {
    const here = scene();
    const what = `no file above ${limit} KB`;
    const under = ["bash", "-c", `ulimit -f ${limit}; exec "$@"`, "bash"];
    const run = await here.run(here.releaseFlags("k"), { under });
    const before = here.disclosed(here.at("out-k/"));
    if (run.status === 0) tally.injection("had room enough");
    else {
      const state = await here.standing("k");
      const [line, outcome] = {
        committed: [/cannot write.*charged and committed.*at no cost/, "committed, written later"],
        pending: [/charged and pending/, "said to be pending, then finished"],
      }[state] ?? [undefined, "refused in one line"];
      here.refused(run, { what, line });
      tally.injection(outcome);
      if (state !== "committed" && before !== null) tally.double(`${what}: given out without a commit`);
    }
    here.tidy(here.folder, what);
    await here.worksAgain("k", { what, before });
    await here.accounts(what);
    here.remove();
  }
}
