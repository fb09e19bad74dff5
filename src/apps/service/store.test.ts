/** Tests the store: durable rows, shared by connections. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  dataset,
  expectRefusal,
  job,
  LATER,
  NOW,
  newFolder,
  plan,
  token,
} from "../../../test/support/service-state.ts";
import type { ServedDataset, TokenRow } from "./rows.ts";
import { ServiceStore } from "./store.ts";

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
      expect(store.plans(name)).toEqual([]);
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
