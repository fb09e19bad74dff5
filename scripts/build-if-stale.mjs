/** Builds the package if a source is newer than what was built from it: for scripts that run the built program. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Whether there is a build of these sources now. */
export function buildIfStale() {
  if (!isStale()) return true;
  return spawnSync(process.execPath, [path.join(root, "scripts", "build.mjs")], { stdio: "inherit" }).status === 0;
}

function isStale() {
  const built = path.join(root, "dist", "web", "index.html");
  if (!existsSync(built)) return true;
  const since = statSync(built).mtimeMs;
  const sources = ["src", "web"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  );
  return [...sources, "package.json", "package-lock.json", "scripts/build.mjs", "docs/figures/figures.json"].some(
    (name) => {
      const about = statSync(path.join(root, name), { throwIfNoEntry: false });
      return about?.isFile() && !/\.test\.tsx?$/.test(name) && about.mtimeMs > since;
    },
  );
}
