/** Runs test/browser in Chromium, which it finds or, as root on Debian, installs; builds first if something changed: `npm run browser`. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const browser = findBrowser() ?? installed();
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

function findBrowser() {
  const asked = process.env.CHROMIUM;
  if (asked !== undefined) {
    if (existsSync(asked)) return asked;
    fail(`CHROMIUM is ${asked}, and there is no such file`);
  }
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(path.delimiter)];
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => existsSync(file));
}

function installed() {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync("/usr/bin/apt-get"))
    fail(
      "no Chromium was found; install it (Debian: sudo apt-get install chromium) or say where it is: CHROMIUM=/path/to/chromium npm run browser",
    );
  console.error("no Chromium was found: installing Debian's package…");
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-q"], quiet);
  run("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium"], quiet);
  return findBrowser() ?? fail("Debian's package chromium is installed, but no program of that name was found");
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
