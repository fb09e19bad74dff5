/** Ours as a program of its own: plan and release by the library; repetitions by the real release with a fresh ledger in memory each. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ledgerInit, plan, releaseRecords, toolVersion } from "#apps/operations";
import { Rational } from "#core/arithmetic";
import { systemBytes } from "#core/noise";
import { openEngine, type TotalsReading } from "#data/engines";
import { readRecipe } from "#data/partition";
import { Ledger, MemoryStore } from "#publish/ledger";
import { type ReleaseResult, readResult, release } from "#publish/release";
import { type PeerJob, type PeerResult, type PeerTask, runPeer, stopwatch } from "./node-peer.js";
import type { Estimates } from "./score.js";

const COLUMNS = { user: "user", value: "value", by: "grid" };
const DATASET = "peers";

function planOptionsOf({ lower, upper }: PeerJob, { statistics, epsilon, estimator }: PeerTask) {
  return {
    bounds: `${lower},${upper}`,
    loss: String(epsilon),
    statistics: statistics.join(","),
    metric: "relative",
    estimator: estimator!,
    records: COLUMNS,
  };
}

/** A grid that was given up has no numbers under the paper's estimator. */
function estimatesOf(result: ReleaseResult, { groups }: PeerJob, { statistics }: PeerTask): Estimates {
  const rows = new Map(result.rows.map((row) => [row.grid, row.statistics]));
  const numberOf = (group: string, at: number): number => {
    const released = rows.get(group)?.[at];
    return released === undefined ? Number.NaN : Number(released.steps[0]!) * 2 ** released.stepExponent;
  };
  return Object.fromEntries(statistics.map((statistic, at) => [statistic, groups.map((group) => numberOf(group, at))]));
}

async function timed(job: PeerJob, task: PeerTask): Promise<PeerResult> {
  const answers: Estimates[] = [];
  const seconds: number[] = [];
  const processorSeconds: number[] = [];
  const parts: Record<string, number> = { plan: Number.POSITIVE_INFINITY, release: Number.POSITIVE_INFINITY };
  for (let repetition = 0; repetition < task.repetitions; repetition++) {
    const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-peers-"));
    try {
      const [planFile, ledger] = [path.join(folder, "plan.json"), path.join(folder, "ledger.db")];
      const watch = stopwatch();
      await plan(job.records, planOptionsOf(job, task), { out: planFile });
      const planned = watch();
      await ledgerInit({ ledger, dataset: DATASET, budget: String(task.epsilon), occupancyIsPublic: true });
      const options = { plan: planFile, ledger, dataset: DATASET, out: path.join(folder, "out.csv") };
      const { result } = await releaseRecords(job.records, options);
      const done = watch();
      seconds.push(done.seconds);
      processorSeconds.push(done.processorSeconds);
      parts["plan"] = Math.min(parts["plan"]!, planned.processorSeconds);
      parts["release"] = Math.min(parts["release"]!, done.processorSeconds - planned.processorSeconds);
      answers.push(estimatesOf(result, job, task));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { seconds, processorSeconds, answers, parts };
}

/** The plan and the exact totals are the same every time; reservation, noise and commit are made anew. */
async function repeated(job: PeerJob, task: PeerTask): Promise<PeerResult> {
  const made = await plan(job.records, planOptionsOf(job, task));
  await using engine = await openEngine(job.records);
  const records = {
    source: await engine.describe(job.records, {}, { sampled: [] }),
    recipe: readRecipe(made.plan.partition!),
  };
  let known: Promise<TotalsReading> | undefined;
  const remembering = {
    readTotals: (...wanted: Parameters<typeof engine.readTotals>): Promise<TotalsReading> => {
      known ??= engine.readTotals(...wanted);
      return known;
    },
  };
  const answers: Estimates[] = [];
  for (let repetition = 0; repetition < task.repetitions; repetition++) {
    const ledger = new Ledger(new MemoryStore());
    await ledger.init({ dataset: DATASET, budget: Rational.of(1000), occupancyIsPublic: true });
    const { text } = await release(
      { engine: remembering, ledger, random: systemBytes },
      {
        ...{ records, occupancy: made.occupancy, plan: made.plan, dataset: DATASET, key: "once" },
        notPrivate: false,
        tool: toolVersion(),
        reservedAt: new Date(),
      },
    );
    answers.push(estimatesOf(readResult(text), job, task));
  }
  const { perStatistic, setAside } = made.summary;
  const guaranteed = Math.max(
    perStatistic.find(({ statistic }) => statistic === "mean")!.worstError,
    setAside.length > 0 ? (job.upper - job.lower) / 2 : 0,
  );
  return { seconds: [], answers, guaranteed };
}

await runPeer(toolVersion(), (job, task) => (task.timed ? timed(job, task) : repeated(job, task)));
