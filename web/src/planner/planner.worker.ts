/** Runs the planner in a worker: takes an occupancy array once, then plans; newer work replaces older. */
import { VeilgridError } from "../../../src/core/errors/index.ts";
import { type Occupancy, OccupancyCsvReader } from "../../../src/core/occupancy/index.ts";
import { curveOf } from "./curve.ts";
import type { FromWorker, ToWorker, Work } from "./messages.ts";
import { planFor, viewOf } from "./plan-for.ts";

const PROGRESS_MS = 250;

let occupancy: Occupancy | undefined;
let latest = 0;

function say(message: FromWorker): void {
  postMessage(message);
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "occupancy") {
    const reader = new OccupancyCsvReader("occupancy");
    reader.push(data.csv);
    occupancy = reader.finish().occupancy;
    return;
  }
  latest = data.id;
  void run(data.id, data.work);
});

async function run(id: number, work: Work): Promise<void> {
  try {
    if (work.kind === "curve") await runCurve(id, work);
    else await runPlan(id, work);
  } catch (error) {
    const message = error instanceof VeilgridError ? error.message : String(error);
    say({ kind: "failed", id, message });
  }
}

async function runPlan(id: number, work: Exclude<Work, { kind: "curve" }>): Promise<void> {
  const began = performance.now();
  let reportedAt = began;
  const quality =
    work.kind === "sketch" ? ({ kind: "sketch", near: work.near } as const) : ({ kind: "refined" } as const);
  const steps = planFor(occupancy!, work.asked, quality);
  for (;;) {
    const next = steps.next();
    if (next.done) {
      const plan = viewOf(occupancy!, next.value);
      say({ kind: "plan", id, plan, milliseconds: performance.now() - began });
      return;
    }
    if (work.kind === "sketch") continue;
    // Every word makes the page draw itself again.
    if (performance.now() - reportedAt > PROGRESS_MS) {
      reportedAt = performance.now();
      say({ kind: "progress", id, step: next.value.step });
    }
    await otherMessages();
    if (latest !== id) return;
  }
}

async function runCurve(id: number, { settings }: { readonly settings: Parameters<typeof curveOf>[1] }): Promise<void> {
  let curve: Parameters<typeof say>[0] | undefined;
  for (const step of curveOf(occupancy!, settings)) {
    if ("curve" in step) {
      curve = { kind: "curve", id, curve: step.curve, done: false };
      say(curve);
    }
    await otherMessages();
    if (latest !== id) return;
  }
  if (curve?.kind === "curve") say({ ...curve, done: true });
}

/** Lets messages through that came meanwhile; a timer would be slowed down to four milliseconds. */
function otherMessages(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
