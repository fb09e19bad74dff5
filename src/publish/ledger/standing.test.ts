/** Where a dataset stands, told again from what was done to it. */
import { expect, test } from "vitest";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { Ledger } from "./ledger.ts";
import { MemoryStore } from "./memory-store.ts";
import type { Standing } from "./standing.ts";
import type { LedgerStore } from "./store.ts";

const TENTH = 10n ** 17n;
const START = Date.UTC(2026, 0, 1);

/** A ledger whose clock goes on by a second at every change. */
async function ledgerOf(...datasets: string[]): Promise<Ledger> {
  let seconds = 0;
  const ledger = new Ledger(new MemoryStore(), { clock: () => new Date(START + 1_000 * seconds++) });
  for (const dataset of datasets) await ledger.init({ dataset, budget: Rational.ONE, occupancyIsPublic: true });
  return ledger;
}

/** Every part costs these users their own tenths. */
function release(key: string, parts: string[], tenths: Record<string, number>, dataset = "buses") {
  return {
    dataset,
    key,
    planHash: `plan of ${key}`,
    header: "",
    parts,
    chargesOf: (asked: readonly string[]) =>
      Object.entries(tenths).map(([user, each]): [string, bigint] => [user, BigInt(each * asked.length) * TENTH]),
  };
}

const standingOf = async (ledger: Ledger): Promise<Standing> => (await ledger.show({ dataset: "buses" }))[0]!;

test("nothing was done yet", async () => {
  const standing = await standingOf(await ledgerOf("buses"));
  expect(standing).toMatchObject({
    dataset: "buses",
    created: "2026-01-01T00:00:00.000Z",
    users: 0,
    usersAreHashed: false,
    heaviest: [],
    releases: [],
    moreLikeLast: null,
  });
  expect([standing.budget, standing.loss, standing.left].map(String)).toEqual(["1", "0", "1"]);
});

test("the ten heaviest users, by loss and then by id", async () => {
  const ledger = await ledgerOf("buses");
  const tenths = { l: 1, b: 3, a: 3, k: 1, c: 2, j: 1, d: 1, i: 1, e: 1, h: 1, f: 1, g: 9, z: 0 };
  await ledger.reserve(release("jan", ["x"], tenths));
  const standing = await standingOf(ledger);
  expect(standing.users).toBe(12);
  expect(standing.heaviest.map(({ user, loss }) => `${user} ${loss}`)).toEqual([
    "g 0.9",
    "a 0.3",
    "b 0.3",
    "c 0.2",
    "d 0.1",
    "e 0.1",
    "f 0.1",
    "h 0.1",
    "i 0.1",
    "j 0.1",
  ]);
});

test("users beyond a page are counted, and the heaviest of any page is found", async () => {
  const ledger = await ledgerOf("buses");
  const users = Array.from({ length: 10_001 }, (_, index) => `user ${index}`);
  const chargesOf = () => users.map((user, index) => [user, BigInt(index === 7_000 ? 5 : 1 + (index % 2))] as const);
  await ledger.reserve({ ...release("jan", ["x"], {}), chargesOf });
  const standing = await standingOf(ledger);
  expect(standing.users).toBe(10_001);
  expect(standing.heaviest[0]!.user).toBe("user 7000");
  expect(standing.loss.equals(Rational.of(5n, 10n ** 18n))).toBe(true);
  expect(standing.distribution.map(({ users: many }) => many)).toEqual([10_001, ...new Array(19).fill(0)]);
});

test("a release is pending, committed or void, costs its dearest user, and says what it waits for", async () => {
  const ledger = await ledgerOf("buses", "trams");
  const commit = (key: string, parts: string[]) =>
    ledger.commit({ dataset: "buses", key, planHash: `plan of ${key}`, parts: parts.map((part) => [part, part]) });
  await ledger.reserve(release("jan", ["a", "b"], { ann: 1 }));
  await commit("jan", ["a", "b"]);
  await ledger.reserve({ ...release("feb", ["a", "b", "c"], { ann: 1, bob: 2 }), separately: true });
  await commit("feb", ["b"]);
  await ledger.reserve(release("mar", ["a"], { ann: 1 }));
  await ledger.void({ dataset: "buses", key: "mar" });
  await ledger.reserve(release("may", ["a"], { joe: 1 }));
  await ledger.void({ dataset: "buses", key: "may" });
  await ledger.reserve(release("apr", ["a"], {}));
  await ledger.reserve(release("jan", ["a"], { eve: 7 }, "trams"));
  const { releases, loss, left, users, heaviest, distribution } = await standingOf(ledger);
  // joe got all of it back.
  expect([users, heaviest.map(({ user }) => user)]).toEqual([2, ["bob", "ann"]]);
  expect(distribution.reduce((sum, each) => sum + each.users, 0)).toBe(2);
  expect(releases.filter(({ key }) => key !== "may").map((each) => ({ ...each, loss: String(each.loss) }))).toEqual([
    {
      key: "jan",
      planHash: "plan of jan",
      created: "2026-01-01T00:00:02.000Z",
      state: "committed",
      loss: "0.2",
      committed: 2,
      pending: [],
    },
    {
      key: "feb",
      planHash: "plan of feb",
      created: "2026-01-01T00:00:04.000Z",
      state: "pending",
      loss: "0.6",
      committed: 1,
      pending: ["a", "c"],
    },
    {
      key: "mar",
      planHash: "plan of mar",
      created: "2026-01-01T00:00:06.000Z",
      state: "void",
      loss: "0",
      committed: 0,
      pending: [],
    },
    {
      key: "apr",
      planHash: "plan of apr",
      created: "2026-01-01T00:00:10.000Z",
      state: "pending",
      loss: "0",
      committed: 0,
      pending: ["a"],
    },
  ]);
  expect([loss, left].map(String)).toEqual(["0.6", "0.4"]);
  // Given up in part: what stays is committed, and only that is paid for.
  await ledger.void({ dataset: "buses", key: "feb" });
  const [, feb] = (await standingOf(ledger)).releases;
  expect(feb).toMatchObject({ state: "committed", committed: 1, pending: [] });
  expect(String(feb!.loss)).toBe("0.2");
});

