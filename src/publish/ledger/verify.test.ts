/** A ledger that was altered is found out, whatever was altered; users are never named. */
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { chainHash } from "./journal.ts";
import { Ledger } from "./ledger.ts";
import { MemoryStore } from "./memory-store.ts";
import type { LedgerState, PartRow, ReservationRow } from "./store.ts";

const TENTH = 10n ** 17n;
const clock = (): Date => new Date("2026-01-02T03:04:05Z");
const created = clock().toISOString();

function release(key: string, parts: string[], tenths: Record<string, number>, dataset = "buses") {
  return {
    dataset,
    key,
    planHash: `plan of ${key}`,
    header: `header of ${key}`,
    parts,
    chargesOf: (asked: readonly string[]) =>
      Object.entries(tenths).map(([user, each]): [string, bigint] => [user, BigInt(each * asked.length) * TENTH]),
  };
}

/** Two datasets; one release committed, one given up, one half of each, one pending. Journal lines in the comments. */
async function lived(): Promise<{ readonly store: MemoryStore; readonly ledger: Ledger }> {
  const store = new MemoryStore();
  const ledger = new Ledger(store, { clock });
  const commit = (key: string, parts: string[]) =>
    ledger.commit({
      dataset: "buses",
      key,
      planHash: `plan of ${key}`,
      parts: parts.map((part): [string, string] => [part, `text of ${part}`]),
    });
  await ledger.init({ dataset: "buses", budget: Rational.ONE, occupancyIsPublic: true }); // 1
  await ledger.init({ dataset: "trams", budget: Rational.ONE, occupancyIsPublic: true }); // 2
  await ledger.reserve(release("jan", ["a", "b"], { ann: 1, bob: 2 })); // 3
  await commit("jan", ["a", "b"]); // 4
  await ledger.reserve(release("feb", ["a"], { ann: 1, eve: 1 })); // 5
  await ledger.void({ dataset: "buses", key: "feb" }); // 6
  await ledger.reserve({ ...release("mar", ["a", "b"], { ann: 1 }), separately: true }); // 7, 8
  await commit("mar", ["a"]); // 9
  await ledger.void({ dataset: "buses", key: "mar" }); // 10
  await ledger.raise({ dataset: "buses", budget: parseDecimal("1.5"), reason: "more" }); // 11
  await ledger.reserve(release("apr", ["a"], { bob: 3 })); // 12
  await ledger.reserve(release("jan", ["a"], { joe: 1 }, "trams")); // 13
  return { store, ledger };
}

/** What verify finds once the rows were altered by hand. */
async function problemsAfter(alter: (state: LedgerState) => Promise<void>): Promise<readonly string[]> {
  const { store, ledger } = await lived();
  await store.transact(alter);
  const { consistent, problems } = await ledger.verify();
  expect(consistent).toBe(problems.length === 0);
  expect(problems.join("\n")).not.toMatch(/\b(ann|bob|eve|joe)\b/);
  return problems;
}

async function partOf(state: LedgerState, key: string, part: string): Promise<PartRow> {
  return (await state.parts("buses", key)).find((row) => row.part === part)!;
}

async function reservationOf(state: LedgerState, key: string): Promise<ReservationRow> {
  return (await state.reservations("buses", key))[0]!;
}

type Entry = Record<string, unknown>;

/** Changes lines of the journal and hashes all of it anew: a forger who knows the format. */
async function forge(state: LedgerState, change: (line: number, entry: Entry) => Entry): Promise<void> {
  let previous: string | undefined;
  for (const { line, text } of await state.linesAfter(0, 1_000)) {
    const forged = JSON.stringify(change(line, JSON.parse(text) as Entry));
    previous = chainHash(previous, forged);
    await state.appendLine({ line, text: forged, hash: previous });
  }
}

const inLine =
  (wanted: number, changed: Entry) =>
  (line: number, entry: Entry): Entry =>
    line === wanted ? { ...entry, ...changed } : entry;

