/** The ClickHouse engine on a server of 2018, which has neither hexagons nor window functions nor parameters. */
import { openEngine } from "../../src/data/engines/index.ts";
import { describeEngineConformance } from "../conformance/engine-conformance.ts";
import { OLD_TABLES, tableAddress, tableWriter } from "./support/clickhouse-tables.ts";
import { clickhouseShards } from "./support/servers.ts";

const servers = clickhouseShards();

describeEngineConformance(
  "ClickHouse 18 over a table",
  () => openEngine(tableAddress(servers[0]!, "any")),
  tableWriter({ servers, columns: "typed" }),
  OLD_TABLES,
);
