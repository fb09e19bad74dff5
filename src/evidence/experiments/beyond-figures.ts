/** The second eight figures: joint losses and the frontier, over ten times the paper's range of ε. */
import { itemAt } from "../../core/errors/index.ts";
import type { Figure } from "../../publish/report/index.ts";
import { type Drawn, ends, errorLabel, figureOf, short } from "./figure-parts.ts";
import { epsilonRange, firstPoint, frontierSeries, type Spread, type Study, series, worthlessBelow } from "./study.ts";

export function beyondFigures(study: Study): Figure[] {
  return [lossFigure(study), errorFigure(study)];
}

function lossFigure(study: Study): Figure {
  const { beyond } = epsilonRange(study.subject);
  const clipped = (value: Parameters<typeof series>[2]): Spread[] => series(study.clipped, beyond, value);
  const frontier = (value: Parameters<typeof frontierSeries>[2]): Array<Spread | null> =>
    frontierSeries(study.frontier, beyond, value);
  const most = firstPoint(study).gridsBefore;
  const before = clipped(({ lossBefore }) => lossBefore);
  const after = clipped(({ lossAfter }) => lossAfter);
  const kept = frontier(({ lossKept }) => lossKept);
  const centred = frontier(({ lossCentred }) => lossCentred);
  const drawn: Drawn[] = [
    {
      ...line(0, "dotted"),
      band: false,
      label: `baseline, simple: ${most}·ε`,
      column: "simple_before",
      values: clipped(({ gridsBefore, epsilon }) => gridsBefore * epsilon),
    },
    {
      ...line(1, "dotted"),
      band: false,
      label: "CLIP-USER, simple: K·ε",
      column: "simple_after",
      values: clipped(({ gridsAfter, epsilon }) => gridsAfter * epsilon),
    },
    { ...line(0, "solid"), label: "baseline, joint", column: "joint_before", values: before },
    { ...line(1, "solid"), label: "CLIP-USER, joint", column: "joint_after", values: after },
    { ...line(3, "dashed"), label: "frontier, paper's estimator", column: "frontier_kept", values: kept },
    {
      ...line(2, "solid"),
      strong: true,
      markers: true,
      label: "frontier, centred",
      column: "frontier_centred",
      values: centred,
    },
  ];
  return figureOf(study, beyond, {
    set: "beyond",
    kind: "loss",
    title: "What one user really loses at the same worst error",
    about: "; all at the baseline's error for this ε",
    x: "ε per grid of baseline and CLIP-USER",
    y: { label: "privacy loss of the worst-off user", scale: "log" },
    drawn,
    hasGaps: true,
    regions: [
      {
        axis: "x",
        from: null,
        to: worthlessBelow(study),
        label: "no better than publishing midpoints, which costs nothing",
        tone: "warning",
      },
    ],
    rules: [paperEnd(study)],
    note: ` Simple: ε for every grid of a user. Joint: what a user can really move.${study.clipped.length === 1 ? "" : " The frontier is drawn where every draw needs a loss."}`,
    claim:
      "Not in the paper, which counts ε for every grid of a user and calls the sensitivity of all grids together hard to compute. For independent noise it is the joint loss.",
    seen: lossSeen(study, { before, after, kept, centred }),
  });
}

function lossSeen(
  study: Study,
  drawn: Record<"before" | "after", Spread[]> & Record<"kept" | "centred", Array<Spread | null>>,
): string {
  const { before, after, kept, centred } = drawn;
  const { beyond } = epsilonRange(study.subject);
  const one = beyond.indexOf("1");
  const most = firstPoint(study).gridsBefore;
  const compared = beyond.flatMap((epsilon, index) => {
    const [byKept, byCentred] = [kept[index], centred[index]].map((spread) =>
      spread && spread.low > 0 ? itemAt(before, index).mean / spread.mean : undefined,
    );
    return byKept === undefined || byCentred === undefined ? [] : [{ epsilon, byKept, byCentred }];
  });
  const outermost = compared.length === 0 ? [] : [itemAt(compared, 0), itemAt(compared, compared.length - 1)];
  const told = outermost.map(({ epsilon, byKept, byCentred }) => {
    return `${short(byCentred)} times less at ε = ${epsilon} (with the paper's estimator ${short(byKept)})`;
  });
  return (
    `At ε = 1 the untouched baseline's joint loss is ${short(itemAt(before, one).mean)}, not ${most}; CLIP-USER's is ${short(itemAt(after, one).mean)}. ` +
    `${crossing(study)} ` +
    (told.length === 0
      ? "The frontier has nothing to beat in this range."
      : `Above it the frontier with the centred estimator needs ${told.join(" and ")} than the baseline.`)
  );
}

