/** A thread that does pieces of an experiment, one after the other, as they are handed to it. */
import { parentPort } from "node:worker_threads";
import { runTask, type Task } from "../../evidence/experiments/index.ts";
import type { WorkerMessage } from "./run-tasks.ts";

parentPort!.on("message", (task: Task) => {
  const say = (message: WorkerMessage): void => parentPort!.postMessage(message);
  const work = runTask(task);
  for (let told = 0; ; ) {
    const next = work.next();
    if (next.done) {
      say({ result: next.value });
      return;
    }
    if (next.value.done > told) {
      told = next.value.done;
      say({ done: told });
    }
  }
});
