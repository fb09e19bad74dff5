/** The textbook baseline as a program of its own, so that time and memory are measured as the others' are. */
import { readFileSync } from "node:fs";
import { SeededRandom } from "#evidence/simulation";
import { boundedLaplace } from "./bounded-laplace.js";
import { keptMoments } from "./bounding.js";
import type { Dataset } from "./datasets.js";
import { type PeerJob, runPeer, stopwatch } from "./node-peer.js";

function readRecords({ records, groups }: PeerJob): Dataset {
  const gridNumber = new Map(groups.map((group, index) => [group, index]));
  const userNumber = new Map<string, number>();
  const rows = readFileSync(records, "utf8").trimEnd().split("\n").slice(1);
  const userOf = new Uint32Array(rows.length);
  const gridOf = new Uint32Array(rows.length);
  const value = new Float64Array(rows.length);
  rows.forEach((row, record) => {
    const [user, grid, number] = row.split(",") as [string, string, string];
    if (!userNumber.has(user)) userNumber.set(user, userNumber.size);
    userOf[record] = userNumber.get(user)!;
    gridOf[record] = gridNumber.get(grid)!;
    value[record] = Number(number);
  });
  return {
    name: "",
    meaning: "",
    users: [...userNumber.keys()],
    grids: groups,
    userOf,
    gridOf,
    value,
    hasPlaces: false,
  };
}

let seed = 100;
await runPeer("this repository", async (job, task) => {
  const { epsilon, statistics } = task;
  const bounds = task.bounds!;
  const random = new SeededRandom(++seed);
  const seconds: number[] = [];
  const processorSeconds: number[] = [];
  let moments = task.timed ? undefined : keptMoments(readRecords(job), bounds);
  const answers = Array.from({ length: task.repetitions }, () => {
    const watch = stopwatch();
    if (task.timed) moments = keptMoments(readRecords(job), bounds);
    const estimates = boundedLaplace(moments!, { bounds, epsilon, statistics }, random);
    const spent = watch();
    seconds.push(spent.seconds);
    processorSeconds.push(spent.processorSeconds);
    return estimates;
  });
  return { seconds, processorSeconds, answers };
});
