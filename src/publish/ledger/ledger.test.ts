/** The ledger's rules, each by an example: what is refused, what is charged, what is given out. The rest is in test/simulation. */
import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { Ledger } from "./ledger.ts";
import { MemoryStore } from "./memory-store.ts";
import type { ReserveRequest } from "./reserve.ts";
import type { LedgerState, LedgerStore } from "./store.ts";

const TENTH = 10n ** 17n;
const clock = (): Date => new Date("2026-01-02T03:04:05Z");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

let store: MemoryStore;
let ledger: Ledger;

beforeEach(async () => {
  store = new MemoryStore();
  ledger = new Ledger(store, { clock });
  await ledger.init({ dataset: "buses", budget: Rational.ONE, occupancyIsPublic: true });
});

/** Every part costs these users their own tenths. */
function release(key: string, parts: string[], tenths: Record<string, number>): ReserveRequest {
  return {
    dataset: "buses",
    key,
    planHash: `plan of ${key}`,
    header: `header of ${key}`,
    parts,
    chargesOf: (asked) =>
      Object.entries(tenths).map(([user, each]): [string, bigint] => [user, BigInt(each * asked.length) * TENTH]),
  };
}

const commit = (key: string, texts: Record<string, string>) =>
  ledger.commit({ dataset: "buses", key, planHash: `plan of ${key}`, parts: Object.entries(texts) });

async function journal(): Promise<Array<Record<string, unknown>>> {
  const rows = await store.transact((state) => state.linesAfter(0, 1_000));
  return rows.map(({ text }) => JSON.parse(text) as Record<string, unknown>);
}

test("every change is one line of the journal, with all that it takes to do it again", async () => {
  const time = "2026-01-02T03:04:05.000Z";
  const request = { ...release("jan", ["a", "b"], { ann: 1, bob: 2 }), separately: true };
  await ledger.reserve(request);
  await commit("jan", { a: "text" });
  await ledger.void(request);
  await ledger.raise({ dataset: "buses", budget: parseDecimal("2"), reason: "more" });
  const reserved = {
    time,
    kind: "reserve",
    dataset: "buses",
    key: "jan",
    planHash: "plan of jan",
    headerSha256: sha256("header of jan"),
    users: 2,
    largest: String(2n * TENTH),
    chargesSha256: sha256(`[["ann","${TENTH}"],["bob","${2n * TENTH}"]]`),
  };
  expect(await journal()).toEqual([
    { time, kind: "init", dataset: "buses", budget: String(10n * TENTH), usersKeyCheck: null },
    { ...reserved, parts: ["a"] },
    { ...reserved, parts: ["b"] },
    { time, kind: "commit", dataset: "buses", key: "jan", parts: [["a", sha256("text")]] },
    { time, kind: "void", dataset: "buses", key: "jan", parts: ["b"], reservations: [3] },
    { time, kind: "raise", dataset: "buses", budget: String(20n * TENTH), reason: "more" },
  ]);
});

test("a ledger without a clock takes the time of day", async () => {
  const before = new Date().toISOString();
  const own = new Ledger(new MemoryStore());
  await own.init({ dataset: "buses", budget: Rational.ONE, occupancyIsPublic: true });
  const { created } = (await own.show())[0]!;
  expect(before <= created && created <= new Date().toISOString()).toBe(true);
});

test("a dataset is named by one visible line, and one that is refused leaves nothing behind", async () => {
  const request = { dataset: "trams", budget: parseDecimal("0.5"), occupancyIsPublic: true };
  await expect(ledger.init({ ...request, dataset: "" })).rejects.toMatchObject({
    code: "PARAMETER_INVALID",
    message: expect.stringContaining("dataset name"),
  });
  await ledger.init(request);
  await expect(ledger.init(request)).rejects.toMatchObject({ code: "LEDGER_CONFLICT" });
  const datasets = await ledger.datasets();
  expect(datasets.map(({ dataset, budget }) => `${dataset} ${budget}`)).toEqual(["buses 1", "trams 0.5"]);
  expect(await journal()).toHaveLength(2);
});

test("a dataset that is not there is told with those that are", async () => {
  await expect(ledger.show({ dataset: "taxis" })).rejects.toMatchObject({
    code: "LEDGER_NOT_FOUND",
    message: "the ledger has no dataset 'taxis'; it has 'buses'; make it with veilgrid ledger init",
  });
  await ledger.init({ dataset: "trams", budget: Rational.ONE, occupancyIsPublic: true });
  await expect(ledger.firstHeader("taxis")).rejects.toThrow("it has 'buses', 'trams';");
  await expect(new Ledger(new MemoryStore()).firstHeader("taxis")).rejects.toThrow("it has none;");
});

