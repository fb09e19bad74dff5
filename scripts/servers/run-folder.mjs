/** A folder for servers' data that is gone afterwards, with whatever was left running in it. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 20_000;

export function makeRunFolder(prefix) {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  // Servers that do not run as root must get to their own folders in it.
  chmodSync(folder, 0o711);
  return folder;
}

/** Ends servers that tests did not get to stop, then removes the folder. */
export async function removeRunFolder(folder) {
  const left = readdirSync(folder)
    .map((name) => path.join(folder, name, "postmaster.pid"))
    .filter(existsSync)
    .map((file) => Number.parseInt(readFileSync(file, "utf8"), 10))
    .filter(Number.isInteger);
  for (const pid of left) signal(pid, "SIGQUIT");
  for (const until = Date.now() + PATIENCE_MS; left.some((pid) => signal(pid, 0)) && Date.now() < until; )
    await sleep(50);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Whether the process is there to take it. */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
