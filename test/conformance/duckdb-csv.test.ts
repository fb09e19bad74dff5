/** The DuckDB engine over delimited files, on several threads; other formats have files of their own, so that two can run at once. */
import { DuckDbEngine } from "../../src/data/engines/index.ts";
import { isFull } from "../support/full.ts";
import { describeEngineConformance } from "./engine-conformance.ts";
import { writeCsv, writeGzipCsv } from "./write-records.ts";

const open = (): Promise<DuckDbEngine> => DuckDbEngine.open({ memory: "512MB", threads: 1 });
const openWithThreads = (): Promise<DuckDbEngine> => DuckDbEngine.open({ memory: "512MB", threads: 3 });

describeEngineConformance("DuckDB over CSV", openWithThreads, writeCsv, { absentIds: "empty" });
// duckdb-files.test.ts reads compressed files in every run.
if (isFull) describeEngineConformance("DuckDB over gzip CSV", open, writeGzipCsv, { absentIds: "empty" });
