/** Small disks that can be filled and shut: a tmpfs where this process may mount one, otherwise a reason why not. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import path from "node:path";

const mounted = [];
let made = 0;
let refusal;

/** A disk of so many bytes, or undefined; `whyNot` then says why. */
export function smallDisk(folder, bytes) {
  const place = path.join(folder, `disk-${made++}`);
  mkdirSync(place);
  const { status, error } = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${bytes},mode=0777`,
    "veilgrid-hazards",
    place,
  ]);
  if (status !== 0) {
    refusal = error === undefined ? "this process may not mount a small disk (root may)" : "there is no mount command";
    return undefined;
  }
  mounted.push(place);
  return new SmallDisk(place);
}

export function whyNot() {
  return refusal;
}

export function releaseMounts() {
  // Lazily: something that was killed may still be on its way out.
  for (const place of mounted.splice(0)) spawnSync("umount", ["-l", place]);
}

class SmallDisk {
  #filler;

  constructor(place) {
    this.place = place;
    this.#filler = path.join(place, "filler");
  }

  at(...names) {
    return path.join(this.place, ...names);
  }

  /** Fills it, but for so many bytes. */
  fill(free = 0) {
    const { bavail, bsize } = statfsSync(this.place);
    const file = openSync(this.#filler, "a");
    try {
      for (let left = bavail * bsize - free; left > 0; left -= bsize)
        writeSync(file, Buffer.alloc(Math.min(bsize, left)));
    } catch (error) {
      if (error.code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  makeRoom() {
    rmSync(this.#filler, { force: true });
  }

  readOnly(is) {
    const { status, stderr } = spawnSync("mount", ["-o", `remount,${is ? "ro" : "rw"}`, this.place]);
    if (status !== 0) throw new Error(`cannot remount: ${stderr}`);
  }

  remove() {
    spawnSync("umount", ["-l", this.place]);
    const at = mounted.indexOf(this.place);
    if (at >= 0) mounted.splice(at, 1);
  }
}
