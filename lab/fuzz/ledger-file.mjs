/** A ledger's file and what may lie beside it, damaged: it is refused, or `verify` notices, or nothing of what it holds has changed. */
import { closeSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "libsql";
import { parseDecimal } from "#core/arithmetic";
import { openLedgerFile } from "#publish/ledger";
import { standingText, verificationText } from "#publish/report";
import { MORSELS } from "./mutate.mjs";

const BESIDE = ["", "-journal", "-wal"];
const USERS = Array.from({ length: 240 }, (_, user) => `user ${String(user).padStart(3, "0")} of the town`);
const KEYS = ["jan", "feb", "mar", "apr"];
const PARTS = ["stop 1", "stop 2", "stop/3 %"];
const CHARGE = 10n ** 16n;
const TABLES = ["meta", "datasets", "releases", "parts", "reservations", "charges", "balances", "journal"];
const PAGE = 4096;

const release = (key, more = {}) => ({
  dataset: "buses",
  key,
  planHash: "5".repeat(64),
  header: `{"release":"${key}"}`,
  parts: PARTS,
  chargesOf: (parts) => USERS.map((user, index) => [user, CHARGE * BigInt(parts.length) + BigInt(index)]),
  ...more,
});
const textsOf = (key, parts) => parts.map((part) => [part, `{"grid":"${part}","mean":"${key.length}.25 of ${key}"}`]);

/** Two datasets; releases that are committed, half committed, given up and pending. */
async function live(ledger) {
  const budget = parseDecimal("1");
  await ledger.init({ dataset: "buses", budget, occupancyIsPublic: true });
  await ledger.init({ dataset: "trams", budget, occupancyIsPublic: true });
  await ledger.reserve(release("jan"));
  await ledger.commit({ ...release("jan"), parts: textsOf("jan", PARTS) });
  await ledger.reserve(release("feb", { separately: true }));
  await ledger.commit({ ...release("feb"), parts: textsOf("feb", PARTS.slice(0, 1)) });
  await ledger.reserve(release("mar", { parts: ["stop 1"] }));
  await ledger.void(release("mar"));
}

async function liveOn(ledger) {
  await ledger.raise({ dataset: "buses", budget: parseDecimal("1.5"), reason: "a second year" });
  await ledger.reserve(release("apr", { parts: ["stop 1", "stop 2"] }));
}

/** All that the ledger says it holds. */
async function factsOf(ledger) {
  const texts = [];
  for (const key of KEYS) {
    const found = await ledger.committed({ dataset: "buses", key, parts: PARTS });
    texts.push([key, [...(found?.texts ?? [])]]);
  }
  return JSON.stringify([await ledger.show(), texts], (_, value) =>
    typeof value === "bigint" || value?.toNumberNearest ? String(value) : value,
  );
}

/** The files as they lie on the disk when the power fails: a journal to roll back, a log to take over. */
function filesOf(place) {
  const files = new Map();
  for (const end of BESIDE) {
    try {
      files.set(end, readFileSync(place + end));
    } catch {
      // It is not there.
    }
  }
  return files;
}

async function starts(folder) {
  const place = path.join(folder, "first.db");
  let ticks = 0;
  const clock = () => new Date(1_800_000_000_000 + 1000 * ticks++);
  const open = () => openLedgerFile(place, { create: true, clock });
  const facts = [];
  for (const work of [live, liveOn]) {
    const ledger = await open();
    await work(ledger);
    facts.push(await factsOf(ledger));
    await ledger[Symbol.asyncDispose]();
    if (work === live) writeFileSync(path.join(folder, "before.db"), readFileSync(place));
  }
  const plain = filesOf(place);

  const cut = new Database(place);
  cut.exec("PRAGMA cache_size = 1; BEGIN IMMEDIATE");
  cut.exec(
    "UPDATE balances SET units = '1'; UPDATE charges SET text = '[]'; UPDATE parts SET text = 'never committed'",
  );
  const journal = filesOf(place);
  cut.exec("ROLLBACK");
  cut.close();

  const older = path.join(folder, "before.db");
  const log = new Database(older);
  log.exec(`PRAGMA journal_mode = WAL; ATTACH '${place.replaceAll("'", "''")}' AS later; BEGIN IMMEDIATE`);
  for (const table of TABLES)
    log.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM later.${table}`);
  log.exec("COMMIT");
  const wal = filesOf(older);
  log.close();
  if (!journal.has("-journal") || !wal.has("-wal")) throw new Error("there is no journal or log to damage");
  return { facts, files: { plain, journal, wal } };
}

/** What is done to one of the files, or to one cell of a table: as data, so that it can be kept. */
function damageOf(random, { files }) {
  const start = ["plain", "plain", "plain", "journal", "wal"][random.below(5)];
  const edits = [];
  for (let more = 1 + random.below(3); more > 0; more--) edits.push(editOf(random, files[start], start));
  return { start, edits };
}

function editOf(random, files, start) {
  const draw = random.below(12);
  if (start === "plain" && draw < 5) {
    const [table, columns] = CELLS[random.below(CELLS.length)];
    const column = columns[random.below(columns.length)];
    const value =
      random.below(3) === 0 ? { of: random.below(40) } : { hex: MORSELS[random.below(MORSELS.length)].toString("hex") };
    return { table, column, row: random.below(40), ...value };
  }
  const ends = [...files.keys()];
  const file = ends[random.below(ends.length)];
  const bytes = files.get(file);
  const at = placeIn(random, bytes);
  if (draw === 5) return { file, cut: at };
  if (draw === 6) {
    const page = () => PAGE * random.below(Math.max(1, Math.floor(bytes.length / PAGE)));
    return { file, from: page(), at: page(), length: random.below(2) === 0 ? PAGE : 1 + random.below(64) };
  }
  if (draw === 7) return { file, at, hex: "00".repeat(1 + random.below(PAGE)) };
  if (draw === 8) return { file, at, hex: MORSELS[random.below(MORSELS.length)].toString("hex") };
  return { file, at, hex: Buffer.from([bytes[at] ^ (1 << random.below(8))]).toString("hex") };
}

/** Anywhere; in the header and in the head of a page more often than they are long; in a text. */
function placeIn(random, bytes) {
  const draw = random.below(4);
  if (draw === 0) return random.below(100);
  const page = PAGE * random.below(Math.max(1, Math.floor(bytes.length / PAGE)));
  if (draw === 1) return Math.min(bytes.length - 1, page + random.below(40));
  const at = random.below(bytes.length);
  if (draw === 2) return at;
  const text = bytes.subarray(at).findIndex((byte) => byte >= 32 && byte < 127);
  return text < 0 ? at : at + text;
}

const CELLS = [
  ["meta", ["name", "value"]],
  ["datasets", ["id", "name", "budget", "created", "users_key_check"]],
  ["releases", ["id", "dataset", "key", "plan_hash", "header", "created"]],
  ["parts", ["id", "dataset", "key", "part", "state", "reservation", "sha256", "text"]],
  ["reservations", ["id", "dataset", "key", "chunks", "users", "largest", "refunded"]],
  ["charges", ["reservation", "chunk", "text"]],
  ["balances", ["dataset", "user", "units"]],
  ["journal", ["line", "text", "hash"]],
];

function applyToFiles(files, edits) {
  const changed = new Map([...files].map(([file, bytes]) => [file, Buffer.from(bytes)]));
  for (const { file, at, hex, cut, from, length } of edits) {
    const bytes = changed.get(file);
    if (bytes === undefined) continue;
    if (cut !== undefined) changed.set(file, bytes.subarray(0, cut));
    else if (from !== undefined) bytes.subarray(from, from + length).copy(bytes.subarray(at));
    else if (at < bytes.length) Buffer.from(hex, "hex").copy(bytes, at);
  }
  return changed;
}

/** One cell gets another value, or another row's. Keys that would clash stay. */
function applyToCells(place, edits) {
  const cells = edits.filter(({ table }) => table !== undefined);
  const database = new Database(place);
  database.exec("PRAGMA synchronous = OFF");
  for (const { table, column, row, hex, of } of cells) {
    const rows = database.prepare(`SELECT count(*) AS found FROM ${table}`).all([])[0].found;
    const key = table === "balances" ? "user" : "rowid";
    const whose = (number) => `(SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT 1 OFFSET ${number % rows})`;
    const value =
      of === undefined ? `CAST(X'${hex}' AS TEXT)` : `(SELECT ${column} FROM ${table} WHERE ${key} = ${whose(of)})`;
    try {
      database.exec(`UPDATE ${table} SET ${column} = ${value} WHERE ${key} = ${whose(row)}`);
    } catch {
      // The table does not hold such a value.
    }
  }
  database.close();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be printed
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** What is wrong with how a ledger in this state answers; undefined if nothing is. What it refuses is thrown. */
async function troubleWith(ledger, { place, facts, committed }) {
  const verification = await ledger.verify();
  if (UNPRINTABLE.test(verificationText(verification))) return "verify prints control characters";
  for (const key of KEYS) {
    const found = await ledger.committed({ dataset: "buses", key, parts: PARTS }).catch(refused);
    for (const text of found?.texts.values() ?? [])
      if (!committed.has(text)) return "gives out a text that was not committed";
  }
  if (UNPRINTABLE.test(standingText(await ledger.show()))) return "show prints control characters";
  if (verification.consistent && !facts.includes(await factsOf(ledger)))
    return "holds something else, and verify does not notice";

  for (const work of [() => ledger.reserve(release("new")), () => ledger.void(release("apr"))]) {
    const before = contentOf(place);
    try {
      await work();
    } catch (error) {
      if (!before.equals(contentOf(place))) return "refused a change and changed";
      // The log may have been lost whole, and with it the release.
      if (error.code !== "LEDGER_NOT_FOUND") throw error;
    }
  }
  if (!verification.consistent) return undefined;
  const after = await ledger.verify();
  return after.consistent ? undefined : `charges wrongly: ${after.problems[0]}`;
}

/** The first of it: a journal's head can make SQLite lengthen the file to terabytes of nothing. */
function contentOf(place) {
  const file = openSync(place);
  const bytes = Buffer.alloc(1 << 18);
  const length = readSync(file, bytes);
  closeSync(file);
  return bytes.subarray(0, length);
}

const refused = (error) => {
  if (error.name !== "VeilgridError" || error.code === "INTERNAL") throw error;
  return { texts: new Map() };
};

export const ledgerFile = {
  mayCrash: true,
  prepare: async (folder) => {
    const committed = new Set([...textsOf("jan", PARTS), ...textsOf("feb", PARTS.slice(0, 1))].map(([, text]) => text));
    return { place: path.join(folder, "ledger.db"), committed, ...(await starts(folder)) };
  },
  generate: (random, _, state) => Buffer.from(JSON.stringify(damageOf(random, state))),
  try: async (bytes, state) => {
    const { start, edits } = JSON.parse(bytes.toString("utf8"));
    for (const end of [...BESIDE, "-shm"]) rmSync(state.place + end, { force: true });
    let files = state.files[start];
    if (edits.some(({ table }) => table !== undefined)) {
      for (const [end, content] of files) writeFileSync(state.place + end, content);
      applyToCells(state.place, edits);
      files = filesOf(state.place);
    }
    for (const [end, content] of applyToFiles(files, edits)) writeFileSync(state.place + end, content);
    const ledger = await openLedgerFile(state.place, { busyMs: 100 });
    try {
      return await troubleWith(ledger, state);
    } finally {
      await ledger[Symbol.asyncDispose]();
    }
  },
};
