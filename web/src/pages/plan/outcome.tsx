/** What the plan gives and takes, in numbers and in words, with what it is held against. */
import { formatCount, formatNumber, formatPercent, plural } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { Figures } from "../../parts/figures.tsx";
import type { ErrorUnit } from "./units.ts";
import type { Planned } from "./use-planner.ts";

export function Outcome({
  planned,
  unit,
  children,
}: {
  planned: Planned;
  unit: ErrorUnit;
  children?: preact.ComponentChildren;
}) {
  const { plan, quality, problem, milliseconds } = planned;
  const error = plan === undefined ? null : (plan.errorBound ?? plan.worstError);
  const isUseful = plan !== undefined && plan.usefulGrids > 0;
  return (
    <Card title="What you get" class="outcome" tools={<Quality planned={planned} />}>
      {problem === undefined ? null : (
        <p class="message weak" role="alert">
          {problem}
        </p>
      )}
      <Figures
        facts={[
          {
            name: "privacy loss λ",
            value: plan === undefined ? "…" : formatNumber(plan.loss),
            note: "of the user who loses most",
          },
          {
            name: "worst guaranteed error",
            value: error === null ? (plan === undefined ? "…" : "none") : unit.format(error),
            note: plan === undefined ? "\u00a0" : `midpoints: ${unit.format(plan.dataFreeError)}`,
            tone: plan === undefined ? undefined : isUseful ? "good" : "weak",
          },
          {
            name: "better than midpoints",
            value: plan === undefined ? "…" : `${formatCount(plan.usefulGrids)} of ${formatCount(plan.grids)}`,
            note: "grids",
            tone: plan === undefined ? undefined : isUseful ? "good" : "weak",
          },
          {
            name: "records kept",
            value: plan === undefined ? "…" : formatPercent(plan.keptSamples / plan.samples, 3),
            note:
              plan === undefined ? "\u00a0" : `${plural(plan.suppressedPairs, "user leaves", "users leave")} a grid`,
          },
        ]}
      />
      <p class="verdict">{plan === undefined ? "\u00a0" : <Verdict plan={plan} unit={unit} />}</p>
      <p class="for-readers" role="status">
        {plan === undefined || quality !== "refined"
          ? ""
          : `Refined: loss ${formatNumber(plan.loss)}, worst error ${error === null ? "none" : unit.format(error)}.`}
      </p>
      {children}
      <p class="note timing" data-milliseconds={milliseconds === undefined ? undefined : milliseconds.toFixed(1)}>
        {milliseconds === undefined
          ? "\u00a0"
          : `First answer after ${formatNumber(milliseconds, 2)} ms, computed on this machine.`}
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

function Verdict({ plan, unit }: { plan: NonNullable<Planned["plan"]>; unit: ErrorUnit }) {
  const { usefulGrids, grids, setAside, baselineLoss, baselineLossSimple, loss } = plan;
  if (usefulGrids === 0)
    return (
      <>
        <b>This guarantee is no better than publishing midpoints</b>, which costs no privacy at all. Allow more loss,
        coarser grids, or a larger error elsewhere.
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
      {error === null ? "Elsewhere the" : "The"} published numbers are off by at most{" "}
      {error === null ? "what the table says" : unit.inWords(error)} in expectation, whatever the values are.{" "}
      {baselineLoss > 1.05 * loss ? (
        <>
          Without dropping anything, the same error would cost {formatNumber(baselineLoss)} (
          {formatNumber(baselineLossSimple)} by the paper’s count).
        </>
      ) : null}
    </>
  );
}
