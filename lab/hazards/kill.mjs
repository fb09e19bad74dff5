/** SIGKILL at moments drawn at random, in every command that writes: releases, the ledger's own commands, plans and surveys. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ledgerShow, ledgerVerify } from "#apps/operations";
import { COLUMN_FLAGS, PLAN_FLAGS } from "./scene.mjs";

/** Past a moment, in which what was begun there may still be under way. */
const SOON_MS = 30;

export async function killAnywhere({ scene, random }) {
  const here = scene();
  for (const [index, at] of [
    "before reserve",
    "after reserve",
    "before commit",
    "before commit",
    "after commit",
  ].entries())
    await killedRelease(here, { at, key: `k${index}`, random });
  await here.accounts("killed releases");
  for (let each = 0; each < 3; each++) await killedSomewhere(here, { key: `any${each}`, random });
  await killedResume(here, random);
  await here.accounts("killed resumes");
  await killedVoid(here, random);
  await here.accounts("killed voids");
  await killedInit(here, random);
  await killedRaise(here, random);
  await here.accounts("killed raises");
  await killedFiles(here, random);
  here.remove();
}

/** Runs until a moment, then a little further, and kills it. */
async function killAfter(here, args, at, random) {
  const run = here.start(args, { hazard: { at } });
  if (!(await run.reached())) here.tally.problem(`${args[0]} ended before ${at}: ${run.stderr}`);
  run.go();
  await sleep(SOON_MS * random.uniform());
  run.child.kill("SIGKILL");
  return run.ended;
}

function count(tally, run) {
  tally.injection(run.signal === "SIGKILL" ? "killed" : "done before the kill");
}

async function killedRelease(here, { at, key, random }) {
  const run = await killAfter(here, here.releaseFlags(key), at, random);
  count(here.tally, run);
  const before = here.disclosed(here.at(`out-${key}/`));
  if (before !== null && (await here.standing(key)) !== "committed")
    here.tally.double(`killed ${at}: given out without a commit`);
  await here.worksAgain(key, { what: `killed ${at}`, before });
}

/** At any time of its life, starting up included. */
async function killedSomewhere(here, { key, random }) {
  const run = here.start(here.releaseFlags(key));
  await Promise.race([sleep(1_200 * random.uniform()), run.ended]);
  run.child.kill("SIGKILL");
  await run.ended;
  count(here.tally, run);
  await here.worksAgain(key, { what: "killed at any time", before: here.disclosed(here.at(`out-${key}/`)) });
}

/** Leaves a charge without a release. */
async function pending(here, key) {
  const run = await here.run(here.releaseFlags(key), { hazard: { at: "after reserve", what: "kill" } });
  if (run.signal !== "SIGKILL" || (await here.standing(key)) !== "pending")
    here.tally.problem(`${key} is not pending: ${run.stderr}`);
}

async function killedResume(here, random) {
  await pending(here, "resumed");
  const resume = ["ledger", "resume", ...here.releaseFlags("resumed").slice(1)];
  for (const at of ["before reserve", "before commit"]) count(here.tally, await killAfter(here, resume, at, random));
  const run = await here.run(resume);
  const isDone = run.status === 0 || /nothing is pending/.test(run.stderr);
  if (!isDone) here.tally.loss(`killed resume: ${run.stderr}`);
  await here.worksAgain("resumed", { what: "killed resume", before: here.disclosed(here.at("out-resumed/")) });
}

async function killedVoid(here, random) {
  await pending(here, "voided");
  const args = ["ledger", "void", "--ledger", here.ledger, "--dataset", "d", "--key", "voided"];
  for (const at of ["before void", "after void"]) {
    if ((await here.standing("voided")) === "pending") count(here.tally, await killAfter(here, args, at, random));
    const { consistent } = await ledgerVerify({ ledger: here.ledger });
    if (!consistent) here.tally.loss("killed void: not consistent");
  }
  if ((await here.standing("voided")) === "pending") await here.run(args);
  if ((await here.standing("voided")) !== "void") here.tally.loss("killed void: neither pending nor given up");
}

async function killedInit(here, random) {
  for (const at of ["before init", "after init", undefined]) {
    const ledger = here.at("made.db");
    rmSync(ledger, { force: true });
    const args = ["ledger", "init", "--ledger", ledger, "--dataset", "d", "--budget", "3", "--occupancy-is-public"];
    if (at === undefined) {
      const run = here.start(args);
      await Promise.race([sleep(500 * random.uniform()), run.ended]);
      run.child.kill("SIGKILL");
      count(here.tally, await run.ended);
    } else count(here.tally, await killAfter(here, args, at, random));
    const again = await here.run(args);
    if (again.status !== 0 && !/has a dataset 'd' already/.test(again.stderr))
      here.tally.loss(`killed init: ${again.stderr}`);
    const [{ budget }] = await ledgerShow({ ledger, dataset: "d" });
    if (String(budget) !== "3" || !(await ledgerVerify({ ledger })).consistent)
      here.tally.loss("killed init: another ledger");
  }
}

async function killedRaise(here, random) {
  for (const [index, at] of ["before raise", "before raise", "after raise"].entries()) {
    const [before] = await ledgerShow({ ledger: here.ledger, dataset: "d" });
    const budget = String(2_000 + index);
    const args = ["ledger", "raise", "--ledger", here.ledger, "--dataset", "d", "--budget", budget, "--reason", "more"];
    count(here.tally, await killAfter(here, args, at, random));
    const [after] = await ledgerShow({ ledger: here.ledger, dataset: "d" });
    if (![String(before.budget), budget].includes(String(after.budget)))
      here.tally.problem("killed raise: a third budget");
    if (String(after.budget) !== budget && (await here.run(args)).status !== 0)
      here.tally.loss("killed raise: does not work again");
  }
}

/** A file that is replaced is the old one or the new one, whole, whenever its writer is killed. */
async function killedFiles(here, random) {
  const plans = ["plan", here.at("records.csv"), ...PLAN_FLAGS, "--out", here.at("written.json")];
  const surveys = ["survey", here.at("records.csv"), ...COLUMN_FLAGS, "--out", here.at("written.csv")];
  for (const args of [plans, surveys]) {
    const file = args.at(-1);
    const began = performance.now();
    await here.run(args);
    const took = performance.now() - began;
    const whole = readFileSync(file);
    for (let each = 0; each < 3; each++) {
      const old = each === 0 ? undefined : Buffer.from("an older file");
      if (old === undefined) rmSync(file);
      else writeFileSync(file, old);
      const run = here.start(args);
      await Promise.race([sleep(took * (0.4 + 0.6 * random.uniform())), run.ended]);
      run.child.kill("SIGKILL");
      count(here.tally, await run.ended);
      const found = existsSync(file) ? readFileSync(file) : undefined;
      if (found !== undefined && !found.equals(whole) && !(old?.equals(found) ?? false))
        here.tally.problem(`killed ${args[0]}: a part of a file`);
      if (found === undefined && old !== undefined) here.tally.problem(`killed ${args[0]}: the older file is gone`);
    }
    if ((await here.run(args)).status !== 0 || !readFileSync(file).equals(whole))
      here.tally.problem(`killed ${args[0]}: another file`);
  }
}
