/** What a ledger does, held for every store alike: each suite gives a way to open a new one. */
import { expect, test } from "vitest";
import { parseDecimal } from "../../src/core/arithmetic/index.ts";
import type { Ledger, LedgerOptions } from "../../src/publish/ledger/index.ts";

const ONE = 10n ** 18n;

/** Every part costs every one of these users its own tenths. */
function release(key: string, parts: string[], tenths: Record<string, number>) {
  return {
    dataset: "buses",
    key,
    planHash: `hash of ${key}`,
    header: `header of ${key}`,
    parts,
    chargesOf: (asked: readonly string[]) =>
      Object.entries(tenths).map(([user, each]): [string, bigint] => [user, (BigInt(each * asked.length) * ONE) / 10n]),
  };
}

const texts = (parts: readonly string[], suffix = "") =>
  parts.map((part): [string, string] => [part, `text of ${part}${suffix}`]);

/** To be called inside a `describe`; `open` makes a new, empty ledger each time. */
export function ledgerConformance(open: (options: LedgerOptions) => Promise<Ledger>): void {
  const clock = (): Date => new Date("2026-01-02T03:04:05Z");

  async function buses(options?: LedgerOptions, hashUsers = false): Promise<Ledger> {
    const ledger = await open({ clock, ...options });
    await ledger.init({ dataset: "buses", budget: parseDecimal("1"), occupancyIsPublic: true, hashUsers });
    return ledger;
  }

  test("a dataset needs a budget, a name of its own and public occupancy", async () => {
    const ledger = await buses();
    const request = { dataset: "trams", budget: parseDecimal("1"), occupancyIsPublic: true };
    await expect(ledger.init({ ...request, occupancyIsPublic: false })).rejects.toThrow(
      "who was where how often is published and not protected; add --occupancy-is-public if that is acceptable",
    );
    await expect(ledger.init({ ...request, budget: parseDecimal("0") })).rejects.toMatchObject({
      code: "PARAMETER_INVALID",
    });
    await expect(ledger.init({ ...request, budget: parseDecimal("1e-19") })).rejects.toThrow("18 decimal places");
    await expect(ledger.init({ ...request, dataset: "buses" })).rejects.toMatchObject({ code: "LEDGER_CONFLICT" });
    await expect(ledger.reserve({ ...release("k", ["g"], {}), dataset: "x" })).rejects.toMatchObject({
      code: "LEDGER_NOT_FOUND",
    });
  });

  test("reserve, commit, replay: charged once, one text for ever", async () => {
    const ledger = await buses();
    const request = release("jan", ["a", "b"], { ann: 2, bob: 1 });
    expect(await ledger.reserve(request)).toMatchObject({ charged: ["a", "b"], toCompute: ["a", "b"], resumed: false });
    expect(await ledger.reserve(request)).toMatchObject({ charged: [], toCompute: ["a", "b"], resumed: true });
    expect((await ledger.commit({ ...request, parts: texts(["a"]) })).texts).toEqual(new Map(texts(["a"])));
    const again = await ledger.commit({ ...request, parts: texts(["a", "b"], " again") });
    expect(again.texts).toEqual(new Map([...texts(["a"]), ...texts(["b"], " again")]));
    const more = await ledger.reserve({ ...request, header: "another", parts: ["c", "a"] });
    expect(more).toMatchObject({ header: "header of jan", charged: ["c"], toCompute: ["c"], resumed: false });
    expect(more.committed).toEqual(new Map(texts(["a"])));
    expect(await ledger.committed({ ...request, parts: ["a", "c"] })).toMatchObject({ texts: new Map(texts(["a"])) });
    const [standing] = await ledger.show();
    expect(standing).toMatchObject({ users: 2, moreLikeLast: 0n });
    expect([standing!.loss, standing!.left, standing!.releases[0]!.loss].map(String)).toEqual(["0.6", "0.4", "0.6"]);
    expect(standing!.heaviest.map(({ user, loss }) => `${user} ${loss}`)).toEqual(["ann 0.6", "bob 0.3"]);
    const filled = standing!.distribution.filter(({ users }) => users > 0);
    expect(filled.map(({ from, to, users }) => `${from} ${to} ${users}`)).toEqual(["0.25 0.3 1", "0.55 0.6 1"]);
    expect(standing!.releases[0]).toMatchObject({ state: "pending", committed: 2, pending: ["c"] });
    expect(standing!.trail.map(({ kind }) => kind)).toEqual(["init", "reserve", "commit", "commit", "reserve"]);
    expect(await ledger.verify()).toMatchObject({
      consistent: true,
      problems: [],
      counts: { parts: 3, users: 2, lines: 5 },
    });
  });

  test("a key belongs to one plan and is one line of text", async () => {
    const ledger = await buses();
    const request = release("jan", ["a"], { ann: 1 });
    await ledger.reserve(request);
    const other = { ...request, planHash: "other" };
    await expect(ledger.reserve(other)).rejects.toMatchObject({ code: "KEY_CONFLICT" });
    await expect(ledger.price(other)).rejects.toMatchObject({ code: "KEY_CONFLICT" });
    await expect(ledger.commit({ ...other, parts: [] })).rejects.toMatchObject({ code: "KEY_CONFLICT" });
    for (const key of ["", "a\nb", "x".repeat(201)])
      await expect(ledger.reserve({ ...request, key })).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
    await expect(ledger.reserve({ ...request, parts: ["a", "a"] })).rejects.toMatchObject({
      code: "PARAMETER_INVALID",
    });
  });

  test("a budget is never exceeded, to the last unit, and the refusal says what would fit", async () => {
    const ledger = await buses();
    await ledger.reserve(release("jan", ["a"], { ann: 5, bob: 3 }));
    const request = release("feb", ["a"], { bob: 1, ann: 6, eve: 9 });
    const price = await ledger.price(request);
    const refused = await ledger.reserve(request).catch((error) => error);
    expect(refused).toMatchObject({ code: "BUDGET_EXCEEDED", message: price.refusal });
    expect(refused.message).toBe(
      "the release needs a loss of 0.6; of the budget 1 of dataset 'buses', the user with the least room has 0.5 left; " +
        "a plan with ε multiplied by at most 0.833 fits (with --loss, try the same), or raise the budget with veilgrid ledger raise",
    );
    expect([price.loss, price.lossAfter, price.budget].map(String)).toEqual(["0.9", "1.1", "1"]);
    const [standing] = await ledger.show();
    expect(standing).toMatchObject({ users: 2, releases: [{ key: "jan" }] });
    const toTheUnit = (units: bigint) => ({ ...release("mar", ["a"], {}), chargesOf: () => [["ann", units]] as const });
    await expect(ledger.reserve(toTheUnit(ONE / 2n + 1n))).rejects.toMatchObject({ code: "BUDGET_EXCEEDED" });
    await ledger.reserve(toTheUnit(ONE / 2n));
    await expect(ledger.reserve(release("apr", ["a"], { ann: 1 }))).rejects.toThrow("its budget is spent");
    await expect(ledger.checkAffordable("buses", parseDecimal("2"))).rejects.toThrow("at most 0.5 fits");
    await ledger.checkAffordable("buses", parseDecimal("1"));
    expect((await ledger.verify()).problems).toEqual([]);
  });

  test("losses beyond 64 bits stay exact; raising only goes up", async () => {
    const ledger = await buses();
    const raise = (budget: string) =>
      ledger.raise({ dataset: "buses", budget: parseDecimal(budget), reason: "a test" });
    await expect(raise("1")).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
    await raise("100000");
    const units = 99_999n * ONE + 1n;
    await ledger.reserve({ ...release("big", ["a"], {}), chargesOf: () => [["ann", units]] });
    const [standing] = await ledger.show({ dataset: "buses" });
    expect(String(standing!.left)).toBe("0.999999999999999999");
    expect(standing!.trail.at(-2)!.what).toBe("budget raised to 100000: a test");
  });

  test("void refunds what was never disclosed, and only that", async () => {
    const ledger = await buses();
    const request = release("jan", ["a", "b"], { ann: 2, bob: 1 });
    await ledger.reserve(request);
    expect(await ledger.void(request)).toEqual({ parts: ["a", "b"], kept: [] });
    await expect(ledger.void(request)).rejects.toThrow("nothing is pending");
    await expect(ledger.commit({ ...request, parts: texts(["a"]) })).rejects.toMatchObject({
      code: "RESERVATION_VOID",
    });
    expect(await ledger.show()).toMatchObject([{ users: 0, moreLikeLast: null, releases: [{ state: "void" }] }]);
    expect(await ledger.reserve(request)).toMatchObject({ charged: ["a", "b"], resumed: false });
    await ledger.commit({ ...request, parts: texts(["a"]) });
    await expect(ledger.void(request)).rejects.toThrow("paid for; finish them with veilgrid ledger resume");
    const apart = { ...release("feb", ["a", "b"], { ann: 1 }), separately: true };
    await ledger.reserve(apart);
    await ledger.commit({ ...apart, parts: texts(["a"]) });
    expect(await ledger.void(apart)).toEqual({ parts: ["b"], kept: [] });
    expect(String((await ledger.show())[0]!.loss)).toBe("0.5");
    const tooMuch = { ...release("mar", ["a", "b"], { ann: 4 }), separately: true };
    await expect(ledger.reserve(tooMuch)).rejects.toThrow("needs a loss of 0.8; of the budget 1 of dataset 'buses'");
    expect((await ledger.verify()).problems).toEqual([]);
  });

  test("how many more releases fit is exact", async () => {
    const ledger = await buses();
    await ledger.reserve(release("jan", ["a"], { ann: 1, bob: 3 }));
    expect((await ledger.show())[0]!.moreLikeLast).toBe(2n);
    await ledger.reserve(release("feb", ["a"], { ann: 2 }));
    expect((await ledger.show())[0]!.moreLikeLast).toBe(3n);
    await ledger.reserve({ ...release("feb", ["a", "b"], { bob: 2 }) });
    expect((await ledger.show())[0]!.moreLikeLast).toBe(2n);
  });

  test("users as keyed hashes: no id is kept, a wrong key is refused, overlaps are told", async () => {
    const usersKey = "a secret of the curator";
    const ledger = await buses({ usersKey }, true);
    await ledger.init({ dataset: "trams", budget: parseDecimal("1"), occupancyIsPublic: true });
    await ledger.reserve(release("jan", ["a"], { ann: 1, bob: 1 }));
    await ledger.reserve({ ...release("jan", ["a"], { ann: 1 }), dataset: "trams" });
    expect((await ledger.show())[0]).toMatchObject({ usersAreHashed: true, users: 2, heaviest: [] });
    const users = ["ann", "bob", "eve"];
    expect(await ledger.overlap({ dataset: "trams", users })).toEqual({
      shared: [{ dataset: "buses", users: 2 }],
      incomparable: [],
    });
    expect(await ledger.overlap({ dataset: "new", users: ["ann"] })).toMatchObject({
      shared: [
        { dataset: "buses", users: 1 },
        { dataset: "trams", users: 1 },
      ],
    });
    await expect(buses({ usersKey: "short" }, true)).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
    await expect(buses({}, true)).rejects.toMatchObject({ code: "USAGE" });
  });

  test("ids of any length are told apart to the last character", async () => {
    const ledger = await buses();
    const long = ["x".repeat(5_000), `${"x".repeat(4_999)}y`, "\0".repeat(3_000), "€".repeat(900), "x".repeat(1_200)];
    await ledger.reserve({ ...release("long", long, {}), chargesOf: () => long.map((user) => [user, 1n] as const) });
    await ledger.commit({
      ...release("long", long, {}),
      parts: long.map((part, index) => [part, `${index}`] as const),
    });
    const { texts: found } = (await ledger.committed({ dataset: "buses", key: "long", parts: long.toReversed() }))!;
    expect(long.map((part) => found.get(part))).toEqual(["0", "1", "2", "3", "4"]);
    const [standing] = await ledger.show();
    expect(standing!.heaviest.map(({ user }) => user).sort()).toEqual(long.toSorted());
    expect((await ledger.verify()).problems).toEqual([]);
  });

  test("ids that differ in a NUL, a quote or half a character are different users and parts", async () => {
    const ledger = await buses();
    const odd = ["a", "a\0", "a\0b", 'a"', "a\\", "\ud800", "\ud801", "ä", "a\u0308", "__proto__", "\\u0000"];
    await ledger.reserve({ ...release("odd", odd, {}), chargesOf: () => odd.map((user) => [user, 1n] as const) });
    await ledger.commit({ ...release("odd", odd, {}), parts: odd.map((part, index) => [part, `${index}`] as const) });
    const { texts: found } = (await ledger.committed({ dataset: "buses", key: "odd" }))!;
    expect([...found]).toEqual(odd.map((part, index) => [part, `${index}`]));
    expect((await ledger.show())[0]!.users).toBe(odd.length);
    expect((await ledger.verify()).problems).toEqual([]);
  });
}
