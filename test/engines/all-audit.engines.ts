/** The attacker through every engine: its totals of the worst two datasets are those that arithmetic gives, and what is published of them tells no more than is claimed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadLinearSolver } from "../../src/apps/operations/index.ts";
import { type Engine, openEngine } from "../../src/data/engines/index.ts";
import {
  type AttackedEngine,
  AUDITED_STATISTICS,
  attackMechanism,
  attackOf,
  auditCases,
  MANY_USERS,
  OWNED_GRID,
  ownerCases,
  planThrough,
  readWorstTotals,
  releaseMechanism,
  singleNumbers,
  wholeRelease,
} from "../../src/evidence/audit/index.ts";
import type { RecordsWriter } from "../conformance/write-records.ts";
import { replayedBytes } from "../support/replayed-bytes.ts";
import { tableAddress, tableWriter } from "./support/clickhouse-tables.ts";
import { openPostgres, setUpClient, writeTypedTable } from "./support/postgres-tables.ts";
import { clickhouseShards } from "./support/servers.ts";

const client = setUpClient();
const shards = clickhouseShards();
/** A true claim is called broken with one seed in 20,000; the bytes are the same in every run. */
const CONFIDENCE = 1 - 1 / 20_000;
const RUNS = 8_000;

const ENGINES: ReadonlyArray<readonly [string, () => Promise<Engine>, RecordsWriter]> = [
  ["PostgreSQL", () => openPostgres(), writeTypedTable(client)],
  [
    "two ClickHouse shards",
    () => openEngine(tableAddress(shards[0]!, "any")),
    tableWriter({ servers: shards, columns: "typed", shardedBy: "chance" }),
  ],
];

describe.each(ENGINES)("%s", (_, open, write) => {
  let attacked: AttackedEngine;
  beforeAll(async () => {
    attacked = {
      engine: await open(),
      place: (records) =>
        write(
          records.map((each) => ({ ...each })),
          "",
        ),
    };
  });
  afterAll(() => attacked.engine[Symbol.asyncDispose]());

  test("whole releases under every strategy and estimator, all statistics", async () => {
    const cases = auditCases(await loadLinearSolver()).filter(
      ({ statistics }) => statistics === AUDITED_STATISTICS.at(-1),
    );
    expect(cases).toHaveLength(7);
    for (const { request } of cases) {
      const planned = await planThrough(attacked, MANY_USERS, request);
      const victim = wholeRelease(planned);
      const { totals, asExpected } = await readWorstTotals(attacked, planned, victim);
      expect(asExpected).toBe(true);
      expect(attackOf(planned, victim, totals)).toMatchObject({ tight: true });
    }
  });

  test("single numbers of a grid that one user owns: within their claims, and close to them", async () => {
    for (const { request, estimator } of ownerCases()) {
      const planned = await planThrough(attacked, OWNED_GRID, request);
      for (const victim of singleNumbers(planned)) {
        const { totals, asExpected } = await readWorstTotals(attacked, planned, victim);
        expect(asExpected).toBe(true);
        const attack = attackOf(planned, victim, totals);
        const report = await attackMechanism(attack, releaseMechanism(replayedBytes(7)), {
          runs: RUNS,
          confidence: CONFIDENCE,
        });
        expect(report, `${victim.name}, ${estimator}`).toMatchObject({ tight: true, broken: false });
        expect(report.demonstrated, `${victim.name}, ${estimator}`).toBeGreaterThan(0.8 * report.atBest);
      }
    }
  });
});
