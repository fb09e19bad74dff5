/** What the page says of balanced plans: beside the best peer, two passes beside one, intervals, other spreads, a real day. */
import { geometricMean, number, percent, ratio, table } from "./markdown.js";
import type { Answered, Question } from "./measured.js";
import { INTERVALS } from "./node-peer.js";
import type { Known, PageInput } from "./peers-page.js";
import type { StatisticName } from "./score.js";

type Which = "scores" | "smoothed";

export function balancedSections(input: PageInput): string[] {
  return [besideBestPeer(input), besideOnePass(input), intervals(input), spreads(input), realDays(input)].flat();
}

/** What a peer answered to a question on a dataset, if it was run. */
function answered({ measured }: PageInput, name: string, { dataset, question }: Case): Answered | undefined {
  return measured
    .find((each) => each.peer.name === name && each.dataset === dataset)
    ?.answered.find((each) => isSame(each.question, question));
}

interface Case {
  readonly dataset: string;
  readonly question: Question;
}

function isSame(one: Question, other: Question): boolean {
  return one.epsilon === other.epsilon && one.statistics.length === other.statistics.length;
}

function casesOf({ datasets, questions }: PageInput, statistics: number): Case[] {
  return datasets.flatMap(({ dataset: { name } }) =>
    questions
      .filter((question) => question.statistics.length === statistics)
      .map((question) => ({ dataset: name, question })),
  );
}

function caseText({ dataset, question }: Case): string {
  return `${dataset}, ε = ${question.epsilon}`;
}

/** The smallest average error of those whose bounds were tuned on the truth. */
function best({ measured }: PageInput, { dataset, question }: Case, statistic: StatisticName, which: Which) {
  const found = measured
    .filter((each) => each.dataset === dataset && each.peer.sweep?.goesBy === "truth")
    .flatMap(({ peer, answered: all }) => {
      const score = all.find((each) => isSame(each.question, question))?.[which]?.[statistic];
      return score === undefined ? [] : [{ title: peer.title, average: score.average }];
    });
  return found.length === 0 ? undefined : found.reduce((one, other) => (other.average < one.average ? other : one));
}

function besideBestPeer(input: PageInput): string[] {
  const rowsOf = (statistics: readonly StatisticName[]) =>
    casesOf(input, statistics.length).flatMap((each) =>
      statistics.flatMap((statistic) => {
        const ours = answered(input, "veilgrid-balanced", each);
        const [peer, peerSmoothed] = (["scores", "smoothed"] as const).map((which) =>
          best(input, each, statistic, which),
        );
        if (ours?.scores === undefined || peer === undefined || peerSmoothed === undefined) return [];
        const [own, ownSmoothed] = [ours.scores[statistic]!.average, ours.smoothed![statistic]!.average];
        const ratios = [own / peer.average, ownSmoothed / peerSmoothed.average] as const;
        const cells = [
          `${caseText(each)}${statistics.length > 1 ? `: ${statistic}` : ""}`,
          ...[`${number(peer.average)} (${peer.title})`, number(own), ratio(ratios[0])],
          ...[`${number(peerSmoothed.average)} (${peerSmoothed.title})`, number(ownSmoothed), ratio(ratios[1])],
        ];
        return [{ cells, ratios }];
      }),
    );
  const head = ["case", "best peer", "ours", "ratio", "best peer, smoothed", "ours, smoothed", "ratio"];
  const means = rowsOf(["mean"]);
  if (means.length === 0) return [];
  const overall = [0, 1].map((at) => ratio(geometricMean(means.map(({ ratios }) => ratios[at]!))));
  return [
    "## Balanced plans beside the best peer",
    "Average error of the mean: ours with the defaults, tuned on nothing, the peers' bounds tuned on the truth, each dataset's and question's best. The last two columns but one tell what smoothing alone gives.",
    table(head, [...means.map(({ cells }) => cells), ["geometric mean", "", "", overall[0]!, "", "", overall[1]!]]),
    "Mean and variance together, at ε = 1:",
    table(
      head,
      rowsOf(["mean", "variance"]).map(({ cells }) => cells),
    ),
  ];
}

