/** Ours as a program of its own: plan and release by the library; repetitions by the real release with a fresh ledger in memory each. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ledgerInit, plan, releaseRecords, toolVersion } from "#apps/operations";
import { Rational } from "#core/arithmetic";
import { systemBytes } from "#core/noise";
import { checkPlan } from "#core/planning";
import { openEngine } from "#data/engines";
import { readRecipe } from "#data/partition";
import { Ledger, MemoryStore } from "#publish/ledger";
import { type ReleaseResult, readResult, release } from "#publish/release";
import { type ReleasedNumber, releaseRenderers } from "#publish/report";
import { type Modelled, type PeerJob, type PeerResult, type PeerTask, runPeer, stopwatch } from "./node-peer.js";
import type { Estimates, StatisticName } from "./score.js";

const DATASET = "peers";
const { releasedRows } = await releaseRenderers();

function planOptionsOf({ lower, upper, columns }: PeerJob, { statistics, epsilon, plan: given }: PeerTask) {
  return {
    bounds: `${lower},${upper}`,
    loss: String(epsilon),
    statistics: statistics.join(","),
    metric: "relative",
    ...given,
    records: columns,
  };
}

interface Answer {
  readonly estimates: Estimates;
  /** Of each statistic's noise, by grid; the same in every repetition unless there are windows. */
  readonly variances: Estimates;
  /** Of balanced plans. */
  readonly modelled: Modelled | undefined;
}

/** A grid that was given up has no numbers under the paper's estimator. */
function answerOf(result: ReleaseResult, { groups }: PeerJob, { statistics }: PeerTask): Answer {
  const rows = new Map(releasedRows(result).map((row) => [row.grid, row.statistics]));
  const each = (pick: (number: ReleasedNumber) => number): Estimates =>
    Object.fromEntries(
      statistics.map((statistic: StatisticName, at) => [
        statistic,
        groups.map((group) => {
          const number = rows.get(group)?.[at]?.numbers[0];
          return number === undefined ? Number.NaN : pick(number);
        }),
      ]),
    );
  return {
    estimates: each(({ value }) => value),
    variances: each(({ scale }) => 2 * scale ** 2),
    modelled:
      result.estimator === "weighted"
        ? {
            typical: each(({ typical }) => typical!),
            smoothed: each(({ smoothed }) => smoothed!),
            intervals: {
              "worst case": [each(({ low }) => low), each(({ high }) => high)],
              model: [each(({ modelLow }) => modelLow!), each(({ modelHigh }) => modelHigh!)],
              smoothed: [each(({ smoothedLow }) => smoothedLow!), each(({ smoothedHigh }) => smoothedHigh!)],
            },
          }
        : undefined,
  };
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
      answers.push(answerOf(result, job, task).estimates);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { seconds, processorSeconds, answers, parts };
}

/** The same question to an engine is asked once. */
function remembering<Given extends unknown[], Answered>(
  ask: (...given: Given) => Promise<Answered>,
): (...given: Given) => Promise<Answered> {
  let known: Promise<Answered> | undefined;
  return (...given) => {
    known ??= ask(...given);
    return known;
  };
}

/** The plan and the engine's exact sums are the same every time; reservation, passes, noise and commits are made anew. */
async function repeated(job: PeerJob, task: PeerTask): Promise<PeerResult> {
  const made = await plan(job.records, planOptionsOf(job, task));
  const evaluation = checkPlan(made.occupancy, made.plan);
  await using engine = await openEngine(job.records);
  const records = {
    source: await engine.describe(job.records, {}, { sampled: [] }),
    recipe: readRecipe(made.plan.partition!),
  };
  const known = {
    readTotals: remembering((...wanted: Parameters<typeof engine.readTotals>) => engine.readTotals(...wanted)),
    readSums: remembering((...wanted: Parameters<typeof engine.readSums>) => engine.readSums(...wanted)),
  };
  const answers: Answer[] = [];
  for (let repetition = 0; repetition < task.repetitions; repetition++) {
    const ledger = new Ledger(new MemoryStore());
    await ledger.init({ dataset: DATASET, budget: Rational.of(1000), occupancyIsPublic: true });
    const { text } = await release(
      { engine: known, ledger, random: systemBytes },
      {
        ...{ records, occupancy: made.occupancy, plan: made.plan, evaluation, dataset: DATASET, key: "once" },
        notPrivate: false,
        tool: toolVersion(),
        reservedAt: new Date(),
      },
    );
    answers.push(answerOf(readResult(text), job, task));
  }
  const { perStatistic, setAside } = made.summary;
  const guaranteed = Math.max(
    perStatistic.find(({ statistic }) => statistic === "mean")!.worstError,
    setAside.length > 0 ? (job.upper - job.lower) / 2 : 0,
  );
  return {
    seconds: [],
    answers: answers.map(({ estimates }) => estimates),
    variances: answers[0]?.variances,
    modelled: answers.flatMap(({ modelled }) => modelled ?? []),
    passes: made.plan.balanced?.passes,
    guaranteed,
  };
}

await runPeer(toolVersion(), (job, task) => (task.timed ? timed(job, task) : repeated(job, task)));
