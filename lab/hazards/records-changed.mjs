/** The file of records is another when it is released: changed before, while it is read, and between two readings of it. */
import { appendFileSync, copyFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ledgerShow, ledgerVoid } from "#apps/operations";
import { recordsText } from "./scene.mjs";

const text = recordsText();
const lines = text.split("\n");

/** What can happen to a file, and whether who counts again can tell. */
const CHANGES = {
  "appended to": (file) => appendFileSync(file, "u1,g1,7\n"),
  "cut short": (file) => truncateSync(file, text.length - 400),
  "cut in a row": (file) => truncateSync(file, text.length - 3),
  emptied: (file) => truncateSync(file, 0),
  removed: (file) => rmSync(file),
  "replaced by another": (file) => {
    writeFileSync(`${file}.new`, recordsText(900));
    renameSync(`${file}.new`, file);
  },
  "written anew": (file) => writeFileSync(file, recordsText(1_400)),
  "of another user": (file) =>
    writeFileSync(file, [lines[0], lines[1].replace("u0", "u1"), ...lines.slice(2)].join("\n")),
  "no longer records": (file) => writeFileSync(file, "these are no records\n"),
};
/** Other values in the same places: allowed, and released once. */
const OTHER_VALUES = (file) =>
  writeFileSync(
    file,
    text.replaceAll(/,(\d+)\./g, (_, whole) => `,${(Number(whole) + 9) % 64}.`),
  );

const MOMENTS = [
  ["before it begins", undefined, "plan.json"],
  ["between counting and the charge", "before reserve", "plan.json"],
  ["between the charge and the totals", "after reserve", "plan.json"],
  ["between totals and capped records", "cut totals", "cutting.json"],
];

export async function recordsChanged({ tally, scene, random }) {
  for (const [index, [moment, at, planFile]] of MOMENTS.entries()) {
    const names = Object.keys(CHANGES);
    // Every change at the moment that matters most, some of them at the others.
    const chosen = index === 2 ? names : Array.from({ length: 3 }, () => names[random.below(names.length)]);
    for (const name of new Set(chosen)) await changed({ tally, scene, moment, at, planFile, name });
    if (at !== undefined) await sameCounts({ tally, scene, moment, at, planFile });
  }
}

async function changed({ tally, scene, moment, at, planFile, name }) {
  const here = scene();
  const what = `records ${name} ${moment}`;
  const records = here.at("records.csv");
  const args = here.releaseFlags("k", undefined, planFile);
  const harm = () => CHANGES[name](records);
  if (at === undefined) harm();
  const run = at === undefined ? await here.run(args) : await here.harmed(args, at, harm);
  const state = await here.standing("k");
  if (run.status === 0) {
    // What was read whole before the change may be released: it is what the plan was made for.
    if (state !== "committed") tally.double(`${what}: given out without a commit`);
    tally.injection("read before the change");
  } else {
    here.refused(run, { what, line: state === "pending" ? /charged and pending/ : undefined });
    if (run.stdout !== "") tally.double(`${what}: refused and given out`);
    tally.injection(state === "pending" ? "said to be pending, then finished" : "refused in one line");
  }
  if (state === "pending") await givenUp(here, what);
  writeFileSync(records, text);
  await here.worksAgain("k", { what, planFile });
  await here.accounts(what, { total: totalOf(here, planFile) });
  here.remove();
}

/** A copy of the ledger shows that the charge could also have been given back. */
async function givenUp(here, what) {
  // Not beside the ledger, which would be taken for an older copy of it.
  const copy = path.join(mkdtempSync(here.at("copy-")), "ledger.db");
  copyFileSync(here.ledger, copy);
  await ledgerVoid({ ledger: copy, dataset: "d", key: "k" });
  const [{ loss }] = await ledgerShow({ ledger: copy, dataset: "d" });
  if (!loss.equals(here.template.price)) here.tally.loss(`${what}: ledger void does not give the charge back`);
}

async function sameCounts({ tally, scene, moment, at, planFile }) {
  const here = scene();
  const what = `other values ${moment}`;
  const out = here.at("out-k/");
  const run = await here.harmed(here.releaseFlags("k", out, planFile), at, () => OTHER_VALUES(here.at("records.csv")));
  if (run.status !== 0) tally.problem(`${what}: ${run.stderr}`);
  tally.injection("released once");
  writeFileSync(here.at("records.csv"), text);
  await here.worksAgain("k", { what, before: here.disclosed(out), planFile });
  await here.accounts(what, { total: totalOf(here, planFile) });
  here.remove();
}

/** All that is charged in the end; undefined where it is the usual price for each key. */
function totalOf(here, planFile) {
  return planFile === "plan.json" ? undefined : here.template.withCutting;
}
