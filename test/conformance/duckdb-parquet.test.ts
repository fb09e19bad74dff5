/** The DuckDB engine over Parquet, on a single thread; what comes after reading is in `duckdb-csv.test.ts`. */
import { DuckDbEngine } from "../../src/data/engines/index.ts";
import { describeEngineConformance } from "./engine-conformance.ts";
import { writeParquet } from "./write-records.ts";

const open = (): Promise<DuckDbEngine> => DuckDbEngine.open({ memory: "512MB", threads: 1 });

describeEngineConformance("DuckDB over Parquet", open, writeParquet, { absentIds: "null", rules: "in full runs" });