function besideOnePass(input: PageInput): string[] {
  const rows = [1, 2].flatMap((statistics) =>
    casesOf(input, statistics).flatMap((each) => {
      const one = answered(input, "veilgrid-one-pass", each);
      const byDefault = answered(input, "veilgrid-balanced", each);
      // Plans of two passes are the same by default and when asked for.
      const two = byDefault?.modelled?.passes === 2 ? byDefault : answered(input, "veilgrid-two-passes", each);
      if (one?.scores === undefined || two?.scores === undefined) return [];
      return each.question.statistics.map((statistic) => {
        const [left, right] = [one.scores![statistic]!.average, two.scores![statistic]!.average];
        return {
          each,
          ratio: right / left,
          cells: [
            `${caseText(each)}${statistics > 1 ? `: ${statistic}, of both` : ""}`,
            ...[number(left), number(right), ratio(right / left)],
            String(byDefault?.modelled?.passes ?? "–"),
          ],
        };
      });
    }),
  );
  if (rows.length === 0) return [];
  const means = rows.filter(({ each }) => each.question.statistics.length === 1);
  const datasets = [...new Set(means.map(({ each }) => each.dataset))];
  const overall = (name: string, some: typeof means): string[] => [
    `${name}, geometric mean`,
    ...["", "", ratio(geometricMean(some.map((each) => each.ratio))), ""],
  ];
  return [
    "## Two passes beside one",
    "Average error, unsmoothed. “Default” is the number of passes that a plan makes unless told otherwise.",
    table(
      ["case", "one pass", "two passes", "ratio", "default"],
      [
        ...rows.map(({ cells }) => cells),
        ...datasets.map((name) =>
          overall(
            `${name}, means`,
            means.filter(({ each }) => each.dataset === name),
          ),
        ),
        overall("all means", means),
      ],
    ),
  ];
}

function intervals(input: PageInput): string[] {
  const rows = ["veilgrid-balanced", "veilgrid-one-pass"].flatMap((name) =>
    [1, 2].flatMap((statistics) =>
      casesOf(input, statistics).flatMap((each) => {
        const found = answered(input, name, each);
        if (found?.modelled === undefined) return [];
        const { coverage, passes, typical } = found.modelled;
        return each.question.statistics.map((statistic) => [
          `${caseText(each)}${statistics > 1 ? `: ${statistic}, of both` : ""}`,
          String(passes),
          `${number(typical[statistic]!)} (${ratio(typical[statistic]! / found.scores![statistic]!.average)})`,
          ...INTERVALS.flatMap((interval) => {
            const { covered, width, knowing } = coverage[statistic]![interval];
            const beside = interval === "worst case" ? "" : ` (${number(knowing)})`;
            return [percent(covered), `${number(width)}${beside}`];
          }),
        ]);
      }),
    ),
  );
  if (rows.length === 0) return [];
  return [
    "## Intervals",
    "95 % intervals over grids and repetitions: how many hold the truth, and their average width; in brackets that of intervals that knew the errors (twice the 95 % quantile of each grid's |error| over repetitions). First the defaults, then plans of one pass. “Typical” is the stated typical error (root mean square, in brackets as a multiple of the average |error|).",
    table(["case", "passes", "typical", ...INTERVALS.flatMap((interval) => [`${interval}: holds`, "width"])], rows),
  ];
}

