/** Runs test/browser in Chromium, which it finds or, as root on Debian, installs; builds first if something changed: `npm run browser`. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfStale } from "./build-if-stale.mjs";
import { findChromium } from "./chromium.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const browser = chromium();
if (!buildIfStale()) process.exit(1);
run(
  process.execPath,
  [
    path.join(root, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--config",
    path.join(root, "test", "browser", "vitest.config.ts"),
    ...process.argv.slice(2),
  ],
  { CHROMIUM: browser },
);

function chromium() {
  const asked = process.env.CHROMIUM;
  if (asked !== undefined && !existsSync(asked)) fail(`CHROMIUM is ${asked}, and there is no such file`);
  try {
    return findChromium();
  } catch (error) {
    return fail(error.message);
  }
}

function run(command, parameters, environment = {}) {
  const { status, error } = spawnSync(command, parameters, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  if (error !== undefined) fail(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(`browser tests: ${message}`);
  process.exit(1);
}
