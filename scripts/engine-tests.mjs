/** Tests against real database servers: installs and starts them, runs test/engines, stops them again: `npm run test:engines [-- --only NAME] [FILTER]`. */
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfStale } from "./build-if-stale.mjs";
import { SERVER_NAMES, withServers } from "./servers/with-servers.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const log = (line) => console.error(`engine tests: ${line}`);

const rest = process.argv.slice(2);
const at = rest.indexOf("--only");
const only = at < 0 ? undefined : rest.splice(at, 2)[1];
if (at >= 0 && !SERVER_NAMES.includes(only)) {
  log(`--only takes one of ${SERVER_NAMES.join(", ")}`);
  process.exit(2);
}
if (!buildIfStale()) process.exit(1);

process.exitCode = await withServers(only === undefined ? SERVER_NAMES : [only], log, (env, signal) => {
  const program = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const config = path.join(root, "vitest.engines.config.ts");
  const tests = spawn(process.execPath, [program, "run", "--config", config, ...rest], {
    cwd: root,
    stdio: "inherit",
    env: { ...env, VEILGRID_TEST_ONLY: only ?? "" },
  });
  signal.addEventListener("abort", () => tests.kill("SIGTERM"));
  return new Promise((resolve) => tests.once("close", (code) => resolve(code ?? 1)));
});