function spreads(input: PageInput): string[] {
  const names = ["veilgrid-spread-smaller", "veilgrid-spread-larger"] as const;
  const rows = casesOf(input, 1).flatMap((each) => {
    const own = answered(input, "veilgrid-balanced", each);
    const others = names.map((name) => answered(input, name, each)?.scores?.mean?.average);
    if (own?.scores === undefined || others.includes(undefined)) return [];
    const ratios = others.map((average) => average! / own.scores!.mean!.average);
    return [{ ratios, cells: [caseText(each), number(own.scores.mean!.average), ...ratios.map(ratio)] }];
  });
  if (rows.length === 0) return [];
  const overall = names.map((_, at) => ratio(geometricMean(rows.map(({ ratios }) => ratios[at]!))));
  return [
    "## Other spreads",
    "Average error of the mean with all three numbers of `--spread` three times smaller and larger, as multiples of the default's.",
    table(
      ["case", "default", "three times smaller", "three times larger"],
      [...rows.map(({ cells }) => cells), ["geometric mean", "", ...overall]],
    ),
  ];
}

/** Hexagons with most records that are shown one by one. */
const SHOWN = 10;

function realDays(input: PageInput): string[] {
  if (input.busDays.length === 0) return [];
  const cases = (days: readonly Known[]): Case[] => casesOf({ ...input, datasets: days }, 1);
  const rows = cases(input.busDays).flatMap((each) => {
    const own = answered(input, "veilgrid-balanced", each);
    const one = answered(input, "veilgrid-one-pass", each);
    if (own?.scores === undefined || one?.scores === undefined) return [];
    const peer = best(input, each, "mean", "scores");
    const peerSmoothed = best(input, each, "mean", "smoothed");
    const { dataset, truth } = input.busDays.find((day) => day.dataset.name === each.dataset)!;
    const overall = dataset.value.reduce((sum, value) => sum + value, 0) / dataset.value.length;
    const off = truth.mean.reduce((sum, mean) => sum + Math.abs(mean - overall), 0) / truth.mean.length;
    return [
      [
        ...[caseText(each), number(own.scores.mean!.average), number(own.smoothed!.mean!.average)],
        ...[number(one.scores.mean!.average), number(one.smoothed!.mean!.average)],
        ...[peer === undefined ? "–" : number(peer.average)],
        ...[peerSmoothed === undefined ? "–" : number(peerSmoothed.average), number(off)],
        ...(own.modelled === undefined
          ? ["–", "–"]
          : [
              percent(own.modelled.coverage.mean!.model.covered),
              percent(own.modelled.coverage.mean!.smoothed.covered),
            ]),
      ],
    ];
  });
  if (rows.length === 0) return [];
  return [
    "## A real day of buses",
    "Speeds in km/h of a real city's buses in the 60 busiest hexagons of resolution 7 and 8. Average error of the mean; beside it that of writing the overall mean of all records everywhere, which no one could without reading them. The peer is our baseline, its bounds tuned on the truth.",
    table(
      [
        ...["case", "published", "smoothed", "one pass", "smoothed", "baseline", "smoothed", "overall mean everywhere"],
        ...["model intervals hold", "smoothed ones"],
      ],
      rows,
    ),
    ...input.busDays.flatMap((day) => sideBySide(input, day, cases([day]))),
  ];
}

/** One release each: the first. */
function sideBySide(input: PageInput, { dataset, truth }: Known, cases: readonly Case[]): string[] {
  const examples = cases.flatMap((each) => {
    const example = answered(input, "veilgrid-balanced", each)?.example;
    return example === undefined ? [] : [{ each, example }];
  });
  const records = new Float64Array(dataset.grids.length);
  for (const grid of dataset.gridOf) records[grid]! += 1;
  const shown = [...records.keys()].sort((left, right) => records[right]! - records[left]!).slice(0, SHOWN);
  return [
    `${dataset.meaning[0]!.toUpperCase()}${dataset.meaning.slice(1)}: the ${SHOWN} with most records, one release each.`,
    table(
      [
        ...["hexagon", "records", "true"],
        ...examples.flatMap(({ each }) => [`published, ε = ${each.question.epsilon}`, "smoothed"]),
      ],
      shown.map((grid) => [
        ...[dataset.grids[grid]!, String(records[grid]), truth.mean[grid]!.toFixed(1)],
        ...examples.flatMap(({ example }) => [example.published[grid]!.toFixed(1), example.smoothed[grid]!.toFixed(1)]),
      ]),
    ),
  ];
}
