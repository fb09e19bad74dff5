/** The ClickHouse engine on a current server, with all that it can do and without what older ones lack. */
import { describe } from "vitest";
import { ClickHouseEngine } from "../../src/data/engines/clickhouse/clickhouse-engine.ts";
import { Database } from "../../src/data/engines/clickhouse/database.ts";
import { openEngine } from "../../src/data/engines/index.ts";
import { parseDatabaseUrl } from "../../src/data/sources/index.ts";
import { describeEngineConformance } from "../conformance/engine-conformance.ts";
import { setUpBench } from "../conformance/harness.ts";
import { describePlaces } from "../conformance/partition-conformance.ts";
import { testRandomRecords } from "../conformance/random-conformance.ts";
import { describeKeptRecords, describePlans, describeRepeatedRecords } from "../conformance/rules-conformance.ts";
import { QUIET_ZONES, RESTLESS_ZONES } from "../conformance/scenarios.ts";
import { describeValues } from "../conformance/value-conformance.ts";
import { TABLES, tableAddress, tableWriter } from "./support/clickhouse-tables.ts";
import { currentClickhouse } from "./support/servers.ts";

const servers = [currentClickhouse()];
const address = tableAddress(servers[0]!, "any");

async function openWithoutNews(): Promise<ClickHouseEngine> {
  const database = await Database.open(parseDatabaseUrl(address)!);
  const lacking = { windowFunctions: false, parameters: false, geoToH3: null };
  return new ClickHouseEngine(Object.assign(database, { capabilities: { ...database.capabilities, ...lacking } }));
}

describeEngineConformance(
  "ClickHouse of today over text",
  () => openEngine(address),
  tableWriter({ servers, columns: "text" }),
  TABLES,
);
/** What old servers are asked, asked of a current one: sorted arrays, points mapped here, literals. */
describe("ClickHouse of today over typed columns, asked as an old one", () => {
  const bench = setUpBench(openWithoutNews, tableWriter({ servers, columns: "typed" }), TABLES);
  testRandomRecords(bench, { zones: [...QUIET_ZONES, ...RESTLESS_ZONES], runs: 30 });
  describeValues(bench);
  describeKeptRecords(bench);
  describeRepeatedRecords(bench);
  describePlaces(bench);
  describePlans(bench);
});
