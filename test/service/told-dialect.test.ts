/** A service reads a dataset's file in every job as the curator said that it is written. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createClient, jobEvents } from "../../src/apps/client/index.ts";
import { builtService } from "../support/built-service.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("a file in UTF-16 that does not say so, with decimal commas, is surveyed, planned and released", async () => {
  const folder = temporaryFolder();
  const data = path.join(folder, "data");
  mkdirSync(data);
  const rows = Array.from({ length: 200 }, (_, at) => `rider ${at % 40};${at % 2 === 0 ? "north" : "south"};1,234`);
  writeFileSync(path.join(data, "rides.csv"), Buffer.from(`rider;zone;fare\n${rows.join("\n")}\n`, "utf16le"));
  const { startService, createToken } = await builtService();
  const state = path.join(folder, "state");
  await using service = await startService({ state, data: [data], tool: "veilgrid 0.0.0", log: () => undefined });
  const { token } = createToken(service.store, { name: "me", role: "curator" }, new Date());
  const client = createClient({ url: service.url, token });
  const params = { dataset: "rides" };
  const recipe = { user: "rider", value: "fare", by: "zone", encoding: "utf-16", decimalComma: true };
  await client.registerDataset({
    body: {
      ...{ name: "rides", source: "rides.csv", recipe, bounds: "0,5" },
      ...{ budget: "5", statistics: "mean", occupancyIsPublic: true },
    },
  });
  const ended = async ({ id }: { id: string }): Promise<Awaited<ReturnType<typeof client.getJob>>> => {
    for await (const _ of jobEvents({ url: service.url, token }, id));
    return client.getJob({ params: { job: id } });
  };
  expect(await ended(await client.startSurvey({ params, body: {} }))).toMatchObject({ state: "done" });
  const planned = await ended(await client.startPlan({ params, body: { loss: "1" } }));
  await client.changeDataset({ params, body: { plan: (planned.result as { plan: string }).plan } });
  expect(await ended(await client.startRelease({ params, body: {} }))).toMatchObject({ state: "done", error: null });
});
