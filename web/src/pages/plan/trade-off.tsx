/** Draws loss against error: the plan, other strategies, what no plan can reach, and what costs nothing. */
import { useMemo } from "preact/hooks";
import type { ChartLine, ChartMark, LineChart } from "../../../../src/publish/charts/index.ts";
import { Card } from "../../parts/card.tsx";
import { LiveChart } from "../../parts/live-chart.tsx";
import type { Curve, PlanView } from "../../planner/messages.ts";
import type { Choices } from "./choices.ts";
import type { ErrorUnit } from "./units.ts";

export interface TradeOffProps {
  readonly curve: Curve | undefined;
  readonly curveIsDone: boolean;
  readonly plan: PlanView | undefined;
  readonly choices: Choices;
  readonly unit: ErrorUnit;
  readonly losses: readonly [low: number, high: number];
  onDrag(value: number, settled: boolean): void;
}

export function TradeOff({ curve, curveIsDone, plan, choices, unit, losses, onDrag }: TradeOffProps) {
  // Drawn anew only if it is another chart: a slider moves the plan on it many times a second.
  const chart = useMemo(() => chartOf(curve, unit, losses), [curve, unit, losses]);
  const marks = useMemo(() => marksOf(plan, unit), [plan, unit]);
  return (
    <Card
      title="The trade"
      lead="Every point on a line is a plan. Further left is more private, further down more exact. Drag along it."
      tools={
        <span class="note" role="status">
          {curve === undefined || curve.frontier.length === 0
            ? "drawing the curve…"
            : curveIsDone
              ? "refined and proven"
              : `refining: ${curve.frontier.filter(({ refined }) => refined).length} of ${curve.frontier.length} points`}
        </span>
      }
    >
      <LiveChart
        chart={chart}
        marks={marks}
        dragAxis={choices.goal === "loss" ? "x" : "y"}
        onDrag={(x, y) => onDrag(choices.goal === "loss" ? x : y / unit.factor, false)}
        onPick={(x, y) => onDrag(choices.goal === "loss" ? x : y / unit.factor, true)}
      />
    </Card>
  );
}

function marksOf(plan: PlanView | undefined, unit: ErrorUnit): ChartMark[] {
  const error = plan === undefined ? null : (plan.errorBound ?? plan.worstError);
  if (plan === undefined || error === null || plan.loss === 0) return [];
  return [{ x: plan.loss, y: error * unit.factor, label: "this plan", kind: "current" }];
}

const LINE = { detail: "", dash: "solid", strong: false, markers: false } as const;

function chartOf(curve: Curve | undefined, unit: ErrorUnit, [low, high]: readonly [number, number]): LineChart {
  const free = curve?.dataFreeError ?? 1;
  const shown = (error: number): number => error * unit.factor;
  const lines: ChartLine[] = curve === undefined ? [] : linesOf(curve, shown, [low, high]);
  return {
    id: "trade-off",
    title: "",
    subtitle: "",
    x: { label: "total privacy loss λ of the worst user", scale: "log", domain: [low, high] },
    y: { label: unit.axis, scale: "log", domain: [0.03 * shown(free), 1.4 * shown(free)] },
    lines,
    regions: [],
    rules:
      curve === undefined
        ? []
        : [{ axis: "y", at: shown(free), label: "publishing midpoints: costs nothing", tone: "warning" }],
    note: "",
  };
}

function linesOf(curve: Curve, shown: (error: number) => number, [low, high]: readonly [number, number]): ChartLine[] {
  const { baseline, clipUser, frontier, dataFreeError } = curve;
  const hyperbola = (lossAtOne: number) =>
    Array.from({ length: 60 }, (_, step) => {
      const loss = low * (high / low) ** (step / 59);
      return { x: loss, y: shown((lossAtOne * baseline.error) / loss) };
    }).filter(({ y }) => y <= 1.5 * shown(dataFreeError));
  const byLoss = (points: ReadonlyArray<{ x: number; y: number }>) =>
    [...points].filter(({ x }) => x > 0).sort((one, other) => one.x - other.x);
  const bound = byLoss(
    frontier.flatMap(({ lowerBound, error }) => (lowerBound === null ? [] : [{ x: lowerBound, y: shown(error) }])),
  );
  return [
    { ...LINE, label: "Baseline, simple", colour: 0, dash: "dotted", points: hyperbola(baseline.simple) },
    { ...LINE, label: "Baseline, joint", colour: 1, dash: "dashed", points: hyperbola(baseline.joint) },
    {
      ...LINE,
      label: "CLIP-USER",
      colour: 2,
      markers: true,
      points: byLoss(clipUser.map(({ loss, error }) => ({ x: loss, y: shown(error) }))),
    },
    { ...LINE, label: "No plan below", colour: 3, dash: "dotted", points: bound },
    {
      ...LINE,
      label: "Frontier",
      colour: 4,
      strong: true,
      points: byLoss(frontier.map(({ loss, error }) => ({ x: loss, y: shown(error) }))),
    },
  ];
}
