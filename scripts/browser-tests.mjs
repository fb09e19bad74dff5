/** Runs test/browser in Chromium, which it finds or, as root on Debian, installs; builds first if something changed: `npm run browser`. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "./chromium.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const browser = chromium();
if (isStale()) run(process.execPath, [path.join(root, "scripts", "build.mjs")]);
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

/** Whether a source is newer than what was built from it. */
function isStale() {
  const built = path.join(root, "dist", "web", "index.html");
  if (!existsSync(built)) return true;
  const since = statSync(built).mtimeMs;
  const sources = ["src", "web"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  );
  return [...sources, "package.json", "scripts/build.mjs", "docs/figures/figures.json"].some((name) => {
    const about = statSync(path.join(root, name), { throwIfNoEntry: false });
    return about?.isFile() && !/\.test\.tsx?$/.test(name) && about.mtimeMs > since;
  });
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