test.each<[string, Partial<ReserveRequest>, string]>([
  ["an empty key", { key: "" }, "release key"],
  ["a plan hash of two lines", { planHash: "a\nb" }, "plan hash"],
  ["a header with a NUL", { header: "a\0b" }, "the release's header"],
  ["no parts", { parts: [] }, "a release needs parts, each of them once"],
  ["a part twice", { parts: ["a", "b", "a"] }, "a release needs parts, each of them once"],
])("a release is refused for %s", async (_, wrong, words) => {
  await expect(ledger.reserve({ ...release("jan", ["a"], {}), ...wrong })).rejects.toMatchObject({
    code: "PARAMETER_INVALID",
    message: expect.stringContaining(words),
  });
  expect(await journal()).toHaveLength(1);
});

test("only new parts are charged, and those that wait for their result are told from those that have one", async () => {
  expect(await ledger.reserve(release("jan", ["a", "b"], { ann: 1 }))).toEqual({
    header: "header of jan",
    committed: new Map(),
    charged: ["a", "b"],
    toCompute: ["a", "b"],
    resumed: false,
  });
  await commit("jan", { a: "text of a" });
  const asked: string[][] = [];
  const request = release("jan", ["c", "a", "b"], { ann: 1 });
  const chargesOf: ReserveRequest["chargesOf"] = (parts) => {
    asked.push([...parts]);
    return request.chargesOf(parts);
  };
  expect(await ledger.reserve({ ...request, header: "another", chargesOf })).toEqual({
    header: "header of jan",
    committed: new Map([["a", "text of a"]]),
    charged: ["c"],
    toCompute: ["c", "b"],
    resumed: true,
  });
  expect(asked).toEqual([["c"]]);
  expect(await ledger.reserve({ ...request, parts: ["a"], chargesOf })).toMatchObject({
    charged: [],
    toCompute: [],
    resumed: false,
  });
  expect(asked).toHaveLength(1);
  expect(String((await ledger.show())[0]!.loss)).toBe("0.3");
});

test("parts that are charged together are asked for together, parts that are charged apart one by one", async () => {
  const asked: string[][] = [];
  const chargesOf: ReserveRequest["chargesOf"] = (parts) => {
    asked.push([...parts]);
    return [["ann", BigInt(parts.length) * TENTH]];
  };
  await ledger.reserve({ ...release("jan", ["a", "b"], {}), chargesOf });
  expect(asked.splice(0)).toEqual([["a", "b"]]);
  await ledger.reserve({ ...release("feb", ["a", "b"], {}), chargesOf, separately: true });
  // All of them first, so that a refusal speaks of all.
  expect(asked).toEqual([["a", "b"], ["a"], ["b"]]);
});

test("a refusal of parts that are charged apart speaks of all of them, and nothing is left behind", async () => {
  const request = { ...release("jan", ["a", "b", "c"], { ann: 4 }), separately: true };
  await expect(ledger.reserve(request)).rejects.toMatchObject({
    code: "BUDGET_EXCEEDED",
    message: expect.stringMatching(/^the release needs a loss of 1\.2; .* has 1 left; .* at most 0\.833 fits/),
  });
  expect(await journal()).toHaveLength(1);
  expect((await ledger.show())[0]).toMatchObject({ users: 0, releases: [] });
});

test("a new release is held to the dataset's first, a known one to its own header", async () => {
  const seen: string[] = [];
  const checkFirst = (header: string): void => void seen.push(header);
  expect(await ledger.firstHeader("buses")).toBeUndefined();
  await ledger.reserve({ ...release("jan", ["a"], {}), checkFirst });
  expect(seen).toEqual([]);
  await ledger.reserve({ ...release("feb", ["a"], {}), checkFirst });
  await ledger.reserve({ ...release("mar", ["a"], {}), checkFirst });
  expect(seen).toEqual(["header of jan", "header of jan"]);
  const checkKnown = (header: string): void => void seen.push(`known: ${header}`);
  await ledger.reserve({ ...release("mar", ["a", "b"], {}), checkFirst, checkKnown });
  expect(seen.splice(2)).toEqual(["known: header of mar"]);
  await ledger.reserve(release("apr", ["a"], {}));
  expect(seen).toHaveLength(2);
  expect(await ledger.firstHeader("buses")).toBe("header of jan");
  const refuse = (): never => {
    throw new Error("does not go with the first");
  };
  await expect(ledger.reserve({ ...release("may", ["a"], {}), checkFirst: refuse })).rejects.toThrow("the first");
  expect((await ledger.show())[0]!.releases).toHaveLength(4);
});