test("a sound ledger is consistent, and what it holds is counted", async () => {
  const { ledger } = await lived();
  expect(await ledger.verify()).toEqual({
    consistent: true,
    problems: [],
    counts: { datasets: 2, releases: 5, parts: 7, users: 4, lines: 13 },
  });
});

test("an empty ledger is consistent", async () => {
  expect(await new Ledger(new MemoryStore()).verify()).toEqual({
    consistent: true,
    problems: [],
    counts: { datasets: 0, releases: 0, parts: 0, users: 0, lines: 0 },
  });
});

test.each<[string, (state: LedgerState) => Promise<void>, string[]]>([
  [
    "a budget",
    (state) => state.putDataset({ name: "trams", budget: 3n, created, usersKeyCheck: null }),
    ["dataset 'trams': budget: 3 found, 1000000000000000000 by the journal"],
  ],
  [
    "a check of the users' key",
    (state) => state.putDataset({ name: "trams", budget: 10n ** 18n, created, usersKeyCheck: "x" }),
    ["dataset 'trams': check of the users' key: x found, null by the journal"],
  ],
  [
    "when a dataset and a release were made",
    async (state) => {
      await state.putDataset({ name: "trams", budget: 10n ** 18n, created: "1", usersKeyCheck: null });
      const row = (await state.release("buses", "apr"))!;
      await state.putRelease({ ...row, created: "2" });
    },
    [
      `release 'apr': made: 2 found, ${created} by the journal`,
      `dataset 'trams': made: 1 found, ${created} by the journal`,
    ],
  ],
  [
    "a dataset from nowhere",
    (state) => state.putDataset({ name: "taxis", budget: 3n, created: "", usersKeyCheck: null }),
    ["datasets: 3 found, 2 by the journal", "dataset 'taxis' is not in the journal"],
  ],
  [
    "two balances",
    (state) =>
      state.putBalances(
        "buses",
        new Map([
          ["ann", 1n],
          ["bob", 2n],
        ]),
      ),
    ["dataset 'buses': 2 balances do not follow from the journal"],
  ],
  [
    "a balance from nowhere",
    (state) => state.putBalances("buses", new Map([["zoe", 1n]])),
    [
      "dataset 'buses': balances: 4 found, 3 by the journal",
      "dataset 'buses': 1 balances do not follow from the journal",
    ],
  ],
  [
    "a release from nowhere",
    (state) => state.putRelease({ dataset: "buses", key: "may", planHash: "", header: "", created: "" }),
    ["dataset 'buses': releases: 5 found, 4 by the journal", "release 'may' is not in the journal"],
  ],
  [
    "a plan and a header",
    (state) => state.putRelease({ dataset: "buses", key: "apr", planHash: "x", header: "header of apr", created }),
    ["release 'apr': plan: x found, plan of apr by the journal"],
  ],
  [
    "a refund that never was",
    async (state) => state.putReservation({ ...(await reservationOf(state, "jan")), refunded: true }),
    ["release 'jan': refund: true found, false by the journal"],
  ],
  [
    "a refund that was",
    async (state) => state.putReservation({ ...(await reservationOf(state, "feb")), refunded: false }),
    ["release 'feb': refund: false found, true by the journal"],
  ],
  [
    "a reservation from nowhere",
    async (state) => state.putReservation({ ...(await reservationOf(state, "feb")), id: 99 }),
    [
      "release 'feb': refund: true found, undefined by the journal",
      "release 'feb': charged users: 2 found, undefined by the journal",
      "release 'feb': largest charge: 100000000000000000 found, undefined by the journal",
    ],
  ],
  [
    "a part's state",
    async (state) => state.putPart({ ...(await partOf(state, "apr", "a")), state: "void" }),
    ["release 'apr', part 'a': state: void found, reserved by the journal"],
  ],
  [
    "a part's reservation",
    async (state) => state.putPart({ ...(await partOf(state, "apr", "a")), reservation: 3 }),
    ["release 'apr', part 'a': reservation: 3 found, 12 by the journal"],
  ],
  [
    "a part's hash",
    async (state) => state.putPart({ ...(await partOf(state, "jan", "a")), sha256: "x" }),
    [expect.stringMatching(/^release 'jan', part 'a': recorded hash: x found, [0-9a-f]{64} by the journal$/)],
  ],
  [
    "a part's text",
    async (state) => state.putPart(await partOf(state, "jan", "b"), "another text"),
    ["release 'jan', part 'b': its text is not the one that was committed"],
  ],
  [
    "a part that was committed behind the journal's back",
    async (state) => state.putPart({ ...(await partOf(state, "apr", "a")), state: "committed" }),
    [
      "release 'apr', part 'a': state: committed found, reserved by the journal",
      "release 'apr', part 'a': its text is not the one that was committed",
    ],
  ],
  [
    "a part from nowhere",
    async (state) => state.putPart({ ...(await partOf(state, "apr", "a")), part: "z" }),
    [
      "release 'apr': parts: 2 found, 1 by the journal",
      "release 'apr', part 'z': state: reserved found, undefined by the journal",
      "release 'apr', part 'z': reservation: 12 found, undefined by the journal",
      "release 'apr', part 'z': recorded hash: null found, undefined by the journal",
    ],
  ],
  [
    "a part from nowhere with a text",
    async (state) => {
      const row: PartRow = { ...(await partOf(state, "apr", "a")), part: "z", state: "committed", sha256: "x" };
      await state.putPart(row, "text");
    },
    [
      "release 'apr': parts: 2 found, 1 by the journal",
      "release 'apr', part 'z': state: committed found, undefined by the journal",
      "release 'apr', part 'z': reservation: 12 found, undefined by the journal",
      "release 'apr', part 'z': recorded hash: x found, undefined by the journal",
      "release 'apr', part 'z': its text is not the one that was committed",
    ],
  ],
  [
    "a line of the journal",
    async (state) => {
      const [row] = await state.linesAfter(10, 1);
      await state.appendLine({ ...row!, text: row!.text.replace("more", "less") });
    },
    ["journal line 11 does not follow from the line before it"],
  ],
  [
    "a hash of the journal",
    async (state) => {
      const [row] = await state.linesAfter(10, 1);
      await state.appendLine({ ...row!, hash: "x" });
    },
    [
      "journal line 11 does not follow from the line before it",
      "journal line 12 does not follow from the line before it",
    ],
  ],
  [
    "a line that cannot be read",
    async (state) => {
      const last = (await state.lastLine())!;
      await state.appendLine({ line: 14, text: "{", hash: chainHash(last.hash, "{") });
    },
    ["journal line 14 cannot be read"],
  ],
  [
    "a line that is missing",
    async (state) => {
      const last = (await state.lastLine())!;
      const text = last.text.replace('"a"', '"b"').replace("jan", "feb");
      await state.appendLine({ line: 15, text, hash: chainHash(last.hash, text) });
    },
    [
      "journal line 14 is missing",
      "journal line 15: its charges are not those that were recorded",
      "dataset 'trams': releases: 1 found, 2 by the journal",
    ],
  ],
])("verify notices %s", async (_, alter, problems) => {
  expect(await problemsAfter(alter)).toEqual(problems);
});

