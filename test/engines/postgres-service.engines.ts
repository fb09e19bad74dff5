/** Several services, and the command line, on one ledger in PostgreSQL: one answer per grid, charged once; and what a service refuses to be pointed at. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { expect, test } from "vitest";
import { createClient } from "../../src/apps/client/index.ts";
import type { RunningService } from "../../src/apps/service/index.ts";
import { openLedgerAt } from "../../src/publish/ledger/index.ts";
import { builtService } from "../support/built-service.ts";
import { root, veilgrid, veilgridDone } from "../support/cli.ts";
import { releaseFolder } from "../support/release-folder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { newAddress } from "./support/new-ledger.ts";
import { postgresAddress } from "./support/servers.ts";

const env = { PGPASSWORD: process.env["PGPASSWORD"]! };
const BUDGET = ["--budget", "5", "--occupancy-is-public"];

test("the command line: init, dry run, release, the same bytes again, show, verify, raise", async () => {
  const folder = await releaseFolder();
  const address = newAddress();
  const run = (...args: string[]) => veilgrid(args, { in: folder, env });
  const done = (...args: string[]) => veilgridDone(args, { in: folder, env });
  const ledger = ["--ledger", address, "--dataset", "buses"];
  const release = ["release", "records.csv", "--plan", "plan.json", ...ledger];
  const missing = await run(...release, "--out", "out.csv");
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining("make one with veilgrid ledger init")]);
  await done("ledger", "init", ...ledger, ...BUDGET);
  expect((await done(...release, "--dry-run")).stdout).toContain("would");
  await done(...release, "--out", "first.csv");
  await done(...release, "--out", "second.csv");
  expect(readFileSync(path.join(folder, "second.csv"))).toEqual(readFileSync(path.join(folder, "first.csv")));
  const [shown] = JSON.parse((await done("ledger", "show", ...ledger, "--json")).stdout);
  expect(shown).toMatchObject({ dataset: "buses", budget: 5, releases: [{ state: "committed" }] });
  expect((await done("ledger", "verify", "--ledger", address)).stdout).toMatch(/^consistent/);
  await done("ledger", "raise", ...ledger, "--budget", "6", "--reason", "a test");
  const open = await run("ledger", "show", "--ledger", address.replace("veilgrid@", "veilgrid:pw@"));
  expect(open).toMatchObject({ status: 2, stdout: "" });
  expect(open.stderr).toMatch(/^veilgrid: postgres:\/\/… has a password in it, .* PGPASSWORD/);
  expect(open.stderr).not.toContain(":pw@");
});

test("whoever is not let in is told so, and the program ends", async () => {
  const address = newAddress();
  for (const args of [
    ["survey", `${address.replace(/\?.*/, "")}?table=t`],
    ["ledger", "show", "--ledger", address],
  ]) {
    const late = sleep(30_000, "it hangs", { ref: false });
    const outcome = await Promise.race([veilgrid(args, { in: root, env: {} }), late]);
    expect(outcome).toMatchObject({ status: 1, stderr: expect.stringContaining("PGPASSWORD") });
  }
});

test("a user who may not make temporary tables is refused before anything is charged", async () => {
  const folder = await releaseFolder();
  const admin = new pg.Client({ connectionString: postgresAddress() });
  await admin.connect();
  const database = new URL(postgresAddress()).pathname.slice(1);
  try {
    await admin.query(
      `CREATE TABLE poor_records (user_id text, value float8, grid text);
       INSERT INTO poor_records SELECT 'u' || x % 9, x % 60, 'g' || x % 3 FROM generate_series(1, 900) AS t(x);
       CREATE ROLE poor_reader LOGIN PASSWORD 'reader'; GRANT SELECT ON poor_records TO poor_reader;
       REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`,
    );
    const source = `${postgresAddress().replace("veilgrid@", "poor_reader@")}?table=poor_records`;
    const run = (...args: string[]) => veilgrid(args, { in: folder, env: { PGPASSWORD: "reader" } });
    const plan = await run(
      "plan",
      source,
      ..."--user user_id --value value --by grid --upper 65 --loss 1 --out poor.json".split(" "),
    );
    expect(plan).toMatchObject({ status: 0 });
    const ledger = ["--ledger", "poor.db", "--dataset", "poor"];
    await veilgridDone(["ledger", "init", ...ledger, ...BUDGET], { in: folder });
    for (const more of [["--dry-run"], ["--out", "poor.csv"]])
      expect(await run("release", source, "--plan", "poor.json", ...ledger, ...more)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("GRANT TEMPORARY"),
      });
    const [shown] = JSON.parse((await veilgridDone(["ledger", "show", ...ledger, "--json"], { in: folder })).stdout);
    expect(shown).toMatchObject({ loss: 0, releases: [] });
  } finally {
    await admin.query(
      `GRANT TEMPORARY ON DATABASE ${database} TO PUBLIC; DROP TABLE IF EXISTS poor_records; DROP ROLE IF EXISTS poor_reader`,
    );
    await admin.end();
  }
});

interface Node {
  readonly service: RunningService;
  readonly curator: ReturnType<typeof createClient>;
}

async function startNode(folder: string, state: string, ledger: string | undefined): Promise<Node> {
  const { startService, createToken } = await builtService();
  const data = [path.join(folder, "data")];
  const service = await startService({
    ...{ state: path.join(folder, state), data, tool: "veilgrid 0.0.0", log: () => undefined },
    ledger,
  });
  const { token } = createToken(service.store, { name: "me", role: "curator" }, new Date());
  return { service, curator: createClient({ url: service.url, token }) };
}

function dataFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "data"));
  const rows = Array.from({ length: 600 }, (_, row) => `b${row % 40},s${row % 12},${row % 60}`);
  writeFileSync(path.join(folder, "data", "buses.csv"), `bus,stop,speed\n${rows.join("\n")}\n`);
  return folder;
}

const registration = (budget: string) => ({
  ...{
    name: "buses",
    source: "buses.csv",
    bounds: "0,60",
    statistics: "mean",
    budget,
    occupancyIsPublic: true as const,
  },
  recipe: { user: "bus", value: "speed", by: "stop" },
});

async function plan({ curator }: Node): Promise<string> {
  const params = { dataset: "buses" };
  const { id } = await curator.startPlan({ params, body: { strategy: "baseline", epsilon: "0.1" } });
  for (;;) {
    const job = await curator.getJob({ params: { job: id } });
    if (job.state === "done") {
      const { plan: hash } = job.result as { plan: string };
      await curator.changeDataset({ params, body: { plan: hash } });
      return hash;
    }
    if (job.state !== "queued" && job.state !== "running") throw new Error(JSON.stringify(job.error));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test("two services register, plan and answer: the same plan, one answer per grid, one charge", async () => {
  const folder = dataFolder();
  const address = newAddress();
  await veilgridDone(["ledger", "init", "--ledger", address, "--dataset", "buses", ...BUDGET], { in: folder, env });
  const nodes = [await startNode(folder, "one", address), await startNode(folder, "two", address)] as const;
  try {
    await nodes[0].curator.registerDataset({ body: registration("5") });
    const wrong = nodes[1].curator.registerDataset({ body: registration("4") });
    await expect(wrong).rejects.toMatchObject({ status: 409, code: "LEDGER_CONFLICT" });
    await nodes[1].curator.registerDataset({ body: registration("5") });
    expect(await plan(nodes[0])).toBe(await plan(nodes[1]));
    const { grids } = await nodes[0].curator.listGrids({ params: { dataset: "buses" } });
    const answers = await Promise.all(
      grids.flatMap(({ grid }) =>
        [0, 1, 0, 1].map(async (node) => {
          const answer = await nodes[node]!.curator.askGrid({ params: { dataset: "buses", grid } });
          return [grid, JSON.stringify(answer)] as const;
        }),
      ),
    );
    for (const { grid } of grids)
      expect(new Set(answers.filter(([of]) => of === grid).map(([, answer]) => answer)).size).toBe(1);
    await using ledger = await openLedgerAt(address);
    expect((await ledger.verify()).problems).toEqual([]);
    const [standing] = await ledger.show();
    expect(standing!.releases).toMatchObject([{ committed: grids.length, pending: [] }]);
    const reserved = standing!.trail.filter(({ kind }) => kind === "reserve");
    expect(reserved).toHaveLength(grids.length);
    // A dataset in use may be served from one more node.
    await nodes[1].service[Symbol.asyncDispose]();
    const third = await startNode(folder, "three", address);
    await third.curator.registerDataset({ body: registration("5") });
    await plan(third);
    const { grid } = grids[0]!;
    const again = await third.curator.getGrid({ params: { dataset: "buses", grid } });
    expect(JSON.stringify(again)).toBe(answers.find(([of]) => of === grid)![1]);
    await third.service[Symbol.asyncDispose]();
  } finally {
    for (const { service } of nodes) await service[Symbol.asyncDispose]();
  }
});

test("a service is not pointed at another ledger than before, nor makes one by a slip", async () => {
  const folder = dataFolder();
  const address = newAddress();
  const refused = (state: string, ledger: string | undefined) =>
    startNode(folder, state, ledger).then(
      async ({ service }) => {
        await service[Symbol.asyncDispose]();
        return "started";
      },
      ({ code, message }) => `${code} ${message}`,
    );
  expect(await refused("state", "ledger.db")).toMatch(/^USAGE --ledger 'ledger.db' is no address of a database/);
  expect(await refused("state", address)).toMatch(/^LEDGER_NOT_FOUND .* make one with veilgrid ledger init/);
  const init = ["ledger", "init", "--ledger", address, "--dataset", "buses", ...BUDGET];
  await veilgridDone(init, { in: folder, env });
  const node = await startNode(folder, "state", address);
  await node.curator.registerDataset({ body: registration("5") });
  await node.service[Symbol.asyncDispose]();
  cpSync(path.join(folder, "state"), path.join(folder, "copy"), { recursive: true });
  const other = newAddress();
  await veilgridDone(["ledger", "init", "--ledger", other, "--dataset", "trams", ...BUDGET], { in: folder, env });
  for (const ledger of [undefined, other])
    expect(await refused("copy", ledger)).toMatch(
      /^LEDGER_CONFLICT .* does not contain journal line .* another ledger/,
    );
  rmSync(path.join(folder, "copy", "ledger-head"));
  for (const ledger of [undefined, other])
    expect(await refused("copy", ledger)).toMatch(
      /^LEDGER_CONFLICT dataset 'buses' of this state folder has no budget in the ledger: it was served with another; give the same --ledger/,
    );
  expect(await refused("copy", address)).toBe("started");
  const demo = await veilgrid(["serve", "--demo", "--ledger", address], { in: folder, env });
  expect(demo).toMatchObject({ status: 2, stderr: expect.stringContaining("--demo brings a ledger of its own") });
});

test("two services under load, killed and started again: one answer per grid, nothing overspent", async () => {
  const script = path.join(root, "lab", "load-test.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--nodes", "2", "--seconds", "20"]);
  console.log(stdout.trim());
  expect(stdout).toMatch(/distinct answers per grid 1,/);
  expect(stdout).toMatch(/overspend 0\n/);
  expect(stdout).toMatch(/consistent: every balance follows from the journal/);
});
