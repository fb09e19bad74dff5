/** A ledger file that the disk, a copy or a hand has damaged: pages of every kind, its length, and what a killed process left beside it. */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { ledgerVerify, releaseRecords } from "#apps/operations";
import { pagesByKind } from "./pages.mjs";
import { SECRET } from "./secret.mjs";

const FLIPS_OF_A_KIND = 12;

export async function damagedLedger({ scene, random }) {
  const here = scene();
  const sound = await richLedger(here);
  const { size, kinds } = pagesByKind(sound.file);
  for (const [kind, pages] of kinds)
    for (let each = 0; each < FLIPS_OF_A_KIND; each++) {
      const page = pages[random.below(pages.length)];
      const span = kind === "header" ? 100 : size;
      await damaged(here, sound, `a byte of a page (${kind})`, (file) => {
        const bytes = readFileSync(file);
        let at = page + random.below(span);
        // Most of a page is empty; what is written is what matters.
        for (let tries = 0; bytes[at] === 0 && tries < 50; tries++) at = page + random.below(span);
        bytes[at] ^= 1 << random.below(8);
        writeFileSync(file, bytes);
      });
      if (each % 4 === 0)
        await damaged(here, sound, `a page of zeros (${kind})`, (file) => {
          const bytes = readFileSync(file);
          bytes.fill(0, page, page + size);
          writeFileSync(file, bytes);
        });
    }
  const { length } = readFileSync(sound.file);
  for (const bytes of [0, 1, 50, 100, size, size + 7, length - size, length - 1, random.below(length)])
    await damaged(here, sound, "cut short", (file) => truncateSync(file, bytes));
  await damaged(here, sound, "all zeros", (file) => writeFileSync(file, Buffer.alloc(length)));
  await damaged(here, sound, "other text", (file) => writeFileSync(file, "not a database ".repeat(500)));
  await byCommand(here, sound);
  await hotJournals(here, sound, random);
  here.remove();
}

/** With a committed, a pending and a voided release, long texts among them. */
async function richLedger(here) {
  await here.run(here.releaseFlags("pending"), { hazard: { at: "after reserve", what: "kill" } });
  await here.run(here.releaseFlags("voided"), { hazard: { at: "after reserve", what: "kill" } });
  await here.run(["ledger", "void", "--ledger", here.ledger, "--dataset", "d", "--key", "voided"]);
  const file = here.at("sound.db");
  copyFileSync(here.ledger, file);
  const { text } = await releaseRecords(here.at("records.csv"), options(here, "before"));
  const { consistent } = await ledgerVerify({ ledger: file });
  if (!consistent) here.tally.problem("the sound ledger is not sound");
  return { file, text, rows: rowsOf(file) };
}

function options(here, key) {
  return { plan: here.at("plan.json"), ledger: here.ledger, dataset: "d", key };
}

/** Every row of every table, as one text; but for when it was made, which is shown and decides nothing. */
function rowsOf(file) {
  const database = new Database(file);
  try {
    const tables = database.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").all([]);
    const rows = tables
      .filter(({ sql }) => /^CREATE TABLE/.test(sql))
      .map(({ name }) => database.prepare(`SELECT * FROM ${name}`).all([]))
      .map((each) => each.map(({ created: _, ...row }) => row));
    return JSON.stringify([tables, rows]);
  } finally {
    database.close();
  }
}

/** Looks at a damaged copy as its users would. */
async function damaged(here, sound, what, harm) {
  copyFileSync(sound.file, here.ledger);
  harm(here.ledger);
  await judge(here, sound, what);
}

async function judge(here, sound, what) {
  const { tally } = here;
  const verified = await told(() => ledgerVerify({ ledger: here.ledger }), what, tally);
  const noticed = verified.error !== undefined || !verified.result.consistent;
  // What was given out before is given out as it was, or not at all.
  const before = await told(() => releaseRecords(here.at("records.csv"), options(here, "before")), what, tally);
  if (before.result !== undefined && before.result.chargedGrids > 0 && !noticed) tally.double(`${what}: charged anew`);
  if (before.result !== undefined && before.result.chargedGrids === 0 && before.result.text !== sound.text)
    tally.double(`${what}: another answer under the same key`);
  if (!noticed) {
    // Only bytes that mean nothing may be changed without notice.
    const rows = safeRows(here.ledger);
    if (rows !== sound.rows) tally.loss(`${what}: changed rows go unnoticed: ${difference(sound.rows, rows)}`);
    tally.injection("unused bytes");
    return;
  }
  const fresh = await told(() => releaseRecords(here.at("records.csv"), options(here, "fresh")), what, tally);
  if (fresh.error !== undefined) {
    tally.injection("noticed by verify and by a release");
    return;
  }
  // A release reads a few rows and may not meet the damage; what it writes must not hide it.
  const after = await told(() => ledgerVerify({ ledger: here.ledger }), what, tally);
  if (after.error === undefined && after.result.consistent) tally.loss(`${what}: a release hides the damage`);
  tally.injection("noticed by verify");
}