test.each<[string, number, Entry, string]>([
  ["a dataset that is made twice", 2, { dataset: "buses" }, "journal line 2: dataset 'buses' is made twice"],
  ["a dataset that was never made", 13, { dataset: "taxis" }, "journal line 13: dataset 'taxis' was never made"],
  ["a raise to the budget there is", 11, { budget: String(10n ** 18n) }, "journal line 11: a budget goes down"],
  ["a raise to less", 11, { budget: "1" }, "journal line 11: a budget goes down"],
  ["a commit without a release", 4, { key: "may" }, "journal line 4: release 'may' was never reserved"],
  [
    "a commit of what is not pending",
    9,
    { parts: [["z", "hash"]] },
    "journal line 9: part 'z' is committed without a reservation",
  ],
  [
    "a part given up that is not pending",
    10,
    { parts: ["a"] },
    "journal line 10: part 'a' is given up without being pending",
  ],
  [
    "a part given up that never was",
    10,
    { parts: ["z"] },
    "journal line 10: part 'z' is given up without being pending",
  ],
  ["a refund of nothing", 10, { reservations: [99] }, "journal line 10: reservation 99 is refunded without being paid"],
  ["a second refund", 10, { reservations: [8, 8] }, "journal line 10: reservation 8 is refunded without being paid"],
  ["a refund of what was disclosed", 10, { reservations: [7] }, "journal line 10: a committed part was refunded"],
  ["a second plan for a key", 8, { planHash: "other" }, "journal line 8: release 'mar' has two plans"],
  ["a part that is charged twice", 8, { parts: ["a"] }, "journal line 8: part 'a' is charged twice"],
  [
    "charges that are not hashed so",
    12,
    { chargesSha256: "x" },
    "journal line 12: its charges are not those that were recorded",
  ],
  ["another number of users", 12, { users: 2 }, "journal line 12: its charges are not those that were recorded"],
  ["another largest charge", 12, { largest: "1" }, "journal line 12: its charges are not those that were recorded"],
  ["another hash of a header", 12, { headerSha256: "x" }, "release 'apr': hash of the header"],
])("verify notices in a journal that was hashed anew: %s", async (_, line, changed, problem) => {
  const problems = await problemsAfter((state) => forge(state, inLine(line, changed)));
  expect(problems.filter((each) => each.startsWith(problem))).toHaveLength(1);
});

