/** Random lives of a ledger, with crashes at every write and several writers, against an auditor that only believes what succeeded. */
import { expect } from "vitest";
import { Rational } from "../../src/core/arithmetic/index.ts";
import { Ledger, type LedgerState, type LedgerStore } from "../../src/publish/ledger/index.ts";
import { SeededRandom } from "./random.ts";

const USERS = ["ann", "bob", "eve", "joe"];
const PARTS = ["a", "b", "c", "d"];
const KEYS = ["k0", "k1", "k2", "k3", "k4", "k5"];

class Crash extends Error {}

/** Fails at a chosen write of a transaction, after its last, or once it is on disk but before the caller hears of it. */
export class CrashingStore implements LedgerStore {
  readonly #store: LedgerStore;
  /** Writes to survive; undefined for no crash. */
  crashAfter: number | undefined;
  crashAfterCommit = false;

  constructor(store: LedgerStore) {
    this.#store = store;
  }

  async transact<Result>(work: (state: LedgerState) => Promise<Result>, mode?: "write" | "read"): Promise<Result> {
    const result = await this.#store.transact(async (state) => {
      let left = this.crashAfter ?? Number.POSITIVE_INFINITY;
      const guarded = new Proxy(state, {
        get: (target, name) => {
          const method = Reflect.get(target, name) as (...values: unknown[]) => Promise<unknown>;
          return async (...values: unknown[]) => {
            const isWrite = /^(put|append)/.test(String(name));
            if (isWrite && left-- <= 0) throw new Crash();
            return method.apply(target, values);
          };
        },
      });
      const done = await work(guarded);
      if (this.crashAfter !== undefined) throw new Crash();
      return done;
    }, mode);
    if (this.crashAfterCommit && mode !== "read") throw new Crash();
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
  }
}

/** What must be true, told from outside: the price of a part is known to both, the rest follows from what succeeded. */
class Auditor {
  budget: bigint;
  readonly paid = new Map<string, { lot: number; state: "reserved" | "committed" }>();
  readonly texts = new Map<string, string>();
  #lots = 0;

  constructor(budget: bigint) {
    this.budget = budget;
  }

