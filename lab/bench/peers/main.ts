/** `npm run bench:peers [-- --only opendp,tumult] [--repetitions 5] [--resume] [--bus-day FILE]`: the same job by public tools, by a textbook baseline and by us; writes lab/bench/results/peers.md. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { assess } from "./assess.js";
import type { ContributionBounds } from "./bounding.js";
import { busDays } from "./bus-day.js";
import { type Dataset, datasetCsv, LOWER, makeDatasets, truthOf, UPPER } from "./datasets.js";
import { makeEnvironment } from "./environments.js";
import type { Measured, Question } from "./measured.js";
import type { PeerJob, PeerReport, PeerTask } from "./node-peer.js";
import { PEERS, type Peer } from "./peers.js";
import { peersPage } from "./peers-page.js";
import { type Program, runProgram } from "./run-program.js";
import type { StatisticName } from "./score.js";
import { largestLossShare } from "./self-check.js";
import { columnsOf } from "./smoothing.js";
import { Sweep, type Swept } from "./sweep.js";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const folder = path.join(root, "build", "peers");
const unfinished = path.join(folder, "peers.md");
const log = (line: string): void => console.error(`peers: ${line}`);

const QUESTIONS: readonly Question[] = [
  { statistics: ["mean"], epsilon: 1 },
  { statistics: ["mean"], epsilon: 3 },
  { statistics: ["mean", "variance"], epsilon: 1 },
];
/** Who is run on a real day's records. */
const DAY_PEERS = ["veilgrid-balanced", "veilgrid-one-pass", "bounded-laplace"];
const AT_ONCE = 2;

const flag = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const repetitions = Number(flag("--repetitions") ?? 50);
const only = flag("--only")?.split(",");
const taking = PEERS.filter(({ name }) => only === undefined || only.includes(name));

/** A number no user can move: the next power of ten above the largest group. */
function publicMostRecords({ gridOf, grids }: Dataset): number {
  const count = new Uint32Array(grids.length);
  for (const grid of gridOf) count[grid]! += 1;
  return 10 ** Math.ceil(Math.log10(Math.max(...count) + 1));
}

function programOf(peer: Peer): Program | string {
  const here = path.join(root, "lab", "bench", "peers", "python");
  if (peer.kind === "node")
    return { command: process.execPath, given: [path.join(root, "build", "bench", "peers", peer.program)], env: {} };
  const environment = makeEnvironment({
    name: peer.program,
    requirements: path.join(here, `${peer.program}.txt`),
    folder,
    needsJava: peer.needsJava ?? false,
  });
  if (typeof environment === "string") return environment;
  return { command: environment.python, given: [path.join(here, `${peer.program}_peer.py`)], env: environment.env };
}

interface Prepared {
  readonly dataset: Dataset;
  readonly truth: Readonly<Record<StatisticName, readonly number[]>>;
  readonly file: string;
  readonly sweep: Sweep;
}

interface Run {
  readonly peer: Peer;
  readonly data: Prepared;
}

function prepare(dataset: Dataset): Prepared {
  const file = path.join(folder, `${dataset.name}.csv`);
  writeFileSync(file, datasetCsv(dataset));
  return { dataset, truth: truthOf(dataset), file, sweep: new Sweep(dataset) };
}

function tasksOf(peer: Peer, { sweep }: Prepared, questions: readonly Question[], timed: boolean) {
  return questions
    .filter(({ statistics }) => peer.hasVariance || statistics.length === 1)
    .map((question) => {
      const swept = peer.sweep && sweepOf(peer, sweep, question);
      const task: PeerTask = {
        ...question,
        ...(swept === undefined ? {} : { bounds: swept.bounds }),
        ...(peer.plan === undefined ? {} : { plan: peer.plan }),
        repetitions: timed ? peer.timedRuns : Math.min(repetitions, peer.mostRepetitions ?? repetitions),
        timed,
      };
      return { question, swept, task };
    });
}

function sweepOf({ sweep: wanted }: Peer, sweep: Sweep, { statistics, epsilon }: Question): Swept {
  const { release, isAllowed, goesBy } = wanted!;
  const scale = wanted!.scale?.(epsilon, statistics);
  const request = { statistics, scale, isAllowed: (bounds: ContributionBounds) => isAllowed(bounds, statistics) };
  return goesBy === "truth" ? sweep.byTruth(release(epsilon, statistics), request) : sweep.byGuarantee(scale!, request);
}

const jobOf = ({ dataset, file }: Prepared, tasks: readonly PeerTask[]): PeerJob => ({
  ...{ records: file, columns: columnsOf(dataset), groups: dataset.grids, lower: LOWER, upper: UPPER, tasks },
  mostRecords: publicMostRecords(dataset),
});

async function inTurn<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const started = performance.now();
mkdirSync(folder, { recursive: true });
const lossShares = { mean: largestLossShare(["mean"]), both: largestLossShare(["mean", "variance"]) };
if (Math.abs(lossShares.mean - 1) > 1e-9 || lossShares.both > 1 + 1e-9)
  throw new Error(`the baseline loses ${lossShares.mean} and ${lossShares.both} of ε by enumeration`);
log(
  `baseline by enumeration: loses ${lossShares.mean.toFixed(6)} ε at most for means, ${lossShares.both.toFixed(6)} ε for both`,
);

