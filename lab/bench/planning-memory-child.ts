/** One step of planning in a process of its own: prints its peak resident memory beyond that of the array, its processor time and the clock's. */
import { readFileSync, writeFileSync } from "node:fs";
import { BALANCED_PLANS } from "./balanced-plans.js";
import { collectGarbage } from "./collect-garbage.js";
import { readColumns } from "./columns-file.js";
import { PLANS } from "./planning-memory-plans.js";

const resident = (field: "VmRSS" | "VmHWM"): number => {
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync("/proc/self/status", "utf8"))!;
  return 1024 * Number(kilobytes);
};

const [file, name] = process.argv.slice(2);
const occupancy = readColumns(file!);
await collectGarbage();
// The peak is counted from here on.
writeFileSync("/proc/self/clear_refs", "5");
const before = resident("VmRSS");
const started = process.cpuUsage();
const start = performance.now();
({ ...PLANS, ...BALANCED_PLANS })[name!]!(occupancy);
const clock = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(started);
console.log(JSON.stringify({ bytes: resident("VmHWM") - before, seconds: (user + system) / 1e6, clock }));
