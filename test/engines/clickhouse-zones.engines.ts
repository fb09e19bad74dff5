/** The ClickHouse engine in every kind of time zone. */
import { openEngine } from "../../src/data/engines/index.ts";
import { describeZoneConformance } from "../conformance/zone-conformance.ts";
import { TABLES, tableAddress, tableWriter } from "./support/clickhouse-tables.ts";
import { clickhouseShards } from "./support/servers.ts";

const servers = clickhouseShards();

describeZoneConformance(
  "ClickHouse 18",
  () => openEngine(tableAddress(servers[0]!, "any")),
  tableWriter({ servers, columns: "typed" }),
  TABLES,
);
