/** A file from a curator's machine through the service as it is built: sent, looked at, registered, surveyed, planned, released. */
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, type JobEvent, jobEvents } from "../../src/apps/client/index.ts";
import type { RunningService } from "../../src/apps/service/index.ts";
import { BUS_RECIPE, builtService } from "../support/built-service.ts";
import { busRecords, recordsCsv, SECRET } from "../support/release-folder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const state = path.join(folder, "state");
let service: RunningService;
let token: string;
let client: ReturnType<typeof createClient>;
const logged: string[] = [];

beforeAll(async () => {
  mkdirSync(path.join(folder, "data"));
  const { startService, createToken } = await builtService();
  const log = (line: unknown) => void logged.push(JSON.stringify(line));
  service = await startService({ state, data: [path.join(folder, "data")], tool: "veilgrid 0.0.0", log });
  token = createToken(service.store, { name: "me", role: "curator", datasets: ["mine"] }, new Date()).token;
  client = createClient({ url: service.url, token });
});
afterAll(() => service[Symbol.asyncDispose]());

async function ended(job: Promise<{ id: string }>): Promise<{ state: string; result: unknown; error: unknown }> {
  const { id } = await job;
  const events: JobEvent[] = [];
  for await (const event of jobEvents({ url: service.url, token }, id)) events.push(event);
  expect(events.map((event) => event.id)).toEqual([...events.map((event) => event.id)].sort((a, b) => a - b));
  expect(events.at(-1)).toMatchObject({ type: "state", data: { state: "done", error: null } });
  return client.getJob({ params: { job: id } });
}

test("from a file to a release", async () => {
  const sent = await client.uploadFile({ query: { name: "records.csv" }, body: new Blob([recordsCsv(busRecords())]) });
  expect(readdirSync(path.join(state, "uploads"))).toHaveLength(1);
  const look = await client.lookAtSource({ body: { source: sent.source } });
  expect(look).toMatchObject({ source: sent.source, guess: { value: "speed", lat: "lat" }, isOccupancy: false });
  expect(JSON.stringify(look)).not.toContain(SECRET);
  expect(JSON.stringify(look)).not.toContain(folder);

  const params = { dataset: "mine" };
  const dataset = await client.registerDataset({
    body: {
      ...{ name: "mine", source: sent.source, recipe: BUS_RECIPE, bounds: "0,50", budget: "5" },
      statistics: "mean,variance,share:20,histogram:10/20",
      occupancyIsPublic: true,
    },
  });
  expect(dataset).toMatchObject({ source: "records.csv", surveyed: null, counted: null });
  expect(await ended(client.startSurvey({ params, body: {} }))).toMatchObject({ state: "done", result: { grids: 3 } });
  const counts = await client.getOccupancy({ params });
  expect(counts.split("\n", 2)).toEqual(["user,grid,count", expect.stringMatching(/^0,.*,\d+$/)]);
  expect(counts).not.toMatch(/p\d/);
  const records = counts.trim().split("\n").slice(1);
  expect(await client.getDataset({ params })).toMatchObject({
    surveyed: expect.stringMatching(/^20/),
    counted: {
      records: records.reduce((sum, line) => sum + Number(line.split(",").at(-1)), 0),
      inOtherGrids: 0,
      repeated: 0,
    },
  });
  const planned = await ended(client.startPlan({ params, body: { loss: "1" } }));
  expect(planned).toMatchObject({ state: "done" });
  const { plan } = planned.result as { plan: string };
  await client.changeDataset({ params, body: { plan } });
  const { grids } = await client.listGrids({ params });
  expect(await client.askGrid({ params: { ...params, grid: grids[0]!.grid } })).toMatchObject({ rows: [{}] });
  expect(await ended(client.startRelease({ params, body: {} }))).toMatchObject({ state: "done" });
  expect((await client.listGrids({ params })).grids.every(({ released }) => released)).toBe(true);
  await expectAsPromised();
  expect(logged.join()).not.toMatch(/records\.csv|p1\b/);
});

/** What threads have made is what the OpenAPI document says it is. */
async function expectAsPromised(): Promise<void> {
  const { createToken } = await builtService();
  const all = createToken(service.store, { name: "all", role: "curator" }, new Date()).token;
  const ask = async (url: string) => fetch(service.url + url, { headers: { authorization: `Bearer ${all}` } });
  const { paths } = (await (await ask("/openapi.json")).json()) as {
    paths: Record<string, { get: { responses: Record<string, { content: Record<string, { schema: object }> }> } }>;
  };
  const ajv = new Ajv2020({ strict: false });
  for (const [pattern, url] of [
    ["/v1/published/{dataset}/results", "/v1/published/mine/results"],
    ["/v1/published/{dataset}/results", "/v1/published/mine/results?format=geojson"],
    ["/v1/datasets/{dataset}/ledger", "/v1/datasets/mine/ledger"],
    ["/v1/ledger/verify", "/v1/ledger/verify"],
  ] as const) {
    const answer = await ask(url);
    const type = answer.headers.get("content-type")!.split(";")[0]!;
    const { schema } = paths[pattern]!.get.responses["200"]!.content[type]!;
    expect(ajv.validate(schema, await answer.json()), `${url}: ${ajv.errorsText()}`).toBe(true);
  }
  const standing = await client.getLedger({ params: { dataset: "mine" } });
  expect(standing.distribution.reduce((users, bin) => users + bin.users, 0)).toBe(standing.users);
  const results = await client.getResults({ params: { dataset: "mine" } });
  if (typeof results === "string" || !("rows" in results)) throw new Error("results are JSON unless told otherwise");
  const { mean, "histogram:10/20": histogram } = results.rows[0]!.statistics!;
  expect([mean, histogram]).toMatchObject([{ value: expect.any(Number) }, { bins: [{}, {}, {}] }]);
}

test("following a job that is none is refused, and leaving ends the events", async () => {
  const options = { url: service.url, token };
  await expect(jobEvents(options, "none").next()).rejects.toMatchObject({ status: 404, code: "NOT_FOUND" });
  const job = await client.startComparison({
    ...{ params: { dataset: "mine" }, body: { loss: "0.1,0.2,0.3,0.5,0.7,1,2,3,4,5" } },
  });
  const leaving = new AbortController();
  const types: string[] = [];
  for await (const { type } of jobEvents(options, job.id, leaving.signal)) {
    types.push(type);
    leaving.abort();
  }
  expect(types).toEqual(["state"]);
  for await (const _ of jobEvents(options, job.id, leaving.signal)) throw new Error("it was aborted before");
  await client.cancelJob({ params: { job: job.id } });
});

test("looks happen in threads and say what is wrong with a file", async () => {
  const { source } = await client.uploadFile({ query: { name: "a.csv" }, body: new Blob(["only one column\n"]) });
  const refusal = await client.lookAtSource({ body: { source } }).catch((error: Error) => error);
  expect(refusal).toMatchObject({
    code: "INPUT_MALFORMED",
    message: expect.stringMatching(/^'a\.csv' has one column/),
  });
});