test("a price is what reserve would charge, and changes nothing", async () => {
  await ledger.reserve(release("jan", ["a"], { ann: 2, bob: 5 }));
  const price = await ledger.price(release("jan", ["a", "b", "c"], { ann: 2, eve: 1 }));
  expect({ ...price, loss: 0, lossAfter: 0, budget: 0 }).toEqual({
    parts: ["b", "c"],
    users: 2,
    loss: 0,
    lossAfter: 0,
    budget: 0,
    refusal: null,
  });
  expect([price.loss, price.lossAfter, price.budget].map(String)).toEqual(["0.4", "0.6", "1"]);
  const paid = await ledger.price({
    ...release("jan", ["a"], {}),
    chargesOf: () => {
      throw new Error("nothing is to be charged");
    },
  });
  expect({ parts: paid.parts, users: paid.users, loss: String(paid.loss) }).toEqual({ parts: [], users: 0, loss: "0" });
  expect(await journal()).toHaveLength(2);
  expect((await ledger.price(release("jan", ["b"], { bob: 6 }))).refusal).toMatch(
    /^the release needs a loss of 0\.6; .* has 0\.5 left; /,
  );
  await ledger.void({ dataset: "buses", key: "jan" });
  expect((await ledger.price(release("jan", ["a"], { bob: 6 }))).parts).toEqual(["a"]);
  expect(await ledger.reserve(release("jan", ["a"], { bob: 6 }))).toMatchObject({ charged: ["a"], resumed: false });
});

test("a loss above the whole budget is refused before anyone's balance is looked at, by one unit or a part of it", async () => {
  await ledger.checkAffordable("buses", Rational.ONE);
  for (const loss of ["1.000000000000000001", "1.0000000000000000001"])
    await expect(ledger.checkAffordable("buses", parseDecimal(loss))).rejects.toMatchObject({
      code: "BUDGET_EXCEEDED",
      message: expect.stringMatching(/needs a loss of 1\.01; .* has 1 left; /),
    });
});

test("what is committed is given out, as it was first written, and nothing else", async () => {
  await ledger.reserve(release("jan", ["a", "b", "c"], { ann: 1 }));
  const both = { planHash: "plan of jan", header: "header of jan" };
  expect(await commit("jan", { b: "two", a: "one" })).toEqual({
    ...both,
    texts: new Map([
      ["b", "two"],
      ["a", "one"],
    ]),
  });
  expect(await commit("jan", { a: "other" })).toEqual({ ...both, texts: new Map([["a", "one"]]) });
  expect(await journal()).toHaveLength(3);
  const name = { dataset: "buses", key: "jan" };
  expect([...(await ledger.committed(name))!.texts]).toEqual([
    ["a", "one"],
    ["b", "two"],
  ]);
  expect([...(await ledger.committed({ ...name, parts: ["c", "b", "b"] }))!.texts]).toEqual([["b", "two"]]);
  expect((await ledger.committed({ ...name, parts: [] }))!.texts.size).toBe(0);
});

test("a text that was altered is not given out, and nothing else of what is asked for with it", async () => {
  await ledger.reserve(release("jan", ["a", "b"], { ann: 1 }));
  await commit("jan", { a: "one", b: "two" });
  await store.transact(async (state) => state.putPart((await state.parts("buses", "jan"))[0]!, "another"));
  const name = { dataset: "buses", key: "jan" };
  for (const asked of [
    () => ledger.committed(name),
    () => ledger.committed({ ...name, parts: ["b", "a"] }),
    () => ledger.reserve(release("jan", ["a", "b"], {})),
    () => commit("jan", { a: "one" }),
  ])
    await expect(asked()).rejects.toMatchObject({
      code: "LEDGER_UNAVAILABLE",
      message: expect.stringMatching(/^part 'a' of release 'jan' is not the text that was committed/),
    });
  expect((await ledger.committed({ ...name, parts: ["b"] }))!.texts).toEqual(new Map([["b", "two"]]));
});

