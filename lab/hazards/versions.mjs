/** Two versions of the tool on one ledger: what is newer moves it on, what is older leaves it alone, also in the middle of a release. */
import { appendFileSync, copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./scene.mjs";
import { SECRET } from "./secret.mjs";

const REFUSED = /format version 2, this veilgrid knows up to 1; update veilgrid/;

/** This package as it will be one day: one more step of the ledger's and of the service's tables. */
function makeNewer(folder) {
  const newer = path.join(folder, "newer");
  mkdirSync(newer);
  cpSync(path.join(root, "dist"), path.join(newer, "dist"), { recursive: true });
  copyFileSync(path.join(root, "package.json"), path.join(newer, "package.json"));
  cpSync(path.join(root, "assets"), path.join(newer, "assets"), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(newer, "node_modules"));
  const step = "\nMIGRATIONS.push('ALTER TABLE datasets ADD COLUMN remark TEXT');\n";
  appendFileSync(path.join(newer, "dist", "publish", "ledger", "sqlite-store.js"), step);
  appendFileSync(path.join(newer, "dist", "apps", "service", "state-database.js"), step);
  return path.join(newer, "dist", "apps", "cli", "main.js");
}

export async function twoVersions({ folder, tally, scene, random, template, round }) {
  const place = path.join(folder, `versions-${round}`);
  mkdirSync(place);
  const newer = makeNewer(place);
  await forwardAndBack({ here: scene(), tally, newer, template });
  for (const at of ["before reserve", "before commit"]) await meanwhile({ here: scene(), tally, newer, at });
  for (let each = 0; each < 3; each++) await killedOnTheWay({ here: scene(), tally, newer, random });
}

async function forwardAndBack({ here, tally, newer, template }) {
  const before = here.releaseFlags("before", here.at("out-1/"));
  const first = await here.run(before);
  const moved = await here.run(here.releaseFlags("new", here.at("out-2/")), { program: newer });
  if (first.status !== 0 || moved.status !== 0) tally.loss(`a newer version: ${first.stderr}${moved.stderr}`);
  here.keys.add("new");
  const same = await here.run(here.releaseFlags("before", here.at("out-3/")), { program: newer });
  if (
    same.status !== 0 ||
    !readFileSync(here.at("out-3/result.json")).equals(readFileSync(here.at("out-1/result.json")))
  )
    tally.double("a newer version gives another answer");
  tally.injection("moved on");
  const bytes = readFileSync(here.ledger);
  const ledger = ["--ledger", here.ledger];
  for (const args of [
    here.releaseFlags("new"),
    here.releaseFlags("newest"),
    ["ledger", "show", ...ledger],
    ["ledger", "verify", ...ledger],
    ["ledger", "raise", ...ledger, "--dataset", "d", "--budget", "2000", "--reason", "more"],
    ["ledger", "init", ...ledger, "--dataset", "e", "--budget", "1", "--occupancy-is-public"],
    ["ledger", "void", ...ledger, "--dataset", "d", "--key", "new"],
  ]) {
    here.refused(await here.run(args), { what: `an older version: ${args.slice(0, 2).join(" ")}`, line: REFUSED });
    tally.injection("refused in one line");
  }
  const state = here.at("state");
  cpSync(template.service.state, state, { recursive: true });
  await here.run(["token", "create", "--state", state, "--role", "analyst", "--name", "me"], { program: newer });
  for (const args of [
    ["serve", "--state", state, "--data", template.service.data, "--port", "0"],
    ["token", "list", "--state", state],
  ]) {
    here.refused(await here.run(args), { what: `an older version: ${args[0]}`, line: REFUSED });
    tally.injection("refused in one line");
  }
  if (!bytes.equals(readFileSync(here.ledger))) tally.problem("an older version changed the ledger");
  await settled(here, newer, "moved on");
  here.remove();
}

/** A newer version moves the ledger on while the older one has it open, in the middle of a release. */
async function meanwhile({ here, tally, newer, at }) {
  const what = `moved on ${at}`;
  let bytes;
  const run = await here.harmed(here.releaseFlags("k"), at, async () => {
    const moved = await here.run(["ledger", "show", "--ledger", here.ledger], { program: newer });
    if (moved.status !== 0) tally.problem(`${what}: ${moved.stderr}`);
    bytes = readFileSync(here.ledger);
  });
  here.refused(run, { what, line: at === "before commit" ? /version 2.*charged and pending/ : REFUSED });
  if (!bytes.equals(readFileSync(here.ledger))) tally.problem(`${what}: the older version wrote`);
  if (here.disclosed(here.at("out-k/")) !== null) tally.double(`${what}: given out without a commit`);
  tally.injection(at === "before commit" ? "said to be pending, then finished" : "refused in one line");
  const again = await here.run(here.releaseFlags("k"), { program: newer });
  if (again.status !== 0) tally.loss(`${what}: the newer version does not finish it: ${again.stderr}`);
  here.keys.add("k");
  await settled(here, newer, what);
  here.remove();
}

/** Killed while it moves the ledger on: it is of one version or of the other, and whole. */
async function killedOnTheWay({ here, tally, newer, random }) {
  const run = here.start(["ledger", "show", "--ledger", here.ledger], { program: newer });
  await Promise.race([sleep(150 + 350 * random.uniform()), run.ended]);
  run.child.kill("SIGKILL");
  await run.ended;
  tally.injection(run.signal === "SIGKILL" ? "killed on the way" : "moved on");
  await settled(here, newer, "killed on the way");
  here.remove();
}

/** As the newer version sees it: consistent, nothing pending, and the price of these keys. */
async function settled(here, newer, what) {
  const verify = await here.run(["ledger", "verify", "--ledger", here.ledger], { program: newer });
  if (verify.status !== 0) here.tally.loss(`${what}: ${verify.stdout}${verify.stderr}`);
  const show = await here.run(["ledger", "show", "--ledger", here.ledger, "--dataset", "d", "--json"], {
    program: newer,
  });
  const [{ exact, releases }] = JSON.parse(show.stdout);
  let expected = here.template.price;
  for (const _ of here.keys) expected = expected.add(here.template.price);
  if (exact.loss !== String(expected)) here.tally.loss(`${what}: ${exact.loss} is charged, not ${expected}`);
  if (releases.some((each) => each.pending.length > 0)) here.tally.loss(`${what}: something stays pending`);
  if (show.stdout.includes(SECRET)) here.tally.problem(`${what}: quotes a value: ${show.stdout}`);
}
