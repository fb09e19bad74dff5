/** Shows what the plan guarantees and costs, in numbers and in words, beside the baseline. */
import { statisticName } from "../../../../src/core/influence/index.ts";
import { formatCount, formatNumber, formatPercent, plural } from "../../format.ts";
import { offBy, roughGrids, WHAT_HELPS, widestOf } from "../../how-far-off.ts";
import { Card } from "../../parts/card.tsx";
import { Figures } from "../../parts/figures.tsx";
import { unitOf } from "../../statistics.ts";
import { type ErrorUnit, withUnit } from "./units.ts";
import type { Planned } from "./use-planner.ts";

export function Outcome({
  planned,
  unit,
  statistics,
  valueUnit,
  bounds,
  children,
}: {
  planned: Planned;
  unit: ErrorUnit;
  statistics: readonly string[];
  valueUnit: string | null;
  bounds: readonly [number, number];
  children?: preact.ComponentChildren;
}) {
  const { plan, quality, problem, milliseconds } = planned;
  const error = plan === undefined ? null : (plan.errorBound ?? plan.worstError);
  const rough = plan === undefined ? 0 : roughGrids(plan.perGrid, statistics, bounds);
  const tone = plan === undefined ? undefined : plan.usefulGrids > 0 && rough === 0 ? "good" : "weak";
  const [first = "mean"] = statistics;
  const widest = plan === undefined ? undefined : widestOf(plan.perGrid, first);
  const within = widest === undefined ? undefined : offBy(widest, first);
  const withinText = within === undefined ? undefined : withUnit(within, unitOf(first, valueUnit));
  return (
    <Card
      title="What you get"
      class="outcome"
      tools={problem === undefined ? <Quality planned={planned} /> : undefined}
    >
      {problem === undefined ? null : (
        <p class="message weak" role="alert">
          {problem}
        </p>
      )}
      <div class={problem === undefined ? undefined : "stale"}>
        <Figures
          facts={[
            {
              name: "privacy loss λ",
              value: plan === undefined ? "…" : formatNumber(plan.loss),
              note: "of the user who loses most",
            },
            {
              name: "guaranteed error, worst grid",
              value: error === null ? (plan === undefined ? "…" : "none") : unit.format(error),
              note:
                plan === undefined
                  ? "\u00a0"
                  : `on average${withinText === undefined ? "" : `; ${statisticName(first)} 19 times in 20 within ±${withinText}`}`,
              tone,
            },
            {
              name: "better than midpoints",
              value: plan === undefined ? "…" : `${formatCount(plan.usefulGrids)} of ${formatCount(plan.grids)}`,
              note: plan === undefined ? "\u00a0" : rough > 0 ? `grids, ${formatCount(rough)} only roughly` : "grids",
              tone,
            },
            {
              name: "records kept",
              value: plan === undefined ? "…" : formatPercent(plan.keptSamples / plan.samples, 3),
              note:
                plan === undefined ? "\u00a0" : `${plural(plan.suppressedPairs, "time", "times")} a user leaves a grid`,
            },
          ]}
        />
      </div>
      <p class="verdict">{plan === undefined ? "\u00a0" : <Verdict plan={plan} unit={unit} rough={rough} />}</p>
      <p class="for-readers" role="status">
        {plan === undefined || quality !== "refined"
          ? ""
          : `Refined: loss ${formatNumber(plan.loss)}, worst error ${error === null ? "none" : unit.format(error)}.`}
      </p>
      {children}
      <p class="note timing" data-milliseconds={milliseconds === undefined ? undefined : milliseconds.toFixed(1)}>
        {milliseconds === undefined
          ? "\u00a0"
          : `Computed in this page; first answer after ${formatNumber(milliseconds, 2)} ms.`}
      </p>
    </Card>
  );
}

function Quality({ planned: { plan, quality, step } }: { planned: Planned }) {
  if (quality === "none") return <span class="badge">…</span>;
  if (quality === "sketch")
    return (
      <span class="badge" title={step}>
        first answer, refining…
      </span>
    );
  if (plan?.gap === null || plan === undefined) return <span class="badge good">refined</span>;
  const gap = plan.gap;
  return (
    <span class="badge good" title="a proof, not an estimate: no plan at all can do better than this by more">
      {gap < 0.0005 ? "proven best" : `proven within ${formatPercent(gap)} of the best`}
    </span>
  );
}

function Verdict({ plan, unit, rough }: { plan: NonNullable<Planned["plan"]>; unit: ErrorUnit; rough: number }) {
  const { usefulGrids, grids, setAside, baselineLoss, baselineLossSimple, loss } = plan;
  if (usefulGrids === 0)
    return (
      <>
        <b>This guarantee is no better than publishing midpoints</b> (the middle of the range everywhere, without
        looking at any data), which costs no privacy at all. {WHAT_HELPS}
      </>
    );
  const error = plan.errorBound ?? plan.worstError;
  return (
    <>
      {setAside.length > 0 ? (
        <>
          <b>{plural(setAside.length, "grid is", "grids are")} given up</b>: this loss buys nothing better than
          midpoints there.{" "}
        </>
      ) : usefulGrids < grids ? (
        <>In {plural(grids - usefulGrids, "grid")} the guarantee is no better than publishing midpoints. </>
      ) : null}
      {rough > 0 ? (
        <>
          <b>In {plural(rough, "grid")} a single number can be as far off as the middle of the range would be.</b>{" "}
          {WHAT_HELPS}{" "}
        </>
      ) : null}
      {error === null ? "Elsewhere the" : "The"} published numbers are off by at most{" "}
      {error === null ? "what the table says" : unit.inWords(error)} on average, whatever the values are; publishing the
      middle of the range (“midpoints”) could be off by {unit.format(plan.dataFreeError)}.{" "}
      {baselineLoss > 1.05 * loss ? (
        <>
          Without dropping anything, the same error would cost {formatNumber(baselineLoss)} (
          {formatNumber(baselineLossSimple)} by the paper’s count).
        </>
      ) : null}
    </>
  );
}