log("making records and sweeping bounds");
const prepared = makeDatasets(path.join(root, "lab", "bench", "peers", "city.csv.gz")).map(prepare);
const programs = new Map(taking.map((peer) => [peer, programOf(peer)]));
const measured: Measured[] = [];
const busDay = flag("--bus-day");
const days = busDay === undefined ? [] : busDays(busDay).map(prepare);
const ofDays = taking.filter(({ name }) => DAY_PEERS.includes(name));
const runs: readonly Run[] = [
  ...prepared.flatMap((data) => taking.map((peer) => ({ peer, data }))),
  ...days.flatMap((data) => ofDays.map((peer) => ({ peer, data }))),
];

const keyOf = ({ peer, data }: Run): string => `${peer.name}-${data.dataset.name}`;
const savedAs = (run: Run): string => path.join(folder, `measured-${keyOf(run)}.json`);

// Quick ones first, so that a run that is cut short has most of the table.
for (const isSlow of [false, true]) {
  const times = new Map<Run, PeerReport | string>();
  const load = loadavg()[0]!;
  const group = runs.filter((run) => (run.peer.isSlow ?? false) === isSlow && !resumed(run));
  log(`timing ${group.length} one at a time`);
  for (const run of group.filter(({ peer }) => peer.timedRuns > 0)) {
    const tasks = tasksOf(run.peer, run.data, QUESTIONS.slice(0, 1), true).map(({ task }) => task);
    const report = await runTasks(run, tasks);
    times.set(run, report);
    log(`${keyOf(run)}: ${typeof report === "string" ? report : `${best(report.results[0]!.seconds).toFixed(2)} s`}`);
  }
  log(`errors, ${AT_ONCE} at a time`);
  await inTurn(group, AT_ONCE, async (run) => {
    const time = times.get(run);
    const isDay = days.includes(run.data);
    const wanted = tasksOf(
      run.peer,
      run.data,
      QUESTIONS.filter(({ statistics }) => !isDay || statistics.length === 1),
      false,
    );
    const tasks = wanted.map(({ task }) => task);
    const report = typeof time === "string" ? time : await runTasks(run, tasks);
    log(`${keyOf(run)}: ${typeof report === "string" ? report : "done"}`);
    const result = measuredOf(run, { time: typeof time === "string" ? undefined : time, load, report, wanted });
    measured.push(result);
    writeFileSync(savedAs(run), JSON.stringify(result));
    writePage(unfinished);
  });
}

async function runTasks({ peer, data }: Run, tasks: readonly PeerTask[]): Promise<PeerReport | string> {
  const program = programs.get(peer)!;
  return typeof program === "string" ? program : await runProgram(program, jobOf(data, tasks), folder);
}

/** With `--resume`, what an earlier run that was cut short has measured. */
function resumed(run: Run): boolean {
  if (!process.argv.includes("--resume") || !existsSync(savedAs(run))) return false;
  measured.push({ ...(JSON.parse(readFileSync(savedAs(run), "utf8")) as Measured), peer: run.peer });
  return true;
}

function best(values: readonly number[]): number {
  return Math.min(...values);
}

function measuredOf(
  { peer, data }: Run,
  {
    time,
    load,
    report,
    wanted,
  }: {
    time: PeerReport | undefined;
    load: number;
    report: PeerReport | string;
    wanted: ReturnType<typeof tasksOf>;
  },
): Measured {
  const timed = time && {
    version: time.version,
    seconds: best(time.results[0]!.seconds),
    processorSeconds: best(time.results[0]!.processorSeconds!),
    parts: time.results[0]!.parts,
    peakMegabytes: time.peakMegabytes,
    load,
  };
  return {
    ...{ peer, dataset: data.dataset.name, timed },
    notRun: typeof report === "string" ? report : undefined,
    answered: wanted.map(({ question, swept, task }, at) => ({
      ...{ question, bounds: swept?.bounds, expected: swept?.expected, repetitions: task.repetitions },
      worstBias: swept?.worstBias,
      guaranteed: swept?.guaranteed ?? (typeof report === "string" ? undefined : report.results[at]!.guaranteed),
      ...assess(typeof report === "string" ? undefined : report.results[at]!, {
        ...{ question, swept, truth: data.truth, dataset: data.dataset },
        variance: peer.sweep?.variance(question.epsilon, question.statistics),
      }),
    })),
  };
}

/** Written after every result, so that a run that is cut short leaves what it has. */
function writePage(file: string): string {
  measured.sort((left, right) => order(left) - order(right));
  const page = peersPage({
    measured,
    datasets: prepared.map(({ dataset, truth }) => ({ dataset, truth })),
    busDays: days.map(({ dataset, truth }) => ({ dataset, truth })),
    questions: QUESTIONS,
    repetitions,
    lossShares,
    minutes: process.argv.includes("--resume") ? undefined : (performance.now() - started) / 60_000,
    command: `npm run bench:peers${process.argv.length > 2 ? ` -- ${process.argv.slice(2).join(" ")}` : ""}`,
  });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
  return page;
}

function order(each: Measured): number {
  return runs.findIndex(({ peer, data }) => peer === each.peer && data.dataset.name === each.dataset);
}

console.log(writePage(only === undefined ? path.join(root, "lab", "bench", "results", "peers.md") : unfinished));