/** Where two texts part. */
function difference(one, two = "") {
  let at = 0;
  while (one[at] === two[at]) at += 1;
  return `${one.slice(Math.max(0, at - 60), at + 30)} is ${two.slice(at, at + 30)}`;
}

function safeRows(file) {
  try {
    return rowsOf(file);
  } catch {
    return undefined;
  }
}

/** A result, or a refusal in one clear line. */
async function told(work, what, tally) {
  try {
    return { result: await work() };
  } catch (error) {
    if (
      error?.name !== "VeilgridError" ||
      error.code === "INTERNAL" ||
      /\n/.test(error.message) ||
      error.message.includes(SECRET)
    )
      tally.problem(`${what}: threw ${error?.stack ?? error}`);
    return { error };
  }
}

/** The same through the command: exit status and lines. */
async function byCommand(here, sound) {
  const { tally } = here;
  for (const [what, harm] of [
    ["zeros", (bytes) => bytes.fill(0, 4096)],
    ["no header", (bytes) => bytes.fill(0, 0, 100)],
    ["half", (bytes) => bytes.subarray(0, bytes.length / 2)],
  ]) {
    writeFileSync(here.ledger, harm(readFileSync(sound.file)));
    for (const args of [
      here.releaseFlags("fresh"),
      ["ledger", "verify", "--ledger", here.ledger],
      ["ledger", "show", "--ledger", here.ledger],
    ])
      here.refused(await here.run(args), {
        what: `${what}: ${args.slice(0, 2).join(" ")}`,
        line: /damaged|not a ledger|backup/,
      });
    if (here.disclosed(here.at("out-fresh/")) !== null) tally.double(`${what}: given out from a damaged ledger`);
    tally.injection("refused in one line");
  }
  // A backup put back where nothing tells of it (docs/threat-model.md): what it has not is charged again.
  copyFileSync(sound.file, here.ledger);
  const run = await here.run(["ledger", "resume", ...here.releaseFlags("pending").slice(1)]);
  if (run.status !== 0) tally.loss(`restored from a backup: ${run.stderr}`);
  tally.injection("restored from a backup");
}

/** What a process that was killed in the middle of writing leaves: half a transaction in the file, and its journal beside it. */
async function hotJournals(here, sound, random) {
  const { tally } = here;
  const journal = `${here.ledger}-journal`;
  const kinds = {
    whole: () => undefined,
    removed: () => rmSync(journal),
    "cut short": () => truncateSync(journal, random.below(readFileSync(journal).length)),
    "of zeros": () => writeFileSync(journal, Buffer.alloc(readFileSync(journal).length)),
    "with a byte changed": () => {
      const bytes = readFileSync(journal);
      bytes[random.below(bytes.length)] ^= 1 << random.below(8);
      writeFileSync(journal, bytes);
    },
  };
  for (const [kind, harm] of Object.entries(kinds))
    for (let each = 0; each < (kind === "whole" ? 1 : 3); each++) {
      copyFileSync(sound.file, here.ledger);
      await halfATransaction(here.ledger);
      if (!existsSync(journal)) tally.problem("no journal was left behind");
      harm();
      if (kind === "whole") {
        await told(() => ledgerVerify({ ledger: here.ledger }), "a hot journal", tally);
        if (safeRows(here.ledger) !== sound.rows) tally.loss("a hot journal: not rolled back");
        tally.injection("rolled back");
      } else await judge(here, sound, `a hot journal ${kind}`);
      rmSync(journal, { force: true });
    }
}

/** Another process writes every balance, with so little memory that pages reach the file before the commit, and is killed there. */
function halfATransaction(file) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "--half", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve) => {
    child.stdout.once("data", () => child.kill("SIGKILL"));
    child.once("exit", resolve);
  });
}

if (process.argv[2] === "--half" && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const database = new Database(process.argv[3]);
  database.exec("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE");
  database.exec(
    "UPDATE balances SET units = '1'; UPDATE charges SET text = text || ' '; UPDATE parts SET text = 'other'",
  );
  console.log("half");
  setInterval(() => undefined, 1_000);
}
