/** Charges by the definition: every user the sum of what it is charged, or nobody anything. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { appraise, charge, chargeChunks, refund, shortageText } from "./charges.ts";
import { MemoryStore } from "./memory-store.ts";
import type { DatasetRow, LedgerState, ReservationRow } from "./store.ts";
import { DamagedRow } from "./store-failures.ts";

const dataset: DatasetRow = { name: "buses", budget: 100n, created: "", usersKeyCheck: null };
const RESERVATION = 7;

function inLedger<Result>(work: (state: LedgerState) => Promise<Result>): Promise<Result> {
  return new MemoryStore().transact(work);
}

/** `users` charges of 1, 2, 3, 1, 2, 3, … */
function* many(users: number): Generator<[string, bigint]> {
  for (let user = 0; user < users; user++) yield [`user ${user}`, BigInt((user % 3) + 1)];
}

type Charged = Awaited<ReturnType<typeof charge>>;

async function textsOf(state: LedgerState, { chunks }: Charged): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of chargeChunks(state, { id: RESERVATION, chunks })) texts.push(text);
  return texts;
}

const reservationOf = ({ chunks, users, largest }: Charged): ReservationRow => ({
  id: RESERVATION,
  dataset: "buses",
  key: "jan",
  chunks,
  users,
  largest,
  refunded: false,
});

test.each([
  [0, 0],
  [1, 1],
  [1_999, 1],
  [2_000, 1],
  [2_001, 2],
  [4_000, 2],
])("%i users are written in %i chunks, whose hash is that of their texts one after another", (users, chunks) =>
  inLedger(async (state) => {
    const charged = await charge(state, { dataset, reservation: RESERVATION, charges: many(users) });
    expect(charged).toMatchObject({ users, chunks, largest: BigInt(Math.min(users, 3)) });
    const texts = await textsOf(state, charged);
    const written = texts.flatMap((text) => JSON.parse(text) as unknown[]);
    expect(written).toEqual([...many(users)].map(([user, units]) => [user, String(units)]));
    expect(charged.chargesSha256).toBe(createHash("sha256").update(texts.join("")).digest("hex"));
  }));

test("a user who is named twice is charged the sum, within a chunk and across; a charge of 0 is none", () =>
  inLedger(async (state) => {
    function* charges(): Generator<[string, bigint]> {
      yield ["ann", 1n];
      yield ["bob", 0n];
      yield ["ann", 2n];
      yield* many(2_000);
      yield ["ann", 4n];
    }
    const charged = await charge(state, { dataset, reservation: RESERVATION, charges: charges() });
    expect(await state.balances("buses", ["ann", "bob", "user 1999"])).toEqual([7n, 0n, 2n]);
    const texts = await textsOf(state, charged);
    expect(texts[0]).toMatch(/^\[\["ann","3"\],/);
    expect(texts[1]).toBe('[["user 1999","2"],["ann","4"]]');
    expect(texts.join("")).not.toContain("bob");
    await refund(state, reservationOf(charged));
    expect(await state.balances("buses", ["ann", "user 1999"])).toEqual([0n, 0n]);
  }));

test("the worst fit is told: least left for what is needed, wherever it stands and whatever was charged before", () =>
  inLedger(async (state) => {
    await state.putBalances(
      "buses",
      new Map([
        ["half", 50n],
        ["poor", 90n],
        ["rich", 0n],
      ]),
    );
    // rich lacks a little, poor needs twice what it has, half somewhat more than it has.
    const charges: Array<[string, bigint]> = [
      ["rich", 110n],
      ["poor", 20n],
      ["half", 60n],
    ];
    for (const order of [charges, charges.toReversed(), [charges[1]!, charges[0]!, charges[2]!]])
      expect(await appraise(state, { dataset, charges: order })).toEqual({
        users: 3,
        largest: 110n,
        largestAfter: 110n,
        shortage: { needed: 20n, left: 10n },
      });
    const fitting = await appraise(state, {
      dataset,
      charges: [
        ["half", 50n],
        ["poor", 10n],
        ["rich", 99n],
      ],
    });
    expect(fitting).toEqual({ users: 3, largest: 99n, largestAfter: 100n, shortage: undefined });
  }));

test("of users who fit equally badly the first is told", () =>
  inLedger(async (state) => {
    await state.putBalances("buses", new Map([["half", 50n]]));
    const charges: Array<[string, bigint]> = [
      ["half", 100n],
      ["full", 200n],
    ];
    expect((await appraise(state, { dataset, charges })).shortage).toEqual({ needed: 100n, left: 50n });
  }));

test("a charge that does not fit is refused", () =>
  inLedger(async (state) => {
    const above = charge(state, { dataset, reservation: RESERVATION, charges: [["ann", 101n]] });
    await expect(above).rejects.toMatchObject({ code: "BUDGET_EXCEEDED" });
  }));

test("a chunk that is lost is damage, not a charge of nobody", () =>
  inLedger(async (state) => {
    await state.putCharges(RESERVATION, 0, '[["ann","3"]]');
    const chunks: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const { text, charges } of chargeChunks(state, { id: RESERVATION, chunks: 2 }))
        chunks.push([text, ...charges]);
    };
    await expect(read()).rejects.toThrow(DamagedRow);
    expect(chunks).toEqual([['[["ann","3"]]', ["ann", 3n]]]);
  }));

