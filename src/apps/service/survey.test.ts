/** Tests the counts for a browser: present after a survey, without names, and good for the same plans. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RECIPE, RECORDS, type TestService, testService } from "../../../test/support/service.ts";
import { plan } from "../operations/index.ts";
import { surveyDataset } from "./survey.ts";
import type { SurveyTask } from "./tasks.ts";

let service: TestService;
let curator: string;

beforeAll(async () => {
  service = await testService({
    runTask: (task, options) => surveyDataset(task as SurveyTask, options),
  });
  curator = service.token("curator", ["buses"]);
});
afterAll(() => service[Symbol.asyncDispose]());

const call = (method: "GET" | "POST", url: string, headers: Record<string, string> = {}) =>
  service.app.inject({
    ...{ method, url, headers: { authorization: `Bearer ${curator}`, ...headers } },
    ...(method === "POST" ? { payload: {} } : {}),
  });
const occupancy = (headers?: Record<string, string>) => call("GET", "/v1/datasets/buses/occupancy", headers);
const surveyed = async (): Promise<string | null> => (await call("GET", "/v1/datasets/buses")).json().surveyed;

async function survey(): Promise<void> {
  const { id } = (await call("POST", "/v1/datasets/buses/survey")).json();
  for await (const _ of service.jobs.events(id, new AbortController().signal));
  expect(service.store.job(id)).toMatchObject({ state: "done", result: { users: 12, grids: 3 } });
}

test("before a survey there is nothing, after it the counts by rank", async () => {
  const before = await occupancy();
  expect([before.statusCode, before.json().error]).toEqual([
    404,
    { code: "NOT_FOUND", message: "there are no counts of this dataset yet; survey it first" },
  ]);
  expect(await surveyed()).toBeNull();
  const begun = Date.now();
  await survey();
  const time = (await surveyed())!;
  expect(new Date(time).toISOString()).toBe(time);
  expect(Math.abs(Date.parse(time) - begun)).toBeLessThan(60_000);

  const answer = await occupancy();
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
  const names = [
    ...new Set(
      RECORDS.split("\n")
        .slice(1)
        .map((line) => line.split(",")[0]!),
    ),
  ].sort();
  const counts = new Map<string, number>();
  for (const line of RECORDS.split("\n").slice(1)) {
    const [user, grid] = line.split(",") as [string, string];
    const key = `${String(names.indexOf(user)).padStart(2, "0")},${grid}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rows = [...counts].map(([key, count]) => `${key},${count}\n`).sort();
  expect(answer.body).toBe(`user,grid,count\n${rows.join("")}`);
  expect(answer.headers["content-length"]).toBe(String(answer.body.length));
  for (const name of names) expect(answer.body).not.toContain(name);

  const folder = path.join(service.folder, "state", "occupancy");
  expect(readdirSync(folder).sort()).toEqual(["buses.csv", "buses.csv.notes.json"]);
  expect([folder, path.join(folder, "buses.csv")].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600]);
});

test("a tag that another survey changes", async () => {
  await survey();
  const { etag } = (await occupancy()).headers as { etag: string };
  const again = await occupancy({ "if-none-match": etag });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  await survey();
  const anew = await occupancy({ "if-none-match": etag });
  expect([anew.statusCode, anew.headers["etag"] === etag]).toEqual([200, false]);
});

test("plans made from it are those made from the records, but for names and hashes", async () => {
  await survey();
  const file = path.join(service.folder, "ranked.csv");
  writeFileSync(file, (await occupancy()).body);
  const records = path.join(service.folder, "data", "buses.csv");
  expect(readFileSync(records, "utf8").trim()).toBe(RECORDS);
  for (const options of [
    { strategy: "clip-user", epsilon: "1" },
    { strategy: "frontier", loss: "0.5" },
  ]) {
    const named = (await plan(records, { bounds: "0,65", ...options, records: RECIPE })).plan;
    const ranked = (await plan(file, { bounds: "0,65", ...options })).plan;
    expect(ranked.grids).toEqual(named.grids);
    for (const part of ["loss", "noise", "caps", "suppressed", "trimmed", "bound"] as const)
      expect(ranked[part]).toEqual(named[part]);
  }
});
