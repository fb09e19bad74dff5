/** The DuckDB engine over JSON lines and JSON arrays, on a single thread; what comes after reading is in `duckdb-csv.test.ts`. */
import { DuckDbEngine } from "../../src/data/engines/index.ts";
import { isFull } from "../support/full.ts";
import { describeEngineConformance } from "./engine-conformance.ts";
import { writeJsonArray, writeJsonLines } from "./write-records.ts";

const open = (): Promise<DuckDbEngine> => DuckDbEngine.open({ memory: "512MB", threads: 1 });

describeEngineConformance("DuckDB over JSON lines", open, writeJsonLines, { absentIds: "null", rules: "in full runs" });
// duckdb-files.test.ts reads arrays in every run.
if (isFull) describeEngineConformance("DuckDB over JSON arrays", open, writeJsonArray);
