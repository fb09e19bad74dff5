/** Holds the store to its promises: durable rows, shared by connections, in files that only their owner reads. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import Driver from "libsql";
import { afterAll, describe, expect, test } from "vitest";
import { type ErrorCode, VeilgridError } from "../errors/index.ts";
import type { JobRow, PlanRow, ServedDataset, TokenRow } from "./rows.ts";
import { ServiceStore } from "./store.ts";

const top = mkdtempSync(join(tmpdir(), "veilgrid-store-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));
let made = 0;
const newFolder = (): string => join(top, `state-${made++}`);

const NOW = "2026-01-05T08:00:00.000Z";
const LATER = "2026-01-05T09:00:00.000Z";
const token: TokenRow = {
  id: "aaaaaaaaaaaa",
  name: "Ann",
  role: "analyst",
  datasets: ["city", "süd, 東"],
  secretHash: "0f".repeat(32),
  created: NOW,
  expires: LATER,
  revoked: null,
  oneTime: false,
};
const dataset: ServedDataset = {
  name: "city",
  source: "/data/city-*.csv",
  recipe: { user: "bus", value: "speed", decimalComma: true },
  bounds: "0,65",
  statistics: null,
  unit: "mph",
  plan: null,
  key: null,
  onlyReleased: true,
  created: NOW,
};
const job: JobRow = {
  id: "job-1",
  kind: "plan",
  dataset: "city",
  wishes: { epsilon: "1", caps: true },
  state: "queued",
  created: NOW,
  started: null,
  ended: null,
  result: null,
  error: null,
};
const plan: PlanRow = { hash: "ab".repeat(32), dataset: "city", created: NOW, summary: { loss: 0.5, perGrid: [] } };

function execute(file: string, sql: string): void {
  const database = new Driver(file);
  database.exec(sql);
  database.close();
}

function metaOf(format: string, version: string): string {
  return `CREATE TABLE meta (name, value); INSERT INTO meta VALUES ('format', '${format}'), ('version', '${version}')`;
}

function thrownBy(work: () => unknown): VeilgridError {
  try {
    work();
  } catch (error) {
    if (error instanceof VeilgridError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function expectRefusal(work: () => unknown, code: ErrorCode, message: RegExp): void {
  const error = thrownBy(work);
  expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
  expect(error.message).not.toMatch(/\n/);
}

describe("what is put is there", () => {
  test("as it was, for another connection and after a restart", () => {
    const folder = newFolder();
    const first = ServiceStore.open(folder, { create: true });
    using second = ServiceStore.open(folder);
    const everyone: TokenRow = { ...token, id: "b-b_bbbbbbbb", datasets: null, expires: null, oneTime: true };
    first.putToken(token);
    first.putToken(everyone);
    first.putDataset(dataset);
    first.putDataset({ ...dataset, name: "a later one", statistics: "mean", unit: null, onlyReleased: false });
    first.putJob(job);
    first.putJob({ ...job, id: "job-2", dataset: "other" });
    first.putPlan(plan, '{"a":1}\n');
    const look = (store: ServiceStore): void => {
      expect(store.tokens()).toEqual([token, everyone]);
      expect(store.token(everyone.id)).toEqual(everyone);
      expect(store.datasets().map(({ name }) => name)).toEqual(["city", "a later one"]);
      expect(store.dataset("city")).toEqual(dataset);
      expect(store.jobs().map(({ id }) => id)).toEqual(["job-2", "job-1"]);
      expect(store.jobs("city")).toEqual([job]);
      expect(store.job("job-1")).toEqual(job);
      expect(store.plan(plan.hash, plan.dataset)).toEqual(plan);
      expect(store.plans("city")).toEqual([plan]);
      expect(readFileSync(store.planFile(plan.hash), "utf8")).toBe('{"a":1}\n');
    };
    look(first);
    look(second);
    first[Symbol.dispose]();
    using again = ServiceStore.open(folder, { create: true });
    look(again);
  });

  test("and nothing else", () => {
    using store = ServiceStore.open(newFolder(), { create: true });
    store.putToken(token);
    store.putDataset(dataset);
    for (const name of ["", "City", "city ", "city\0", "city\0x", "city\ud800", "' OR 1=1 --", "%"]) {
      expect(store.dataset(name)).toBeUndefined();
      expect(store.token(name)).toBeUndefined();
      expect(store.job(name)).toBeUndefined();
      expect(store.plan(name, plan.dataset)).toBeUndefined();
      expect([...store.jobs(name), ...store.plans(name)]).toEqual([]);
      expect(store.revokeToken(name, NOW)).toBe(false);
      expectRefusal(() => store.updateDataset(name, { plan: null }), "NOT_FOUND", /^there is no dataset '/);
      expectRefusal(() => store.updateJob(name, { state: "done" }), "NOT_FOUND", /^there is no job '/);
    }
  });

  test("whatever text it is, or it is refused: two names never become one", () => {
    using store = ServiceStore.open(newFolder(), { create: true });
    const known = new Map<string, ServedDataset>();
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.json(), (name, recipe) => {
        const row: ServedDataset = { ...dataset, name, recipe: { user: recipe } };
        if (known.has(name)) expectRefusal(() => store.putDataset(row), "DATASET_EXISTS", /already/);
        else if (name.includes("\0")) expectRefusal(() => store.putDataset(row), "PARAMETER_INVALID", /NUL/);
        else {
          store.putDataset(row);
          known.set(name, row);
        }
        expect(store.dataset(name)).toEqual(known.get(name));
      }),
      { numRuns: 30 },
    );
    expect(store.datasets()).toEqual([...known.values()]);
    expectRefusal(() => store.putDataset({ ...dataset, name: "half \ud83d" }), "PARAMETER_INVALID", /half a character/);
  });
});

describe("tokens", () => {
  test("are revoked once, and stay so", () => {
    using store = ServiceStore.open(newFolder(), { create: true });
    store.putToken(token);
    expect(store.revokeToken(token.id, NOW)).toBe(true);
    expect(store.revokeToken(token.id, LATER)).toBe(false);
    expect(store.token(token.id)).toEqual({ ...token, revoked: NOW });
  });

  test("are redeemed once among connections, if they are one-time ones and not revoked", () => {
    const folder = newFolder();
    using first = ServiceStore.open(folder, { create: true });
    using second = ServiceStore.open(folder);
    for (let round = 0; round < 20; round++) {
      const id = `round-${round}`;
      first.putToken({ ...token, id, oneTime: true });
      const stores = round % 2 === 0 ? [first, second, first] : [second, first, second];
      expect(stores.map((store) => store.redeemToken(id, NOW))).toEqual([true, false, false]);
    }
    first.putToken(token);
    expect(second.redeemToken(token.id, NOW)).toBe(false);
    first.putToken({ ...token, id: "revoked", oneTime: true });
    second.revokeToken("revoked", NOW);
    expect(first.redeemToken("revoked", NOW)).toBe(false);
    expect(first.redeemToken("unknown", NOW)).toBe(false);
  });

  test("are never kept by their secret", () => {
    using store = ServiceStore.open(newFolder(), { create: true });
    expectRefusal(() => store.putToken({ ...token, secretHash: "the secret itself" }), "INTERNAL", /kept as a hash/);
    store.putToken(token);
    expectRefusal(() => store.putToken(token), "INTERNAL", /id is new/);
  });
});

describe("datasets, jobs and plans", () => {
  test("a dataset changes where it may, and its name is taken", () => {
    using store = ServiceStore.open(newFolder(), { create: true });
    store.putDataset(dataset);
    expectRefusal(
      () => store.putDataset({ ...dataset, source: "/other.csv" }),
      "DATASET_EXISTS",
      /dataset 'city' already/,
    );
    store.updateDataset("city", { plan: plan.hash, key: "2026-01" });
    store.updateDataset("city", { onlyReleased: false });
    store.updateDataset("city", {});
    store.updateDataset("city", { source: "/etc/passwd", "name = name; --": 1 } as object);
    const changed = { ...dataset, plan: plan.hash, key: "2026-01", onlyReleased: false };
    expect(store.dataset("city")).toEqual(changed);
    store.updateDataset("city", { plan: null, key: null });
    expect(store.dataset("city")).toEqual({ ...changed, plan: null, key: null });
  });

  test("a job goes through its states; what a former process left is interrupted", () => {
    using store = ServiceStore.open(newFolder(), { create: true });
    for (const id of ["queued", "running", "done", "failed"]) store.putJob({ ...job, id });
    store.updateJob("running", { state: "running", started: NOW });
    store.updateJob("done", {
      state: "done",
      started: NOW,
      ended: NOW,
      result: { plan: plan.hash, summary: [1, null] },
    });
    store.updateJob("failed", { state: "failed", ended: NOW, error: { code: "BUSY", message: "later" } });
    expect(store.interruptJobs(LATER)).toBe(2);
    expect(store.interruptJobs(LATER)).toBe(0);
    expect(store.job("queued")).toEqual({ ...job, id: "queued", state: "interrupted", ended: LATER });
    expect(store.job("running")).toMatchObject({ state: "interrupted", started: NOW, ended: LATER });
    expect(store.job("done")).toMatchObject({
      state: "done",
      ended: NOW,
      result: { plan: plan.hash, summary: [1, null] },
    });
    expect(store.job("failed")).toMatchObject({ state: "failed", error: { code: "BUSY", message: "later" } });
    expectRefusal(() => store.updateJob("done", { id: "other" }), "INTERNAL", /keeps its id/);
  });

  test("two datasets may have the same plan, and one may put it twice", () => {
    using store = ServiceStore.open(newFolder(), { create: true });
    store.putPlan(plan, "text");
    store.putPlan({ ...plan, dataset: "other", created: LATER }, "text");
    store.putPlan({ ...plan, created: LATER }, "text");
    expect(store.plan(plan.hash, plan.dataset)).toEqual(plan);
    expect(store.plans("city")).toEqual([plan]);
    expect(store.plans("other")).toEqual([{ ...plan, dataset: "other", created: LATER }]);
    store.putPlan({ ...plan, hash: "cd".repeat(32) }, "another");
    expect(store.plans("city").map(({ hash }) => hash)).toEqual(["cd".repeat(32), plan.hash]);
  });

  test("a plan's file is whole or not there, and never outside the folder", () => {
    const folder = newFolder();
    using store = ServiceStore.open(folder, { create: true });
    for (const hash of ["../service", "", "ab", `${"ab".repeat(31)}/x`, "AB".repeat(32), `${plan.hash}\n`]) {
      expectRefusal(() => store.planFile(hash), "NOT_FOUND", /^there is no plan '/);
      expectRefusal(() => store.putPlan({ ...plan, hash }, "text"), "NOT_FOUND", /^there is no plan '/);
    }
    // A folder in its place: it can be written beside it, and not renamed into it.
    mkdirSync(store.planFile(plan.hash), { recursive: true });
    expectRefusal(() => store.putPlan(plan, "text"), "OUTPUT_FAILED", /nothing was written$/);
    expect(readdirSync(join(folder, "plans"))).toEqual([`${plan.hash}.json`]);
    expect(store.plan(plan.hash, plan.dataset)).toBeUndefined();
  });
});

describe("the state folder", () => {
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  test("is for its owner only, whatever the umask", () => {
    const before = process.umask(0);
    try {
      const folder = newFolder();
      using store = ServiceStore.open(folder, { create: true });
      store.putPlan(plan, "text");
      expect(store.folder).toBe(folder);
      expect([folder, join(folder, "plans")].map(modeOf)).toEqual(["700", "700"]);
      expect([join(folder, "service.db"), store.planFile(plan.hash)].map(modeOf)).toEqual(["600", "600"]);
    } finally {
      process.umask(before);
    }
  });

  test("is made only when asked for, and no folder above it", () => {
    const folder = newFolder();
    expectRefusal(
      () => ServiceStore.open(folder),
      "INPUT_NOT_FOUND",
      /^no service state in '.*'; veilgrid token create/,
    );
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    expectRefusal(() => ServiceStore.open(folder), "INPUT_NOT_FOUND", /^no service state/);
    expectRefusal(
      () => ServiceStore.open(join(folder, "a", "b"), { create: true }),
      "LEDGER_UNAVAILABLE",
      /cannot be opened/,
    );
    expect(readdirSync(folder)).toEqual([]);
    using store = ServiceStore.open(folder, { create: true });
    expect(store.tokens()).toEqual([]);
  });

  test("may not be a file, nor its database a folder", () => {
    const file = newFolder();
    writeFileSync(file, "");
    const folder = newFolder();
    mkdirSync(join(folder, "service.db"), { recursive: true });
    for (const options of [{ create: true }, {}]) {
      expect(thrownBy(() => ServiceStore.open(file, options)).code).toMatch(/^(LEDGER_UNAVAILABLE|INPUT_NOT_FOUND)$/);
      expectRefusal(() => ServiceStore.open(folder, options), "LEDGER_UNAVAILABLE", /cannot be opened/);
    }
  });

  test.each([
    ["text", (file: string) => writeFileSync(file, "just some text, long enough to be looked at".repeat(40))],
    ["another database", (file: string) => execute(file, "CREATE TABLE t (a)")],
    [
      "a database with other notes",
      (file: string) => execute(file, "CREATE TABLE meta (format TEXT); INSERT INTO meta VALUES ('x')"),
    ],
    ["a ledger", (file: string) => execute(file, metaOf("veilgrid ledger", "1"))],
    ["one whose version is no number", (file: string) => execute(file, metaOf("veilgrid service", "x"))],
  ])("of %s is refused, and left as it was", (_, write) => {
    const folder = newFolder();
    mkdirSync(folder);
    const file = join(folder, "service.db");
    write(file);
    const before = readFileSync(file);
    for (const options of [{ create: true }, {}])
      expectRefusal(
        () => ServiceStore.open(folder, options),
        "LEDGER_UNAVAILABLE",
        /^service state '.*' has a service\.db that is not of a service/,
      );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(["service.db"]);
  });

  test("of a later veilgrid is refused", () => {
    const folder = newFolder();
    ServiceStore.open(folder, { create: true })[Symbol.dispose]();
    execute(join(folder, "service.db"), "UPDATE meta SET value = '7' WHERE name = 'version'");
    expectRefusal(
      () => ServiceStore.open(folder),
      "LEDGER_UNAVAILABLE",
      /has format version 7, this veilgrid knows up to 1; update veilgrid$/,
    );
  });

  test("that is damaged says so", () => {
    const folder = newFolder();
    ServiceStore.open(folder, { create: true })[Symbol.dispose]();
    execute(join(folder, "service.db"), "DROP TABLE tokens");
    using store = ServiceStore.open(folder);
    expectRefusal(() => store.tokens(), "LEDGER_UNAVAILABLE", /damaged/);
  });

  test.each([
    ["a text that is no UTF-8", "UPDATE tokens SET name = CAST(x'c328' AS TEXT)"],
    ["a list that is no JSON", "UPDATE tokens SET datasets = '[a secret'"],
  ])("with %s says so, and shows none of it", (_, damage) => {
    const folder = newFolder();
    using store = ServiceStore.open(folder, { create: true });
    store.putToken(token);
    execute(join(folder, "service.db"), damage);
    expectRefusal(
      () => store.tokens(),
      "LEDGER_UNAVAILABLE",
      /has a damaged service\.db; restore the folder from a backup$/,
    );
  });

  test("whose own name is no UTF-8 is not taken for one of a service", () => {
    const folder = newFolder();
    ServiceStore.open(folder, { create: true })[Symbol.dispose]();
    execute(join(folder, "service.db"), "UPDATE meta SET value = CAST(x'c328' AS TEXT) WHERE name = 'format'");
    expectRefusal(() => ServiceStore.open(folder), "LEDGER_UNAVAILABLE", /damaged/);
  });

  test("waits for another that writes, and gives up in one line", () => {
    const folder = newFolder();
    using store = ServiceStore.open(folder, { create: true, busyMs: 50 });
    const other = new Driver(join(folder, "service.db"));
    other.exec("BEGIN EXCLUSIVE");
    expectRefusal(
      () => store.putToken(token),
      "LEDGER_UNAVAILABLE",
      /is locked by another process; nothing was changed/,
    );
    other.exec("ROLLBACK");
    other.close();
    store.putToken(token);
    expect(store.tokens()).toEqual([token]);
  });

  test.skipIf(process.getuid?.() === 0)("that may not be written is refused", () => {
    const folder = newFolder();
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    expectRefusal(() => ServiceStore.open(folder, { create: true }), "LEDGER_UNAVAILABLE", /permissions/);
    chmodSync(folder, 0o700);
  });

  test("is let go: a store that is closed does nothing more", () => {
    const store = ServiceStore.open(newFolder(), { create: true });
    store.putToken(token);
    store[Symbol.dispose]();
    store[Symbol.dispose]();
    expect(() => store.tokens()).toThrow();
  });
});