test("texts are looked for of parts that have one", async () => {
  const asked: string[][] = [];
  const watched: LedgerStore = {
    transact: (work) =>
      store.transact((state) => {
        const texts: LedgerState["texts"] = (dataset, key, parts) => {
          asked.push([...parts]);
          return state.texts(dataset, key, parts);
        };
        return work(new Proxy(state, { get: (rows, name) => (name === "texts" ? texts : bound(rows, name)) }));
      }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
  const watching = new Ledger(watched, { clock });
  const request = release("jan", ["a", "b", "c"], { ann: 1 });
  await watching.reserve(request);
  await commit("jan", { b: "two" });
  await watching.reserve(request);
  await watching.committed({ dataset: "buses", key: "jan" });
  expect(asked).toEqual([[], ["b"], ["b"]]);
});

function bound(rows: LedgerState, name: string | symbol): unknown {
  return (Reflect.get(rows, name) as (...given: unknown[]) => unknown).bind(rows);
}

test("a part that nobody reserved, or that was given up, is not committed, and a text is one that every store can keep", async () => {
  await ledger.reserve(release("jan", ["a"], { ann: 1 }));
  await expect(commit("jan", { a: "text", z: "text" })).rejects.toMatchObject({ code: "RESERVATION_VOID" });
  await expect(commit("jan", { a: "\0" })).rejects.toMatchObject({
    code: "PARAMETER_INVALID",
    message: expect.stringContaining("a part's text"),
  });
  await ledger.void({ dataset: "buses", key: "jan" });
  await expect(commit("jan", { a: "text" })).rejects.toMatchObject({ code: "RESERVATION_VOID" });
  expect((await ledger.committed({ dataset: "buses", key: "jan" }))!.texts.size).toBe(0);
});

test("a release that is not there is told", async () => {
  const missing = { dataset: "buses", key: "feb" };
  expect(await ledger.committed(missing)).toBeUndefined();
  for (const asked of [() => commit("feb", {}), () => ledger.void(missing)])
    await expect(asked()).rejects.toMatchObject({
      code: "LEDGER_NOT_FOUND",
      message: "dataset 'buses' has no release 'feb'; see its keys with veilgrid ledger show",
    });
});

test("giving up refunds whole reservations of which nothing was committed, and tells what stays", async () => {
  await ledger.reserve(release("jan", ["a", "b"], { ann: 1 }));
  await ledger.reserve(release("jan", ["c", "d"], { ann: 1 }));
  await ledger.reserve(release("feb", ["c"], { ann: 1 }));
  await commit("jan", { b: "text" });
  expect(await ledger.void({ dataset: "buses", key: "jan" })).toEqual({ parts: ["c", "d"], kept: ["a"] });
  const { loss, releases } = (await ledger.show())[0]!;
  expect(String(loss)).toBe("0.3");
  expect(releases.map(({ key, pending }) => [key, ...pending])).toEqual([
    ["jan", "a"],
    ["feb", "c"],
  ]);
  await expect(ledger.void({ dataset: "buses", key: "jan" })).rejects.toMatchObject({
    code: "LEDGER_CONFLICT",
    message:
      "release 'jan': the 1 pending parts were charged as one with committed ones and are paid for; finish them with veilgrid ledger resume",
  });
  await commit("jan", { a: "text" });
  await expect(ledger.void({ dataset: "buses", key: "jan" })).rejects.toMatchObject({
    code: "LEDGER_CONFLICT",
    message: "nothing is pending under release 'jan'; what is committed stays charged",
  });
  expect((await ledger.verify()).problems).toEqual([]);
});

test("a raise says why, in one line of at most a thousand characters", async () => {
  const raise = (reason: string) => ledger.raise({ dataset: "buses", budget: parseDecimal("2"), reason });
  for (const reason of ["", "x".repeat(1_001)])
    await expect(raise(reason)).rejects.toMatchObject({
      code: "PARAMETER_INVALID",
      message: expect.stringContaining("reason"),
    });
  await raise("x".repeat(1_000));
  expect((await ledger.datasets()).map(({ budget }) => String(budget))).toEqual(["2"]);
});

test("looking takes no lock to write", async () => {
  const modes: string[] = [];
  const watched: LedgerStore = {
    transact: <Result>(work: (state: LedgerState) => Promise<Result>, mode: "write" | "read" = "write") => {
      modes.push(mode);
      return store.transact(work);
    },
    [Symbol.asyncDispose]: async () => void modes.push("closed"),
  };
  const watching = new Ledger(watched, { clock });
  const request = release("jan", ["a"], {});
  await watching.reserve(request);
  await watching.price(request);
  await watching.checkAffordable("buses", Rational.ONE);
  await watching.committed({ dataset: "buses", key: "jan" });
  await watching.datasets();
  await watching.firstHeader("buses");
  await watching.show();
  await watching.verify();
  await watching.overlap({ dataset: "buses", users: [] });
  expect(modes.splice(0)).toEqual(["write", ...new Array(8).fill("read")]);
  await watching[Symbol.asyncDispose]();
  expect(modes).toEqual(["closed"]);
});