test("the price of a release that was paid for in pieces is the sum of them, user by user", async () => {
  const ledger = await ledgerOf("buses");
  await ledger.reserve(release("jan", ["a"], { ann: 3, bob: 1, eve: 2 }));
  await ledger.reserve(release("jan", ["b"], { bob: 3, eve: 2 }));
  const { releases, moreLikeLast } = await standingOf(ledger);
  expect(String(releases[0]!.loss)).toBe("0.4");
  // ann: 7 left of 3 each; bob and eve: 6 left of 4 each.
  expect(moreLikeLast).toBe(1n);
});

test("how many more fit is told of the release that was paid for last, not of the one made last", async () => {
  const ledger = await ledgerOf("buses");
  const more = async (): Promise<bigint | null> => (await standingOf(ledger)).moreLikeLast;
  await ledger.reserve(release("jan", ["a"], { ann: 1 }));
  expect(await more()).toBe(9n);
  await ledger.reserve(release("feb", ["a"], { ann: 2, bob: 3 }));
  expect(await more()).toBe(2n);
  await ledger.reserve(release("jan", ["b"], { ann: 1 }));
  // ann has 6 tenths left and pays 2 for all of January.
  expect(await more()).toBe(3n);
  await ledger.void({ dataset: "buses", key: "jan" });
  expect(await more()).toBe(2n);
  await ledger.void({ dataset: "buses", key: "feb" });
  expect(await more()).toBeNull();
});

test("the least of many users decides how many more fit, in whichever chunk it is", async () => {
  const ledger = await ledgerOf("buses");
  const chargesOf = () =>
    Array.from({ length: 5_000 }, (_, user) => [`user ${user}`, user === 100 ? 2n * TENTH : TENTH] as const);
  await ledger.reserve({ ...release("jan", ["a"], {}), chargesOf });
  expect((await standingOf(ledger)).moreLikeLast).toBe(4n);
});

test("what users were charged is read once, a chunk at a time, and only of the last release", async () => {
  const store = new MemoryStore();
  const chunks: number[] = [];
  const looks: number[] = [];
  const watched: LedgerStore = {
    transact: (work) =>
      store.transact((state) =>
        work(
          new Proxy(state, {
            get: (target, name) => {
              const method = Reflect.get(target, name) as (...given: unknown[]) => unknown;
              return (...given: unknown[]) => {
                if (name === "charges") chunks.push(given[0] as number);
                if (name === "balances") looks.push((given[1] as string[]).length);
                return method.apply(target, given);
              };
            },
          }),
        ),
      ),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
  const ledger = new Ledger(watched);
  await ledger.init({ dataset: "buses", budget: Rational.ONE, occupancyIsPublic: true });
  const chargesOf = () => Array.from({ length: 4_001 }, (_, user) => [`user ${user}`, TENTH] as const);
  for (const key of ["jan", "feb", "mar"]) await ledger.reserve({ ...release(key, ["a"], {}), chargesOf });
  chunks.length = 0;
  looks.length = 0;
  expect((await standingOf(ledger)).releases.map(({ loss }) => String(loss))).toEqual(["0.1", "0.1", "0.1"]);
  expect(chunks).toEqual([4, 4, 4]);
  expect(looks).toEqual([2_000, 2_000, 1]);
});

test("the trail says what happened when, in words, to this dataset only", async () => {
  const ledger = await ledgerOf("trams", "buses");
  await ledger.reserve(release("jan", ["a"], { eve: 1 }, "trams"));
  await ledger.reserve({ ...release("jan", ["a", "b"], { ann: 1, bob: 2 }), separately: true });
  await ledger.commit({ dataset: "buses", key: "jan", planHash: "plan of jan", parts: [["a", "text"]] });
  await ledger.void({ dataset: "buses", key: "jan" });
  await ledger.raise({ dataset: "buses", budget: parseDecimal("1.5"), reason: "a new year" });
  const { trail } = await standingOf(ledger);
  expect(trail.map(({ time, kind, what }) => `${time.slice(17, 19)} ${kind}: ${what}`)).toEqual([
    "01 init: made with budget 1",
    "03 reserve: 'jan': 1 reserved, 2 users charged up to 0.2",
    "03 reserve: 'jan': 1 reserved, 2 users charged up to 0.2",
    "04 commit: 'jan': 1 committed",
    "05 void: 'jan': 1 given up and refunded",
    "06 raise: budget raised to 1.5: a new year",
  ]);
});

test("users that are kept as hashes are counted but not named", async () => {
  const ledger = new Ledger(new MemoryStore(), { usersKey: "a secret of the curator" });
  await ledger.init({ dataset: "buses", budget: Rational.ONE, occupancyIsPublic: true, hashUsers: true });
  await ledger.reserve(release("jan", ["a"], { ann: 3, bob: 1 }));
  const standing = await standingOf(ledger);
  expect(standing).toMatchObject({ users: 2, usersAreHashed: true, heaviest: [] });
  expect(String(standing.loss)).toBe("0.3");
});
