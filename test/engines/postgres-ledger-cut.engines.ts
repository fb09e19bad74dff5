/** Connections cut at every single message of every step: what the ledger says is what happened, and a repeated step changes nothing more. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseDecimal } from "../../src/core/arithmetic/index.ts";
import { type Ledger, openLedgerDatabase, type PostgresStore } from "../../src/publish/ledger/index.ts";
import { type Cut, CuttingProxy } from "./support/cutting-proxy.ts";
import { newAddress, openStore } from "./support/new-ledger.ts";
import { postgresAddress } from "./support/servers.ts";

const USERS = ["ann", "bob"];
let proxy: CuttingProxy;
/** Past the proxy: sees what really happened. */
let direct: Ledger;
let store: PostgresStore;
let address: string;
let names = 0;

beforeAll(async () => {
  proxy = await CuttingProxy.open(Number(new URL(postgresAddress()).port));
  address = newAddress();
  direct = await openLedgerDatabase(address, { create: true });
  store = await openStore(address);
  await direct.init({ dataset: "d", budget: parseDecimal("1000"), occupancyIsPublic: true });
});

afterAll(async () => {
  for (const each of [direct, store, proxy]) await each[Symbol.asyncDispose]();
});

function proxied(given: string): string {
  const url = new URL(given);
  url.port = String(proxy.port);
  return url.href;
}

const balances = () => store.transact((state) => state.balances("d", USERS), "read");

function release(key: string) {
  return {
    ...{ dataset: "d", key, planHash: "p", header: "h", parts: ["a", "b"], separately: true },
    chargesOf: (parts: readonly string[]) => USERS.map((user) => [user, BigInt(parts.length)] as const),
  };
}

const texts = (word: string) => ({ parts: ["a", "b"].map((part) => [part, `${word} ${part}`] as const) });

/** A step on a name of its own: what comes before it, the step, whether it has happened, and what it costs each user. */
interface Step {
  readonly before?: (name: string) => Promise<unknown>;
  readonly act: (ledger: Ledger, name: string, word: string) => Promise<unknown>;
  readonly isDone: (name: string) => Promise<boolean>;
  readonly cost: bigint;
  /** What a repetition is told where it cannot be done twice. */
  readonly again?: RegExp;
}

const steps: Record<string, Step> = {
  init: {
    act: (ledger, name) => ledger.init({ dataset: name, budget: parseDecimal("1"), occupancyIsPublic: true }),
    isDone: async (name) => (await direct.datasets()).some(({ dataset }) => dataset === name),
    cost: 0n,
    again: /has a dataset .* already/,
  },
  reserve: {
    act: (ledger, name) => ledger.reserve(release(name)),
    isDone: async (name) => (await direct.price(release(name))).parts.length === 0,
    cost: 2n,
  },
  commit: {
    before: (name) => direct.reserve(release(name)),
    act: (ledger, name, word) => ledger.commit({ ...release(name), ...texts(word) }),
    isDone: async (name) => (await direct.committed(release(name)))!.texts.size === 2,
    cost: 0n,
  },
  void: {
    before: (name) => direct.reserve(release(name)),
    act: (ledger, name) => ledger.void(release(name)),
    isDone: async (name) => (await direct.price(release(name))).parts.length === 2,
    cost: -2n,
    again: /nothing is pending/,
  },
  raise: {
    act: (ledger, name) =>
      ledger.raise({ dataset: "d", budget: parseDecimal(`${1_000 + Number(name)}`), reason: "a test" }),
    isDone: async (name) => String((await direct.datasets())[0]!.budget) === `${1_000 + Number(name)}`,
    cost: 0n,
    again: /is not above the budget/,
  },
};

async function messagesOf(work: () => Promise<unknown>): Promise<Readonly<Record<Cut["of"], number>>> {
  proxy.arm(undefined);
  await work();
  return proxy.seen;
}

for (const [kind, step] of Object.entries(steps))
  test(`${kind}, cut at every message`, async () => {
    await using ledger = await openLedgerDatabase(proxied(address));
    const prepared = async (): Promise<string> => {
      names += 1;
      await step.before?.(String(names));
      return String(names);
    };
    const first = await prepared();
    // Connections are kept for a while: one of them has been used before, as in a service.
    const whole = await messagesOf(() => step.act(ledger, first, "first"));
    expect(Math.min(whole.request, whole.answer)).toBeGreaterThan(5);
    const told = { done: 0, failed: 0 };
    for (const of of ["request", "answer"] as const)
      for (let message = 1; message <= whole[of]; message++) {
        const name = await prepared();
        const before = await balances();
        proxy.arm({ of, message });
        const said = await step.act(ledger, name, "first").then(
          () => "done",
          ({ code, message: words }) => `${code} ${words}`,
        );
        proxy.arm(undefined);
        const isDone = await step.isDone(name);
        const where = `${kind}, ${of} ${message}: ${said}`;
        if (said !== "done")
          expect(said, where).toMatch(
            /^LEDGER_UNAVAILABLE ledger '.*' lost its connection; nothing was changed; repeat$/,
          );
        expect(isDone, where).toBe(said === "done");
        told[isDone ? "done" : "failed"] += 1;
        const repeated = await step.act(ledger, name, "second").then(
          () => undefined,
          (error) => String(error.message),
        );
        if (isDone && step.again !== undefined) expect(repeated, where).toMatch(step.again);
        else expect(repeated, where).toBeUndefined();
        expect(await step.isDone(name), where).toBe(true);
        expect(await balances(), where).toEqual(before.map((units) => units + step.cost));
        if (kind === "commit") {
          const { texts: found } = (await ledger.committed(release(name)))!;
          expect([...found.values()], where).toEqual(texts(isDone ? "first" : "second").parts.map(([, text]) => text));
        }
      }
    // The cuts have hit both sides of the commit.
    expect(Math.min(told.done, told.failed)).toBeGreaterThan(0);
    expect((await direct.verify()).problems).toEqual([]);
  });

test("making the tables, cut at every other message", async () => {
  const make = async (place: string): Promise<void> => {
    await using ledger = await openLedgerDatabase(proxied(place), { create: true });
    expect(await ledger.datasets()).toEqual([]);
  };
  const whole = await messagesOf(() => make(newAddress()));
  for (const of of ["request", "answer"] as const)
    for (let message = 1; message <= whole[of]; message += 2) {
      const place = newAddress();
      proxy.arm({ of, message });
      await make(place).catch(({ code }) => expect(code).toBe("LEDGER_UNAVAILABLE"));
      proxy.arm(undefined);
      await make(place);
    }
});

test("an answer that never comes is told as such, and the same key again finds out", async () => {
  await using ledger = await openLedgerDatabase(proxied(address), { patienceMs: 300 });
  // A store's first transaction does a little more than the others.
  await ledger.reserve(release("very first"));
  const whole = await messagesOf(() => ledger.reserve(release("whole")));
  const before = await balances();
  proxy.staysClosed = true;
  // The last answers are those to the commit.
  proxy.arm({ of: "answer", message: whole.answer });
  await expect(ledger.reserve(release("doubt"))).rejects.toThrow(
    "lost its connection while it was committing, and could not be asked since whether it did; repeat with the same key: nothing is charged twice",
  );
  await expect(ledger.reserve(release("doubt"))).rejects.toMatchObject({ code: "LEDGER_UNAVAILABLE" });
  proxy.isClosed = false;
  proxy.staysClosed = false;
  expect(await ledger.reserve(release("doubt"))).toMatchObject({ charged: [], resumed: true });
  expect(await balances()).toEqual(before.map((units) => units + 2n));
});