test.each([
  [7n * TENTH, []],
  [7n * TENTH - 1n, ["journal line 12: a user's loss is above the budget"]],
])("verify notices a user above the budget, by one unit: %i", async (budget, problems) => {
  // bob lost 0.4 by January and 0.3 by April.
  const found = await problemsAfter(async (state) => {
    await forge(state, (line, entry) => {
      if (line === 1) return { ...entry, budget: String(4n * TENTH) };
      return line === 11 ? { ...entry, budget: String(budget) } : entry;
    });
    await state.putDataset({ name: "buses", budget, created, usersKeyCheck: null });
  });
  expect(found).toEqual(problems);
});

test("a refund lowers what a user has lost", async () => {
  // ann lost 0.2 by January, 0.1 by half of March: with February and the other half never refunded it would be 0.4.
  const problems = await problemsAfter((state) => forge(state, inLine(6, { reservations: [] })));
  expect(problems).toContain("dataset 'buses': 2 balances do not follow from the journal");
  expect(problems).toContain("release 'feb': refund: true found, false by the journal");
});

test("charges that are gone are noticed", async () => {
  const problems = await problemsAfter((state) => state.putCharges(12, 0, "[]"));
  expect(problems).toEqual([
    "journal line 12: its charges are not those that were recorded",
    "dataset 'buses': 1 balances do not follow from the journal",
  ]);
});

test("every page of balances and of texts is looked at", async () => {
  const store = new MemoryStore();
  const ledger = new Ledger(store, { clock });
  await ledger.init({ dataset: "buses", budget: Rational.ONE, occupancyIsPublic: true });
  const parts = Array.from({ length: 401 }, (_, index) => `part ${index}`);
  const users = Array.from({ length: 10_001 }, (_, index) => [`user ${index}`, 1n] as const);
  const request = { ...release("jan", parts, {}), chargesOf: () => users };
  await ledger.reserve({ ...request, parts: ["before"], chargesOf: () => users.slice(0, 1) });
  await ledger.reserve(request);
  await ledger.commit({ ...request, parts: parts.map((part) => [part, `text of ${part}`] as const) });
  expect(await ledger.verify()).toMatchObject({ problems: [], counts: { users: 10_001, parts: 402 } });
  await store.transact(async (state) => {
    await state.putBalances("buses", new Map(["user 0", "user 5000", "user 10000"].map((user) => [user, 3n])));
    for (const part of ["part 0", "part 199", "part 200", "part 400"])
      await state.putPart(await partOf(state, "jan", part), "another text");
  });
  expect((await ledger.verify()).problems).toEqual([
    "dataset 'buses': 3 balances do not follow from the journal",
    ...[0, 199, 200, 400].map(
      (part) => `release 'jan', part 'part ${part}': its text is not the one that was committed`,
    ),
  ]);
});
