/** The results as a Markdown page: who was run, on what, how far off, how long, in how much memory. */

import { spawnSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import { balancedSections } from "./balanced-page.js";
import { boundsText } from "./bounding.js";
import type { Dataset } from "./datasets.js";
import { number, span, table } from "./markdown.js";
import type { Answered, Measured, Question } from "./measured.js";
import { DATA_FREE, type StatisticName, score } from "./score.js";

/** Records and the truth of them. */
export interface Known {
  readonly dataset: Dataset;
  readonly truth: Readonly<Record<StatisticName, readonly number[]>>;
}

export interface PageInput {
  readonly measured: readonly Measured[];
  readonly datasets: readonly Known[];
  /** A real day's buses; none where the file is not there. */
  readonly busDays: readonly Known[];
  readonly questions: readonly Question[];
  readonly repetitions: number;
  readonly lossShares: { readonly mean: number; readonly both: number };
  /** undefined where some of it was measured in an earlier run. */
  readonly minutes: number | undefined;
  readonly command: string;
}

export function peersPage(input: PageInput): string {
  const { datasets, questions, repetitions, lossShares, minutes, command } = input;
  const measured = input.measured.filter(
    ({ peer, dataset }) => peer.isVariant !== true && datasets.some((each) => each.dataset.name === dataset),
  );
  return [
    "# Peers, side by side",
    `Printed by \`${command}\` (${minutes === undefined ? "some of it measured in a run before" : `${minutes.toFixed(0)} minutes`}). What is compared, and how the guarantees differ: \`lab/bench/peers/README.md\`.`,
    `Machine: ${machine()}.`,
    `Errors are averages over ${repetitions} repetitions (where a row has fewer, it says so) of the mean and of the largest |error| over grids, against the statistics of all records, everybody's numbers clamped to what the statistic can be. ` +
      "Bounds are a user's grids × records in each, or records in all grids together; they were swept against the truth. " +
      "“Sweep” is the average error that the sweep's model had foreseen; a tool far from it was not run as well as it could be. " +
      "“Smoothed” is the average error of the same numbers after our smoother, which a balanced release publishes beside its own; others are smoothed with the noise that their own parameters imply, and with a hexagon's neighbours where grids are hexagons, as ours are. " +
      "“Guaranteed” is what can be promised for the worst grid before values are looked at: the most that leaving records out can move its mean, and the expected noise; where counts are protected the noise is not known beforehand, and only the former is given, as “over”.",
    `The baseline's noise by enumeration of tiny arrays: a user loses at most ${lossShares.mean.toFixed(6)} ε for means (attained), ${lossShares.both.toFixed(6)} ε for mean and variance.`,
    "## Tools",
    table(["tool", "protects", "version", "run"], tools(measured)),
    "## Records",
    table(
      ["dataset", "records", "users", "grids", "users per grid", "grids per user", "means", "what it is"],
      datasets.map(({ dataset, truth }) => [dataset.name, ...facts(dataset), span(truth.mean), dataset.meaning]),
    ),
    ...balancedSections(input),
    "## Error",
    ...datasets.flatMap(({ dataset, truth }) =>
      questions.flatMap((question) => [
        `### ${dataset.name}: ${question.statistics.join(" and ")}, ε = ${question.epsilon}`,
        errors(
          measured.filter((each) => each.dataset === dataset.name),
          question,
          truth,
        ),
      ]),
    ),
    "## Time and memory",
    "Mean at ε = 1, from the file of records to the numbers, one process at a time; starting and importing are left out. Seconds on the clock, processor seconds of all threads and processes, and peak memory of the process and those it started; best of 2 or 3 runs. " +
      `Other work was under way (load average before the timing: ${span(measured.flatMap(({ timed }) => (timed === undefined ? [] : [timed.load])))}): where it exceeds a core or so, trust processor seconds rather than the clock. ` +
      "Ours is plan + release (processor seconds of both in brackets), with the ledger on disk; a plan reads no values and is made once for as many releases as the budget allows.",
    table(
      ["tool", ...datasets.flatMap(({ dataset: { name } }) => [`${name}: s`, "CPU s", "MB"])],
      costs(measured, datasets),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

function machine(): string {
  const python = spawnSync("python3.11", ["--version"], { encoding: "utf8" }).stdout?.trim() ?? "";
  const processors = cpus();
  return [
    `${processors.length} cores (${processors[0]?.model.trim()})`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.version}`,
    python,
    process.platform,
  ]
    .filter((fact) => fact !== "")
    .join(", ");
}

function tools(measured: readonly Measured[]): string[][] {
  const peers = [...new Set(measured.map(({ peer }) => peer))];
  return peers.map((peer) => {
    const own = measured.filter((each) => each.peer === peer);
    const failed = own.filter(({ notRun }) => notRun !== undefined);
    const run =
      failed.length === 0
        ? "yes"
        : `not run${failed.length < own.length ? ` on ${failed.map(({ dataset }) => dataset).join(", ")}` : ""}: ${failed[0]!.notRun}`;
    return [peer.title, peer.protects, own.find(({ timed }) => timed !== undefined)?.timed?.version ?? "–", run];
  });
}

function facts({ users, grids, userOf, gridOf, value }: Dataset): string[] {
  const pairs = new Set(
    value.length === 0 ? [] : Array.from(userOf, (user, record) => user * grids.length + gridOf[record]!),
  );
  const ofGrid = new Uint32Array(grids.length);
  const ofUser = new Uint32Array(users.length);
  for (const pair of pairs) {
    ofGrid[pair % grids.length]! += 1;
    ofUser[Math.floor(pair / grids.length)]! += 1;
  }
  return [
    value.length.toLocaleString("en-US"),
    users.length.toLocaleString("en-US"),
    String(grids.length),
    span([...ofGrid], 0),
    span([...ofUser], 0),
  ];
}

function errors(
  measured: readonly Measured[],
  { statistics, epsilon }: Question,
  truth: Readonly<Record<StatisticName, readonly number[]>>,
): string {
  const columns = statistics.flatMap((statistic) => [
    `${statistic}: average`,
    `${statistic}: worst`,
    `${statistic}: smoothed`,
  ]);
  const asked = ({ question }: Answered): boolean =>
    question.epsilon === epsilon && question.statistics.length === statistics.length;
  const rows = measured.map(({ peer, notRun, answered }) => {
    const found = answered.find(asked);
    const many = found === undefined ? "" : `, ${found.repetitions} repetitions`;
    const name = `${peer.title}${peer.mostRepetitions === undefined ? "" : many}`;
    if (notRun !== undefined) return [name, peer.protects, "not run", "", "", ...columns.map(() => "–")];
    if (found?.scores === undefined) return [name, peer.protects, "has no variance", "", "", ...columns.map(() => "–")];
    return [
      name,
      peer.protects,
      found.bounds === undefined ? planned(found) : boundsText(found.bounds),
      found.expected === undefined ? "" : number(found.expected),
      promise(found),
      ...statistics.flatMap((statistic) => {
        const { average, worst } = found.scores![statistic]!;
        return [number(average), number(worst), number(found.smoothed![statistic]!.average)];
      }),
    ];
  });
  const free = statistics.flatMap((statistic) => {
    const middle = statistic === "mean" ? DATA_FREE.mean : DATA_FREE.variance;
    const { average, worst } = score(statistic, truth[statistic], [truth[statistic].map(() => middle)]);
    return [number(average), number(worst), ""];
  });
  return table(
    ["tool", "protects", "bounds", "sweep", "mean: guaranteed", ...columns],
    [...rows, ["the middle of the range, for nothing", "everything", "", "", number(DATA_FREE.mean), ...free]],
  );
}

function planned({ modelled }: Answered): string {
  if (modelled === undefined) return "by the plan";
  return `by the plan, ${modelled.passes === 1 ? "one pass" : "two passes"}`;
}

function promise({ guaranteed, worstBias }: Answered): string {
  if (guaranteed !== undefined) return number(guaranteed);
  return worstBias === undefined ? "" : `over ${number(worstBias)}`;
}

function costs(measured: readonly Measured[], datasets: PageInput["datasets"]): string[][] {
  const peers = [...new Set(measured.map(({ peer }) => peer))];
  return peers.map((peer) => [
    peer.title,
    ...datasets.flatMap(({ dataset: { name } }) => {
      const found = measured.find((each) => each.peer === peer && each.dataset === name)?.timed;
      if (found === undefined) return ["not run", "–", "–"];
      const parts = Object.values(found.parts ?? {}).map((part) => part.toFixed(1));
      const inBrackets = parts.length > 0 ? ` (${parts.join(" + ")})` : "";
      return [number(found.seconds), `${number(found.processorSeconds)}${inBrackets}`, found.peakMegabytes.toFixed(0)];
    }),
  ]);
}