  reserve(key: string, parts: readonly string[], separately: boolean): readonly string[] {
    const fresh = parts.filter((part) => !this.paid.has(`${key}/${part}`));
    if (!separately) this.#lots += 1;
    for (const part of fresh) {
      if (separately) this.#lots += 1;
      this.paid.set(`${key}/${part}`, { lot: this.#lots, state: "reserved" });
    }
    return fresh;
  }

  void(key: string): void {
    const own = [...this.paid].filter(([name]) => name.startsWith(`${key}/`));
    const kept = new Set(own.filter(([, { state }]) => state === "committed").map(([, { lot }]) => lot));
    for (const [name, { lot }] of own) if (!kept.has(lot)) this.paid.delete(name);
  }

  commit(key: string, texts: ReadonlyMap<string, string>): void {
    for (const [part, text] of texts) {
      const name = `${key}/${part}`;
      expect(this.texts.get(name) ?? text, "never two texts for one part").toBe(text);
      this.texts.set(name, text);
      expect(this.paid.has(name), "nothing is committed that is not paid for").toBe(true);
      this.paid.set(name, { ...this.paid.get(name)!, state: "committed" });
    }
  }

  balance(user: string): bigint {
    let total = 0n;
    for (const name of this.paid.keys()) total += priceOf(user, name.split("/")[0]!, name.split("/")[1]!);
    return total;
  }
}

/** Awkward amounts, 0 for some. */
function priceOf(user: string, key: string, part: string): bigint {
  const mixed = (USERS.indexOf(user) * 7 + KEYS.indexOf(key) * 5 + PARTS.indexOf(part) * 3) % 11;
  return BigInt(mixed) * 10n ** 17n + (mixed === 0 ? 0n : 1n);
}

/** Every store is a writer of the same ledger. */
export async function live(
  seed: number,
  stores: readonly CrashingStore[],
  steps: number,
): Promise<{ crashes: number; refusals: number }> {
  const random = new SeededRandom(seed);
  const ledgers = stores.map((store) => new Ledger(store, { clock: () => new Date(seed * 1000) }));
  const auditor = new Auditor(3n * 10n ** 18n);
  const dataset = "d";
  const rational = (units: bigint) => Rational.of(units, 10n ** 18n);
  await ledgers[0]!.init({ dataset, budget: rational(auditor.budget), occupancyIsPublic: true });
  let crashes = 0;
  let refusals = 0;
  for (let step = 0; step < steps; step++) {
    const turn = random.below(ledgers.length);
    const ledger = ledgers[turn]!;
    const store = stores[turn]!;
    const key = KEYS[random.below(KEYS.length)]!;
    const name = { dataset, key, planHash: `plan of ${key}` };
    const parts = PARTS.filter(() => random.below(2) === 0);
    if (parts.length === 0) parts.push("a");
    const separately = random.below(2) === 0;
    const chargesOf = (asked: readonly string[]) =>
      USERS.map((user) => [user, asked.reduce((sum, part) => sum + priceOf(user, key, part), 0n)] as const);
    const raised = auditor.budget + BigInt(random.below(5)) * 10n ** 17n;
    const kind = random.below(10);
    const act = async (): Promise<() => void> => {
      if (kind < 4) {
        const { charged } = await ledger.reserve({ ...name, header: "h", parts, chargesOf, separately });
        return () => expect(charged).toEqual(auditor.reserve(key, parts, separately));
      }
      if (kind < 7) {
        const { texts } = await ledger.commit({
          ...name,
          parts: parts.map((part) => [part, `${part} at ${step}`] as const),
        });
        return () => auditor.commit(key, texts);
      }
      if (kind < 9) return ledger.void(name).then(() => () => auditor.void(key));
      await ledger.raise({ dataset, budget: rational(raised), reason: "more" });
      return () => {
        auditor.budget = raised;
      };
    };
    const fate = random.below(4);
    store.crashAfter = fate === 0 ? random.below(12) : undefined;
    store.crashAfterCommit = fate === 1;
    const told = await act().catch((error: unknown) => error);
    store.crashAfter = undefined;
    store.crashAfterCommit = false;
    if (typeof told === "function") told();
    else if (told instanceof Crash) {
      crashes += 1;
      // Whoever crashed does not know whether it was done; what it did is what the journal gained.
      if (fate === 1) await learn();
    } else {
      expect(told).toMatchObject({ code: expect.stringMatching(/BUDGET|RESERVATION|CONFLICT|NOT_FOUND|PARAMETER/) });
      refusals += 1;
    }
    async function learn(): Promise<void> {
      if (kind < 4) auditor.reserve(key, parts, separately);
      else if (kind < 7) {
        const { texts } = (await ledger.committed({ ...name, parts }))!;
        auditor.commit(key, texts);
      } else if (kind < 9) auditor.void(key);
      else auditor.budget = raised;
    }
    const [standing] = await ledgers[random.below(ledgers.length)]!.show();
    const balances = USERS.map((user) => auditor.balance(user));
    const largest = balances.reduce((most, each) => (each > most ? each : most), 0n);
    expect(largest <= auditor.budget, "never overspent").toBe(true);
    expect(String(standing!.loss)).toBe(String(rational(largest)));
    expect(String(standing!.budget)).toBe(String(rational(auditor.budget)));
    for (const { user, loss } of standing!.heaviest) expect(String(loss)).toBe(String(rational(auditor.balance(user))));
    expect(standing!.releases.reduce((sum, each) => sum + each.committed, 0)).toBe(auditor.texts.size);
    if (step % 20 === 19) expect((await ledger.verify()).problems).toEqual([]);
  }
  for (const key of KEYS) {
    const found = await ledgers[0]!.committed({ dataset, key });
    for (const [part, text] of found?.texts ?? []) expect(auditor.texts.get(`${key}/${part}`)).toBe(text);
  }
  return { crashes, refusals };
}
