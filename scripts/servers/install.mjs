/** Installs a test server's package in a folder of its own, so that nobody else has to download it. */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../test/engines/servers", import.meta.url));

/**
 * The folder in which the package can be resolved; installs it if its lock changed since. A lock is of no use where a release lacks
 * its siblings for other platforms: npm would refuse it. There the one version that package.json names is installed without.
 */
export function installServer(name, log) {
  const folder = path.join(packages, name);
  const changed = (file) => statSync(path.join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isLocked = changed("package-lock.json") > 0;
  if (changed("node_modules/.package-lock.json") >= changed(isLocked ? "package-lock.json" : "package.json"))
    return folder;
  log(`installing ${name}'s package`);
  const options = { cwd: folder, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" };
  const command = isLocked ? ["ci"] : ["install", "--no-package-lock"];
  const { status } = spawnSync("npm", [...command, "--no-audit", "--no-fund", "--loglevel=error"], options);
  if (status !== 0) throw new Error(`npm ${command[0]} failed in ${folder}`);
  return folder;
}
