/** One of two shards dies during a release: an error in our words, a ledger that is consistent, and `resume` once the shard is back. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { killShard, startShard } from "../../scripts/servers/clickhouse.mjs";
import { systemBytes } from "../../src/core/noise/index.ts";
import { readPlan } from "../../src/core/planning/index.ts";
import { type Engine, openEngine } from "../../src/data/engines/index.ts";
import { readRecipe } from "../../src/data/partition/index.ts";
import { openLedgerFile } from "../../src/publish/ledger/index.ts";
import { release } from "../../src/publish/release/index.ts";
import { veilgrid, veilgridDone } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { clickhouseFolders, clickhouseShards } from "./support/servers.ts";

const folder = temporaryFolder();
const shards = clickhouseShards();
const source = `clickhouse://${new URL(shards[0]!).host}/default?table=lost`;
const [, second] = clickhouseFolders();
const FLAGS = "--user bus --value speed --by stop".split(" ");
const LEDGER = ["--ledger", "ledger.db", "--dataset", "buses"];

async function ask(shard: string, body: string): Promise<string> {
  const answer = await fetch(shard, { method: "POST", body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text.trim();
}

beforeAll(async () => {
  for (const [index, shard] of shards.entries()) {
    await ask(
      shard,
      "CREATE TABLE lost_local (bus String, stop String, speed Float64) ENGINE = MergeTree ORDER BY bus",
    );
    await ask(shard, "CREATE TABLE lost AS lost_local ENGINE = Distributed(veilgrid, default, lost_local, rand())");
    await ask(
      shard,
      `INSERT INTO lost_local SELECT concat('bus ', toString(intHash32(number) % 400)), concat('stop ', toString(number % 7)), (number * 13 + ${index}) % 66 FROM system.numbers LIMIT 200000`,
    );
  }
  await veilgridDone(["plan", source, ...FLAGS, "--upper", "65", "--loss", "1", "--out", "plan.json"], { in: folder });
  await veilgridDone(["ledger", "init", ...LEDGER, "--budget", "3", "--occupancy-is-public"], { in: folder });
});

afterAll(async () => {
  // Whatever failed, other files find both shards.
  if ((await veilgrid(["survey", source, ...FLAGS], { in: folder })).status !== 0) await startShard(second!);
});

/** As `engine`, but the second shard dies before totals are read, or while they are. */
function losing(engine: Engine, afterMilliseconds: number): Pick<Engine, "readTotals"> {
  return {
    async readTotals(...asked) {
      if (afterMilliseconds === 0) await killShard(second!);
      else setTimeout(() => void killShard(second!), afterMilliseconds);
      return engine.readTotals(...asked);
    },
  };
}

async function releaseWhileLosing(key: string, afterMilliseconds: number): Promise<unknown> {
  const plan = readPlan(await readFile(path.join(folder, "plan.json"), "utf8"), "plan.json");
  await using engine = await openEngine(source);
  await using ledger = await openLedgerFile(path.join(folder, "ledger.db"));
  const records = { source: await engine.describe(source, {}), recipe: readRecipe(plan.partition!) };
  const { occupancy } = await engine.readOccupancy(records);
  const request = {
    ...{ records, occupancy, plan, key, dataset: "buses" },
    notPrivate: false,
    tool: "test",
    reservedAt: new Date(),
  };
  const parties = { engine: losing(engine, afterMilliseconds), ledger, random: systemBytes };
  return await release(parties, request).then(
    () => "released",
    (error: unknown) => error,
  );
}

async function ledgerShow(): Promise<{ loss: number; releases: Array<{ key: string; state: string }> }> {
  const { stdout } = await veilgridDone(["ledger", "show", ...LEDGER, "--json"], { in: folder });
  return JSON.parse(stdout)[0];
}

describe("the second shard dies", () => {
  test("after the charge and before totals are read", async () => {
    const outcome = await releaseWhileLosing("first", 0);
    expect(outcome).toMatchObject({ code: "ENGINE_UNAVAILABLE" });
    expect((outcome as Error).message).not.toMatch(/Exception|DB::|stack/);

    const { stdout } = await veilgridDone(["ledger", "verify", "--ledger", "ledger.db"], { in: folder });
    expect(stdout).toContain("consistent");
    expect((await ledgerShow()).releases).toMatchObject([{ key: "first", state: "pending" }]);
    const charged = (await ledgerShow()).loss;

    const resume = [
      "ledger",
      "resume",
      source,
      "--plan",
      "plan.json",
      ...LEDGER,
      "--key",
      "first",
      "--out",
      "first.csv",
    ];
    const tooSoon = await veilgrid(resume, { in: folder });
    expect([tooSoon.status, tooSoon.stderr.trim().split("\n").at(-1)]).toEqual([
      1,
      expect.stringMatching(/^veilgrid: /),
    ]);

    await startShard(second!);
    await veilgridDone(resume, { in: folder });
    expect(await ledgerShow()).toMatchObject({ loss: charged, releases: [{ key: "first", state: "committed" }] });
    await veilgridDone(["ledger", "verify", "--ledger", "ledger.db"], { in: folder });
  });

  test("at any moment while totals are read: the release is whole or pending, never partial", async () => {
    for (const [index, milliseconds] of [20, 60, 120, 250].entries()) {
      const key = `moment ${index}`;
      const outcome = await releaseWhileLosing(key, milliseconds);
      // It may have been faster than the kill.
      await new Promise((resolve) => setTimeout(resolve, milliseconds + 500));
      if (outcome !== "released") expect(outcome).toMatchObject({ code: "ENGINE_UNAVAILABLE" });
      await startShard(second!);
      const { releases } = await ledgerShow();
      expect(releases.find((each) => each.key === key)?.state).toBe(outcome === "released" ? "committed" : "pending");
      if (outcome !== "released") {
        const given = ["ledger", "void", ...LEDGER, "--key", key];
        await veilgridDone(given, { in: folder });
      } else if (index < 3) {
        await veilgridDone(["ledger", "raise", ...LEDGER, "--budget", String(4 + index), "--reason", "a test"], {
          in: folder,
        });
      }
    }
    await veilgridDone(["ledger", "verify", "--ledger", "ledger.db"], { in: folder });
  });
});
