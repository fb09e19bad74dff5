/** The ClickHouse engine on two shards: users whole on one of them, and rows anywhere. */
import { describe } from "vitest";
import { openEngine } from "../../src/data/engines/index.ts";
import { describeEngineConformance } from "../conformance/engine-conformance.ts";
import { setUpBench } from "../conformance/harness.ts";
import { testRandomRecords } from "../conformance/random-conformance.ts";
import {
  describeChosenGrids,
  describeKeptRecords,
  describePlans,
  describeRepeatedRecords,
} from "../conformance/rules-conformance.ts";
import { QUIET_ZONES } from "../conformance/scenarios.ts";
import { OLD_TABLES, tableAddress, tableWriter } from "./support/clickhouse-tables.ts";
import { clickhouseShards } from "./support/servers.ts";

const servers = clickhouseShards();
const open = () => openEngine(tableAddress(servers[0]!, "any"));
const sharded = (shardedBy: "user" | "chance") => tableWriter({ servers, columns: "typed", shardedBy });

describeEngineConformance("ClickHouse shards by user", open, sharded("user"), OLD_TABLES);

/** What a record is does not depend on where it lies; which records go together does. */
describe("ClickHouse shards by chance", () => {
  const bench = setUpBench(open, sharded("chance"), OLD_TABLES);
  testRandomRecords(bench, { zones: QUIET_ZONES, runs: 30 });
  describeKeptRecords(bench);
  describeRepeatedRecords(bench);
  describeChosenGrids(bench);
  describePlans(bench);
});
