/** The peers' interface for our own programs: a JSON file of tasks on the command line, JSON with answers, seconds and memory on standard output. */
import { readFileSync } from "node:fs";
import type { ContributionBounds } from "./bounding.js";
import type { Estimates, StatisticName } from "./score.js";

export interface PeerTask {
  readonly statistics: readonly StatisticName[];
  readonly epsilon: number;
  readonly bounds?: ContributionBounds | undefined;
  /** Options of our plans. */
  readonly plan?: Readonly<Record<string, string>> | undefined;
  readonly repetitions: number;
  /** From the file to the numbers each time; otherwise as cheaply as the same noise can be had. */
  readonly timed: boolean;
}

export interface PeerJob {
  readonly records: string;
  /** What the file's columns are, for ours. */
  readonly columns: Readonly<Record<string, string>>;
  readonly groups: readonly string[];
  readonly lower: number;
  readonly upper: number;
  /** A public bound on a group's records. */
  readonly mostRecords: number;
  readonly tasks: readonly PeerTask[];
}

/** Ends of intervals by statistic and grid. */
export type Intervals = readonly [low: Estimates, high: Estimates];
export const INTERVALS = ["model", "smoothed", "worst case"] as const;

/** What a balanced release says beside its numbers. */
export interface Modelled {
  readonly typical: Estimates;
  readonly smoothed: Estimates;
  readonly intervals: Readonly<Record<(typeof INTERVALS)[number], Intervals>>;
}

export interface PeerResult {
  readonly seconds: readonly number[];
  /** All threads and processes together. */
  readonly processorSeconds?: readonly number[] | undefined;
  readonly answers: readonly Estimates[];
  /** Variances of the noise, by statistic and grid, where the peer says so itself. */
  readonly variances?: Estimates | undefined;
  /** One per answer, of our balanced plans; and their passes. */
  readonly modelled?: readonly Modelled[] | undefined;
  readonly passes?: number | undefined;
  /** Of the mean, at the worst grid; for those who plan it themselves. */
  readonly guaranteed?: number | undefined;
  /** Processor seconds of the parts of a timed run, the best of each. */
  readonly parts?: Readonly<Record<string, number>> | undefined;
}

export interface PeerReport {
  readonly version: string;
  readonly peakMegabytes: number;
  readonly results: readonly PeerResult[];
}

export async function runPeer(
  version: string,
  answer: (job: PeerJob, task: PeerTask) => Promise<PeerResult>,
): Promise<void> {
  const job = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as PeerJob;
  const results: PeerResult[] = [];
  for (const task of job.tasks) results.push(await answer(job, task));
  const report: PeerReport = { version, peakMegabytes: process.resourceUsage().maxRSS / 1024, results };
  process.stdout.write(JSON.stringify(report));
}

/** A stopwatch for time on the clock and on processors. */
export function stopwatch(): () => { seconds: number; processorSeconds: number } {
  const start = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - start) / 1000, processorSeconds: (user + system) / 1e6 };
  };
}