/** E goes with 1/ε, so this is exact for the mean over the draws. */
function crossing(study: Study): string {
  return `Below ε = ${short(worthlessBelow(study))} the worst error E is no better than that of publishing midpoints${study.clipped.length === 1 ? "" : ", in the mean"}.`;
}

function errorFigure(study: Study): Figure {
  const { beyond } = epsilonRange(study.subject);
  const before = series(study.clipped, beyond, ({ errorBefore }) => errorBefore);
  const after = series(study.clipped, beyond, ({ errorAfter }) => errorAfter);
  const frontier = frontierSeries(study.frontier, beyond, ({ errorAtLoss }) => errorAtLoss);
  const free = firstPoint(study).dataFreeError;
  const drawn: Drawn[] = [
    { ...line(1, "solid"), label: "CLIP-USER and caps, Ē", column: "error_after", values: after },
    { ...line(0, "dashed"), label: "baseline, E", column: "error_before", values: before },
    {
      ...line(2, "solid"),
      strong: true,
      markers: true,
      label: "frontier, centred, at the baseline's joint loss",
      column: "frontier_error",
      values: frontier,
    },
  ];
  const below = beyond.find((_, at) => itemAt(after, at).mean < free);
  return figureOf(study, beyond, {
    set: "beyond",
    kind: "error",
    title: "Where a guarantee is worth something",
    x: "ε per grid of baseline and CLIP-USER",
    y: { label: errorLabel("worst error of a grid", study), scale: "log" },
    drawn,
    moreColumns: [{ name: "data_free", values: beyond.map(() => free) }],
    regions: [
      {
        axis: "y",
        from: free,
        to: null,
        label: "midpoints, at no loss, have the better guarantee",
        tone: "warning",
      },
    ],
    rules: [{ axis: "y", at: free, label: `publishing midpoints, ${short(free)}`, tone: "warning" }, paperEnd(study)],
    note: " The frontier is planned at every second ε.",
    claim:
      "Not in the paper, which holds errors against each other and not against what can be published without any data.",
    seen:
      `Publishing midpoints errs by at most ${short(free)}. ${crossing(study)} Of the ε drawn here, Ē is below it from ${below === undefined ? "none" : `ε = ${below}`} on. ` +
      frontierSeen(beyond, { before, frontier, free }),
  });
}

/** So near the data-free error, a guarantee is that of an emptied grid. */
const MOST_OF = 0.999;

function frontierSeen(
  epsilons: readonly string[],
  { before, frontier, free }: { before: readonly Spread[]; frontier: ReadonlyArray<Spread | null>; free: number },
): string {
  const at = epsilons.indexOf("1");
  const found = frontier[at];
  if (!found) return "";
  if (found.low >= MOST_OF * free)
    return "At the joint loss that the baseline has at ε = 1 the frontier, too, has nothing better than midpoints.";
  return `At the joint loss that the baseline has at ε = 1 the frontier (centred) guarantees ${short(found.mean)}, the baseline ${short(itemAt(before, at).mean)}.`;
}

function paperEnd(study: Study): { axis: "x"; at: number; label: string; tone: "neutral" } {
  return { axis: "x", at: ends(epsilonRange(study.subject).paper)[1], label: "the paper ends here", tone: "neutral" };
}

function line(colour: number, dash: "solid" | "dashed" | "dotted") {
  return { colour, dash, strong: false, markers: false } as const;
}
