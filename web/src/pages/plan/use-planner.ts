/** Connects the page to the planner: the latest plan, how good it is, and the curve. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Occupancy } from "../../../../src/core/occupancy/index.ts";
import { errorNear } from "../../planner/curve.ts";
import type { Curve, PlanAsked, PlanSettings, PlanView } from "../../planner/messages.ts";
import { Planner } from "../../planner/planner.ts";

export interface Planned {
  readonly plan: PlanView | undefined;
  readonly quality: "none" | "sketch" | "refined";
  /** What the plan is the answer to: while something new is asked, it is that of before. */
  readonly answers: PlanAsked | null;
  /** Of the refining, in words. */
  readonly step: string;
  readonly curve: Curve | undefined;
  /** What the curve was drawn for. */
  readonly curveOf: PlanSettings | null;
  readonly curveIsDone: boolean;
  readonly problem: string | undefined;
  /** From question to first answer, as measured here. */
  readonly milliseconds: number | undefined;
}

const NOTHING: Planned = {
  plan: undefined,
  quality: "none",
  answers: null,
  step: "",
  curve: undefined,
  curveOf: null,
  curveIsDone: false,
  problem: undefined,
  milliseconds: undefined,
};

/** Asks anew whenever `asked` changes; null while there is nothing to ask. */
export function usePlanner(occupancy: Occupancy, asked: PlanAsked | null): Planned {
  const [planned, setPlanned] = useState(NOTHING);
  const askedAt = useRef(0);
  const planner = useRef<Planner>();
  const curve = useRef<Curve>();
  useEffect(() => {
    const change = (changes: Partial<Planned>): void => setPlanned((before) => ({ ...before, ...changes }));
    const mine = new Planner(occupancy, {
      onSketch: (plan, answers) => {
        const milliseconds = performance.now() - askedAt.current;
        performance.measure("veilgrid first answer", { start: askedAt.current, duration: milliseconds });
        change({ plan, answers, quality: "sketch", problem: undefined, milliseconds });
      },
      onRefined: (plan, answers) => change({ plan, answers, quality: "refined", step: "", problem: undefined }),
      onCurve: (found, curveOf, done) => {
        curve.current = found;
        change({ curve: found, curveOf, curveIsDone: done });
      },
      onProgress: (step) => change({ step }),
      onFailed: (problem) => change({ problem }),
    });
    planner.current = mine;
    return () => mine.close();
  }, [occupancy]);
  const settings = asked === null ? "" : JSON.stringify(asked.settings);
  useEffect(() => {
    curve.current = undefined;
    setPlanned((before) => ({ ...before, curve: undefined, curveIsDone: false }));
    if (settings !== "") planner.current?.curve(JSON.parse(settings));
  }, [occupancy, settings]);
  const question = useMemo(() => JSON.stringify(asked), [asked]);
  useEffect(() => {
    const now = JSON.parse(question) as PlanAsked | null;
    if (now === null) return;
    // What is shown was made for another question; while something is dragged that is nothing new.
    setPlanned((before) => {
      const quality = before.plan === undefined ? "none" : "sketch";
      return before.problem === undefined && before.quality === quality
        ? before
        : { ...before, problem: undefined, quality };
    });
    askedAt.current = performance.now();
    const { kind, value } = now.goal;
    const near = kind === "loss" && curve.current !== undefined ? errorNear(curve.current, Number(value)) : undefined;
    planner.current?.plan(now, near);
  }, [occupancy, question]);
  return planned;
}
