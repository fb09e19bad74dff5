/** The DuckDB engine in every kind of time zone. */
import { DuckDbEngine } from "../../src/data/engines/index.ts";
import { writeJsonLines } from "./write-records.ts";
import { describeZoneConformance } from "./zone-conformance.ts";

describeZoneConformance("DuckDB", () => DuckDbEngine.open({ memory: "512MB", threads: 1 }), writeJsonLines);
