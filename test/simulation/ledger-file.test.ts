/** A ledger file in a bad world: tampering, full disks, locks, files that are no ledger, stores that take turns. */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { parseDecimal } from "../../src/core/arithmetic/index.ts";
import { type Ledger, type LedgerFileOptions, openLedgerAt, openLedgerFile } from "../../src/publish/ledger/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const TENTH = 10n ** 17n;
let files = 0;

async function makeLedger(options: LedgerFileOptions = {}, hashUsers = false): Promise<string> {
  const file = path.join(folder, `${files++}.db`);
  await using ledger = await openLedgerFile(file, { create: true, ...options });
  await ledger.init({ dataset: "buses", budget: parseDecimal("1"), occupancyIsPublic: true, hashUsers });
  return file;
}

function release(key: string, users = 3) {
  return {
    dataset: "buses",
    key,
    planHash: "hash",
    header: "header",
    parts: ["a", "b"],
    *chargesOf(): Generator<[string, bigint]> {
      for (let user = 0; user < users; user++) yield [`user ${user}`, TENTH];
    },
  };
}

function alter(file: string, sql: string): void {
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

const codeAndMessage = (work: Promise<unknown>) => work.then(String, ({ code, message }) => `${code} ${message}`);

test.each([
  ["a balance", "UPDATE balances SET units = '1' WHERE user = 'user 1'", /balances do not follow/],
  ["a lost balance", "DELETE FROM balances WHERE user = 'user 1'", /balances: 2 found, 3 by the journal/],
  ["a charge", "UPDATE charges SET text = replace(text, '1000', '2000')", /charges are not those/],
  ["a text", "UPDATE parts SET text = 'other' WHERE part = 'a'", /text is not the one/],
  ["a text and its hash", "UPDATE parts SET text = '', sha256 = '' WHERE part = 'a'", /recorded hash/],
  ["a state", "UPDATE parts SET state = 'reserved' WHERE part = 'b'", /state: reserved found/],
  ["a header", "UPDATE releases SET header = 'other'", /hash of the header/],
  ["a plan", "UPDATE releases SET plan_hash = 'other'", /plan: other found/],
  ["a budget", "UPDATE datasets SET budget = '1' || budget", /budget/],
  ["a refund", "UPDATE reservations SET refunded = 1", /refund/],
  ["a release's largest charge", "UPDATE reservations SET largest = '7'", /largest charge: 7 found/],
  ["how many it charged", "UPDATE reservations SET users = 2", /charged users: 2 found, 3 by the journal/],
  ["when it was made", "UPDATE releases SET created = '2001'", /made: 2001 found/],
  ["when the dataset was made", "UPDATE datasets SET created = '2001'", /'buses': made: 2001 found/],
  ["a name with a bell in it", "UPDATE parts SET part = 'a\\u0007' WHERE part = 'a'", /part 'a\\u0007': state/],
  [
    "a journal line",
    "UPDATE journal SET text = replace(text, 'hash', 'hush') WHERE line = 2",
    /line 2 does not follow/,
  ],
  ["a lost line", "DELETE FROM journal WHERE line = 2", /line 2 is missing/],
  ["a lost last line", "DELETE FROM journal WHERE line = 3", /state: committed found, reserved by the journal/],
])("verify notices %s", async (_, sql, problem) => {
  const file = await makeLedger();
  const read = async () => {
    await using ledger = await openLedgerFile(file);
    return ledger.verify();
  };
  {
    await using ledger = await openLedgerFile(file);
    await ledger.reserve(release("jan"));
    await ledger.commit({ ...release("jan"), parts: [["a", "1"] as const, ["b", "2"] as const] });
  }
  expect(await read()).toMatchObject({ consistent: true });
  alter(file, sql);
  const { consistent, problems } = await read();
  expect(consistent).toBe(false);
  expect(problems.join("\n")).toMatch(problem);
  expect(problems.join("\n")).not.toMatch(/user \d/);
});

/** What a flipped bit makes of a text: no UTF-8, no number, no JSON. */
test.each([
  ["a balance that is no text", "UPDATE balances SET units = CAST(x'31ff' AS TEXT)"],
  ["a balance that is no number", "UPDATE balances SET units = '1x'"],
  ["a name that is no text", "UPDATE parts SET part = CAST(x'ff' AS TEXT) WHERE part = 'a'"],
  ["a journal line that is no text", "UPDATE journal SET text = CAST(x'7bff7d' AS TEXT) WHERE line = 2"],
  ["a journal line that is no JSON", "UPDATE journal SET text = '{' WHERE line = 2"],
  [
    "a journal line with a budget that is no number",
    'UPDATE journal SET text = replace(text, \'"budget":"1\', \'"budget":"x\') WHERE line = 1',
  ],
  ["charges that are no text", "UPDATE charges SET text = CAST(x'ff' AS TEXT)"],
  ["charges that are no JSON", "UPDATE charges SET text = '['"],
  ["a budget that is no number", "UPDATE datasets SET budget = 'x'"],
  ["a format that is no text", "UPDATE meta SET value = CAST(x'ff' AS TEXT) WHERE name = 'format'"],
])("a row that no ledger wrote is told as damage, in one line that does not quote it: %s", async (_, sql) => {
  const file = await makeLedger();
  {
    await using ledger = await openLedgerFile(file);
    await ledger.reserve(release("jan"));
  }
  alter(file, sql);
  const tell = async (work: (ledger: Ledger) => Promise<unknown>) => {
    await using ledger = await openLedgerFile(file);
    return work(ledger);
  };
  const told = [
    await codeAndMessage(tell((ledger) => ledger.show())),
    await codeAndMessage(tell(async (ledger) => JSON.stringify((await ledger.verify()).problems))),
    await codeAndMessage(tell((ledger) => ledger.void(release("jan")))),
  ];
  expect(told[0]).toMatch(/^LEDGER_UNAVAILABLE .*(damaged; restore it from a backup|is not a ledger)/);
  expect(told[1]).toMatch(/damaged|is not a ledger|cannot be read|charges are not|do not follow/);
  for (const line of told) expect(line).not.toMatch(/1x|\n|SyntaxError|BigInt/);
});

test("damaged pages are found when the file is opened, and by verify", async () => {
  const file = await makeLedger();
  {
    await using ledger = await openLedgerFile(file);
    await ledger.reserve(release("jan", 2_000));
  }
  // The second page of the balances' table is of zeros.
  const bytes = readFileSync(file);
  bytes.fill(0, bytes.length - 4096);
  writeFileSync(file, bytes);
  expect(await codeAndMessage(openLedgerFile(file))).toMatch(
    /^LEDGER_UNAVAILABLE .* is damaged; restore it from a backup/,
  );
});

test("that what is looked up is no longer what is there is noticed when the file is opened", async () => {
  const file = await makeLedger();
  {
    await using ledger = await openLedgerFile(file);
    await ledger.reserve(release("jan", 2_000));
  }
  const bytes = readFileSync(file);
  swapBranches(bytes, "user 1");
  writeFileSync(file, bytes);
  expect(await codeAndMessage(openLedgerFile(file))).toMatch(/^LEDGER_UNAVAILABLE .* is damaged; restore it/);
});

/** Exchanges two branches of a tree that holds the text: every row is still there, and looked for in the wrong place. */
function swapBranches(file: Buffer, text: string): void {
  const INTERIOR_INDEX = 2;
  for (let page = 0; page < file.length; page += 4096) {
    const bytes = file.subarray(page, page + 4096);
    if (bytes[0] !== INTERIOR_INDEX || !bytes.includes(text) || bytes.readUInt16BE(3) < 2) continue;
    const [one, other] = [bytes.readUInt16BE(12), bytes.readUInt16BE(14)];
    const [left, right] = [bytes.readUInt32BE(one), bytes.readUInt32BE(other)];
    bytes.writeUInt32BE(right, one);
    bytes.writeUInt32BE(left, other);
    return;
  }
  throw new Error("there is no such tree");
}

test.each([
  ["a balance that is no number", "UPDATE balances SET units = '-1' WHERE user = 'user 1'"],
  ["a balance that is not UTF-8", "UPDATE balances SET units = CAST(X'31ff' AS TEXT) WHERE user = 'user 1'"],
  ["a user that is not UTF-8", "UPDATE balances SET user = CAST(X'ff' AS TEXT) WHERE user = 'user 1'"],
  ["a budget of nothing", "UPDATE datasets SET budget = '0'"],
  ["a state that is none", "UPDATE parts SET state = 'published' WHERE part = 'a'"],
  ["a part that is no id", "UPDATE parts SET part = '\\' WHERE part = 'a'"],
  ["a header that is not UTF-8", "UPDATE releases SET header = CAST(X'c328' AS TEXT)"],
  ["charges that are no list", "UPDATE charges SET text = '{}'"],
  ["more charges than there are", "UPDATE reservations SET chunks = 9007199254740991"],
  ["a charge of nothing", 'UPDATE charges SET text = \'[["user 1","0"]]\''],
  ["a line that is no JSON", "UPDATE journal SET text = '{' WHERE line = 2"],
  [
    "a line of another kind",
    'UPDATE journal SET text = \'{"time":"","dataset":"buses","kind":"gift"}\' WHERE line = 2',
  ],
  ["a line that is not UTF-8", "UPDATE journal SET text = CAST(X'ff' AS TEXT) WHERE line = 2"],
])("%s is damage, told in one line", async (_, sql) => {
  const file = await makeLedger();
  {
    await using ledger = await openLedgerFile(file);
    await ledger.reserve(release("jan"));
  }
  alter(file, sql);
  await using ledger = await openLedgerFile(file);
  expect(await codeAndMessage(ledger.show())).toMatch(/^LEDGER_UNAVAILABLE ledger '.*' is damaged; restore it/);
  // Some of it `verify` can tell in more detail.
  expect(
    await ledger.verify().then(
      ({ consistent }) => consistent,
      ({ code }) => code,
    ),
  ).toBeOneOf([false, "LEDGER_UNAVAILABLE"]);
});

test("a text that is not the one that was committed is not given out", async () => {
  const file = await makeLedger();
  await using ledger = await openLedgerFile(file);
  await ledger.reserve(release("jan"));
  const texts = { ...release("jan"), parts: [["a", "1"] as const, ["b", "2"] as const] };
  await ledger.commit(texts);
  alter(file, "UPDATE parts SET text = '3' WHERE part = 'a'");
  for (const asked of [
    () => ledger.committed({ dataset: "buses", key: "jan", parts: ["a"] }),
    () => ledger.committed({ dataset: "buses", key: "jan" }),
    () => ledger.reserve(release("jan")),
    () => ledger.commit(texts),
  ])
    expect(await codeAndMessage(asked())).toMatch(
      /^LEDGER_UNAVAILABLE part 'a' of release 'jan' is not the text that was committed: .* run veilgrid ledger verify$/,
    );
  expect((await ledger.committed({ dataset: "buses", key: "jan", parts: ["b"] }))!.texts).toEqual(
    new Map([["b", "2"]]),
  );
});

test.each([
  "mysql://a@h/x",
  "postgres:reader@h",
  "postgres:/reader@h/x",
  "clickhouse://h/x",
])("a slip in an address makes no file: %s", async (place) => {
  expect(await codeAndMessage(openLedgerAt(place, { create: true }))).toMatch(
    /^USAGE .*postgres:\/\/user@host\/database/,
  );
  expect(existsSync(place)).toBe(false);
});

test("only init makes a file, and for its owner only", async () => {
  const missing = path.join(folder, "none.db");
  expect(await codeAndMessage(openLedgerFile(missing))).toMatch(
    /^LEDGER_NOT_FOUND no ledger at '.*'; make one with veilgrid ledger init --ledger .*none\.db --dataset NAME --budget 1 --occupancy-is-public$/,
  );
  expect(statSync(await makeLedger()).mode & 0o777).toBe(0o600);
});

test("what is no ledger, too new or out of reach is refused in one line", async () => {
  const junk = path.join(folder, "junk");
  writeFileSync(junk, "no ledger ".repeat(500));
  const foreign = path.join(folder, "foreign.db");
  alter(foreign, "CREATE TABLE t (x)");
  const empty = path.join(folder, "empty");
  writeFileSync(empty, "");
  const newer = await makeLedger();
  alter(newer, "UPDATE meta SET value = '99' WHERE name = 'version'");
  for (const create of [false, true]) {
    expect(await codeAndMessage(openLedgerFile(junk, { create }))).toMatch(/^LEDGER_UNAVAILABLE .* is not a ledger/);
    expect(await codeAndMessage(openLedgerFile(foreign, { create }))).toMatch(/^LEDGER_UNAVAILABLE .* is not a ledger/);
    expect(await codeAndMessage(openLedgerFile(newer, { create }))).toMatch(
      /format version 99, .* up to 1; update veilgrid$/,
    );
    expect(await codeAndMessage(openLedgerFile(folder, { create }))).toMatch(/^LEDGER_UNAVAILABLE .* cannot be opened/);
  }
  expect(await codeAndMessage(openLedgerFile(empty))).toMatch(
    /is an empty file and not a ledger; veilgrid ledger init makes it one$/,
  );
  expect(await codeAndMessage(openLedgerFile(path.join(folder, "no/x"), { create: true }))).toMatch(/cannot be opened/);
});

test("what is refused is not touched, even where reading it could change it", async () => {
  const foreign = path.join(folder, "foreign-wal.db");
  alter(foreign, "PRAGMA journal_mode = WAL; CREATE TABLE t (x)");
  const newer = await makeLedger();
  alter(newer, "UPDATE meta SET value = '99' WHERE name = 'version'; PRAGMA journal_mode = WAL");
  for (const file of [foreign, newer]) {
    const bytes = readFileSync(file);
    for (const create of [false, true])
      expect(await codeAndMessage(openLedgerFile(file, { create }))).toMatch(/^LEDGER_UNAVAILABLE/);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }
});

test("a ledger that a newer veilgrid moved on while it was open is not written any more", async () => {
  const file = await makeLedger();
  await using ledger = await openLedgerFile(file);
  await ledger.reserve(release("jan"));
  alter(file, "UPDATE meta SET value = '99' WHERE name = 'version'");
  const bytes = readFileSync(file);
  const parts = [["a", "1"] as const, ["b", "2"] as const];
  for (const work of [ledger.reserve(release("feb")), ledger.commit({ ...release("jan"), parts })])
    expect(await codeAndMessage(work)).toMatch(/has format version 99, this veilgrid knows up to 1; update veilgrid$/);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test("a ledger that was replaced or removed while it was open takes no charge that nobody would find", async () => {
  const file = await makeLedger();
  const backup = `${file}.backup`;
  copyFileSync(file, backup);
  await using ledger = await openLedgerFile(file);
  await ledger.reserve(release("jan"));
  renameSync(backup, file);
  expect(await codeAndMessage(ledger.reserve(release("feb")))).toMatch(
    /^LEDGER_UNAVAILABLE .* was moved, removed or replaced while it was open; nothing was changed; start again$/,
  );
  rmSync(file);
  expect(await codeAndMessage(ledger.reserve(release("feb")))).toMatch(/was moved, removed or replaced/);
});

test("a wrong key for the users is refused before anything is charged", async () => {
  const file = await makeLedger({ usersKey: "the right key of ours" }, true);
  await using ledger = await openLedgerFile(file, { usersKey: "the wrong key of ours" });
  expect(await codeAndMessage(ledger.reserve(release("jan")))).toMatch(/^LEDGER_CONFLICT .* under another key/);
  expect(await ledger.overlap({ dataset: "new", users: ["a"] })).toEqual({ shared: [], incomparable: ["buses"] });
  expect(await ledger.show()).toMatchObject([{ users: 0, releases: [] }]);
});

test.each<[string, LedgerFileOptions, RegExp]>([
  ["a full disk", { maxPages: 30 }, /the disk is full; nothing was changed/],
  ["a read-only file", { readOnly: true }, /cannot be written; nothing was changed/],
])("%s gives one line and changes nothing", async (_, options, message) => {
  const file = await makeLedger();
  {
    await using ledger = await openLedgerFile(file, options);
    expect(await codeAndMessage(ledger.reserve(release("jan", 20_000)))).toMatch(message);
    expect(await ledger.show()).toMatchObject([{ users: 0, releases: [] }]);
  }
  await using ledger = await openLedgerFile(file);
  expect(await ledger.verify()).toMatchObject({ consistent: true, counts: { lines: 1 } });
  expect(await ledger.reserve(release("jan", 20_000))).toMatchObject({ resumed: false });
});

test("a lock that stays is reported, one that goes is waited for", async () => {
  const file = await makeLedger();
  const other = new Database(file);
  other.exec("BEGIN IMMEDIATE");
  await using hasty = await openLedgerFile(file, { busyMs: 50 });
  expect(await codeAndMessage(hasty.reserve(release("jan")))).toMatch(
    /^LEDGER_UNAVAILABLE .* locked by another process/,
  );
  await using patient = await openLedgerFile(file);
  const waiting = patient.reserve(release("jan"));
  setTimeout(() => other.exec("COMMIT"), 100);
  expect(await waiting).toMatchObject({ charged: ["a", "b"] });
});

test("two stores of one process take turns, also while one is in the middle of a transaction", async () => {
  const file = await makeLedger();
  await using one = await openLedgerFile(file);
  await using two = await openLedgerFile(file);
  const tries = Array.from({ length: 30 }, (_, index) =>
    (index % 2 ? one : two).reserve(release(`key ${index}`, 1_000)),
  );
  const done = await Promise.allSettled(tries);
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  expect(await one.verify()).toMatchObject({ consistent: true });
});
