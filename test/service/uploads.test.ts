/** A file from a curator's machine through the service as it is built: sent, looked at, registered, surveyed, planned, released. */
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import type { RunningService } from "../../src/service/index.ts";
import { BUS_RECIPE, builtService } from "../support/built-service.ts";
import { temporaryFolder } from "../support/cli.ts";
import { busRecords, recordsCsv, SECRET } from "../support/release-folder.ts";

const folder = temporaryFolder();
const state = path.join(folder, "state");
let service: RunningService;
let client: ReturnType<typeof createClient>;
const logged: string[] = [];

beforeAll(async () => {
  mkdirSync(path.join(folder, "data"));
  const { startService, createToken } = await builtService();
  const log = (line: unknown) => void logged.push(JSON.stringify(line));
  service = await startService({ state, data: [path.join(folder, "data")], tool: "veilgrid 0.0.0", log });
  const { token } = createToken(service.store, { name: "me", role: "curator", datasets: ["mine"] }, new Date());
  client = createClient({ url: service.url, token });
});
afterAll(() => service[Symbol.asyncDispose]());

async function ended(job: Promise<{ id: string }>): Promise<{ state: string; result: unknown; error: unknown }> {
  const { id } = await job;
  await client.followJob({ params: { job: id } });
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
      occupancyIsPublic: true,
    },
  });
  expect(dataset.source).toBe("records.csv");
  expect(await ended(client.startSurvey({ params, body: {} }))).toMatchObject({ state: "done", result: { grids: 3 } });
  const counts = await client.getOccupancy({ params });
  expect(counts.split("\n", 2)).toEqual(["user,grid,count", expect.stringMatching(/^0,.*,\d+$/)]);
  expect(counts).not.toMatch(/p\d/);
  expect((await client.getDataset({ params })).surveyed).toMatch(/^20/);
  const planned = await ended(client.startPlan({ params, body: { loss: "1" } }));
  expect(planned).toMatchObject({ state: "done" });
  const { plan } = planned.result as { plan: string };
  await client.changeDataset({ params, body: { plan } });
  const { grids } = await client.listGrids({ params });
  expect(await client.askGrid({ params: { ...params, grid: grids[0]!.grid } })).toMatchObject({ rows: [{}] });
  expect(await ended(client.startRelease({ params, body: {} }))).toMatchObject({ state: "done" });
  expect((await client.listGrids({ params })).grids.every(({ released }) => released)).toBe(true);
  expect(logged.join()).not.toMatch(/records\.csv|p1\b/);
});

test("looks happen in threads and say what is wrong with a file", async () => {
  const { source } = await client.uploadFile({ query: { name: "a.csv" }, body: new Blob(["only one column\n"]) });
  const refusal = await client.lookAtSource({ body: { source } }).catch((error: Error) => error);
  expect(refusal).toMatchObject({
    code: "INPUT_MALFORMED",
    message: expect.stringMatching(/^'a\.csv' has one column/),
  });
});