test("nothing is handed over from the chunk on in which somebody falls short", () =>
  inLedger(async (state) => {
    function* charges(): Generator<[string, bigint]> {
      yield* many(3_999);
      yield ["greedy", 101n];
      yield ["late", 5n];
    }
    const taken: Array<[number, bigint]> = [];
    const { users, largest, shortage } = await appraise(
      state,
      { dataset, charges: charges() },
      async (chunk, after) => {
        taken.push([chunk.size, after.get("user 1")!]);
      },
    );
    expect({ users, largest, shortage }).toEqual({
      users: 4_001,
      largest: 101n,
      shortage: { needed: 101n, left: 100n },
    });
    expect(taken).toEqual([[2_000, 2n]]);
  }));

test("a charge below 0 is a mistake of ours, a refund above what was charged is damage", () =>
  inLedger(async (state) => {
    const below = charge(state, { dataset, reservation: RESERVATION, charges: [["ann", -1n]] });
    await expect(below).rejects.toThrow("a charge is negative");
    const charged = await charge(state, {
      dataset,
      reservation: RESERVATION,
      charges: [
        ["ann", 3n],
        ["bob", 1n],
      ],
    });
    await state.putBalances("buses", new Map([["ann", 2n]]));
    await expect(refund(state, reservationOf(charged))).rejects.toThrow(DamagedRow);
  }));

test("whoever else has work gets a turn every twenty chunks", () =>
  inLedger(async (state) => {
    const turns: number[] = [];
    let chunk = 0;
    let waiting = true;
    const wait = (): void => {
      setImmediate(() => {
        turns.push(chunk);
        if (waiting) wait();
      });
    };
    wait();
    await appraise(state, { dataset, charges: many(100_000) }, async () => {
      chunk += 1;
    });
    waiting = false;
    expect(turns).toEqual([20, 40]);
  }));

test("a refusal says what is needed, what is left and what would fit", () => {
  expect(shortageText({ ...dataset, budget: 10n ** 18n }, { needed: 4n * 10n ** 17n, left: 3n * 10n ** 17n })).toBe(
    "the release needs a loss of 0.4; of the budget 1 of dataset 'buses', the user with the least room has 0.3 left; a plan with ε multiplied by at most 0.75 fits (with --loss, try the same), or raise the budget with veilgrid ledger raise",
  );
  // What the rounding of losses leaves over buys nothing either.
  for (const left of [0n, 986n, 399_999_999_999_999n])
    expect(shortageText({ ...dataset, budget: 10n ** 18n }, { needed: 4n * 10n ** 17n, left })).toMatch(
      / has 0[.0-9]* left; its budget is spent; raise the budget with veilgrid ledger raise$/,
    );
});

test("a refusal is for reading: costs are rounded up, what is left down, the budget is as it was written", () => {
  const [needed, left] = [999_999_999_671_038_142n, 428_571_428_571_428_571n];
  expect(shortageText({ ...dataset, budget: 1_428_571_428_571_428_571n }, { needed, left })).toBe(
    "the release needs a loss of 1; of the budget 1.428571428571428571 of dataset 'buses', the user with the least room has 0.428 left; a plan with ε multiplied by at most 0.428 fits (with --loss, try the same), or raise the budget with veilgrid ledger raise",
  );
});
