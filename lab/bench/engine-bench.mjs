/** `npm run bench:engines [-- --records N] [--only duckdb|postgres|clickhouse]`: survey and totals on every engine beside its bare queries, on real servers that are started for it. */
import { spawn } from "node:child_process";
import path from "node:path";
import { SERVER_NAMES, withServers } from "../../scripts/servers/with-servers.mjs";

const root = path.resolve(import.meta.dirname, "..", "..");
const log = (line) => console.error(`engine bench: ${line}`);

const only = process.argv.indexOf("--only");
const needed = only < 0 ? SERVER_NAMES : SERVER_NAMES.filter((name) => name === process.argv[only + 1]);

process.exitCode = await withServers(needed, log, (env, signal) => {
  const program = path.join(root, "build", "bench", "engines.js");
  const bench = spawn(process.execPath, ["--expose-gc", program, ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
    env,
  });
  signal.addEventListener("abort", () => bench.kill("SIGTERM"));
  return new Promise((resolve) => bench.once("close", (code) => resolve(code ?? 1)));
});
