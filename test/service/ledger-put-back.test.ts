/** A service whose ledger was put back while it was stopped: it keeps the journal's head in its state, and refuses to start. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createClient, jobEvents } from "../../src/apps/client/index.ts";
import type { RunningService } from "../../src/apps/service/index.ts";
import { BUS_RECIPE, builtService } from "../support/built-service.ts";
import { veilgridDone } from "../support/cli.ts";
import { busRecords, recordsCsv } from "../support/release-folder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("an older copy, or none, is refused at the start; the newest is not", async () => {
  const folder = temporaryFolder();
  const data = path.join(folder, "data");
  mkdirSync(data);
  writeFileSync(path.join(data, "records.csv"), recordsCsv(busRecords()));
  const state = path.join(folder, "state");
  const at = (name: string): string => path.join(state, name);
  const { startService, createToken } = await builtService();
  const start = (): Promise<RunningService> =>
    startService({ state, data: [data], tool: "veilgrid 0.0.0", log: () => undefined });
  const headNow = async (): Promise<string> =>
    (await veilgridDone(["ledger", "show", "--ledger", "state/ledger.db", "--head"], { in: folder })).stdout;

  {
    await using service = await start();
    const { token } = createToken(service.store, { name: "me", role: "curator" }, new Date());
    const client = createClient({ url: service.url, token });
    const params = { dataset: "buses" };
    const ended = async ({ id }: { id: string }): Promise<Awaited<ReturnType<typeof client.getJob>>> => {
      for await (const _ of jobEvents({ url: service.url, token }, id));
      return client.getJob({ params: { job: id } });
    };
    await client.registerDataset({
      body: {
        ...{ name: "buses", source: "records.csv", recipe: BUS_RECIPE, bounds: "0,50", budget: "5" },
        ...{ statistics: "mean", occupancyIsPublic: true },
      },
    });
    expect(readFileSync(at("ledger-head"), "utf8")).toBe(await headNow());
    copyFileSync(at("ledger.db"), at("unused.db"));
    const planned = await ended(await client.startPlan({ params, body: { loss: "1" } }));
    await client.changeDataset({ params, body: { plan: (planned.result as { plan: string }).plan } });
    const { grids } = await client.listGrids({ params });
    await client.askGrid({ params: { ...params, grid: grids[0]!.grid } });
    expect(readFileSync(at("ledger-head"), "utf8")).toBe(await headNow());
    copyFileSync(at("ledger.db"), at("asked.db"));
    expect(await ended(await client.startRelease({ params, body: {} }))).toMatchObject({ state: "done" });
    expect(readFileSync(at("ledger-head"), "utf8")).toBe(await headNow());
    expect(statSync(at("ledger-head")).mode & 0o777).toBe(0o600);
  }
  copyFileSync(at("ledger.db"), at("newest.db"));
  for (const copy of ["unused.db", "asked.db", undefined]) {
    rmSync(at("ledger.db"));
    if (copy !== undefined) copyFileSync(at(copy), at("ledger.db"));
    await expect(start()).rejects.toMatchObject({
      code: "LEDGER_CONFLICT",
      message: expect.stringMatching(/^the ledger does not contain journal line \d+:[0-9a-f]{32}, which was seen/),
    });
  }
  copyFileSync(at("newest.db"), at("ledger.db"));
  await (await start())[Symbol.asyncDispose]();
});
