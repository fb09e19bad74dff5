/** Debian's chromium for tests and pictures: found, or installed where that is possible. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Its path; installs Debian's package if there is none and we may. */
export function findChromium() {
  const found = findOnly();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0)
    throw new Error("no chromium found: install Debian's package chromium, or say where one is with CHROMIUM=/path");
  console.error("installing chromium");
  const options = {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  spawnSync("apt-get", ["update", "-q"], options);
  spawnSync("apt-get", ["install", "-q", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"], options);
  const installed = findOnly();
  if (installed === undefined) throw new Error("chromium could not be installed");
  return installed;
}

function findOnly() {
  return [process.env["CHROMIUM"], ...PLACES].find((place) => place !== undefined && existsSync(place));
}

/** With software WebGL, so that maps are drawn the same everywhere. */
export function launchChromium(executablePath) {
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
}
