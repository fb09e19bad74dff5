/** Shows the Plan page: the trade-off to drag, its effect at once, and the button that has the plan made. */

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Dataset, Standing } from "../../../src/apps/client/index.ts";
import type { Occupancy } from "../../../src/core/occupancy/index.ts";
import { optionProblems, PLAN_OPTIONS } from "../../../src/core/options/index.ts";
import { followJob } from "../jobs.ts";
import { Card } from "../parts/card.tsx";
import { CountsOrFailure } from "../parts/counts-or-failure.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { shortDecimal } from "../parts/log-slider.tsx";
import { LossWords } from "../parts/loss-words.tsx";
import { changeQuery, goTo, hrefOf } from "../router.ts";
import { useAsync } from "../use-async.ts";
import { useOccupancy } from "../use-occupancy.ts";
import type { DatasetPageProps } from "./page-props.ts";
import { askedOf, type Choices, choicesOf, type Defaults, queryOf, settingsOf } from "./plan/choices.ts";
import { Controls } from "./plan/controls.tsx";
import { Grids } from "./plan/grids.tsx";
import { Outcome } from "./plan/outcome.tsx";
import { TradeOff } from "./plan/trade-off.tsx";
import { errorUnit } from "./plan/units.ts";
import { usePlanner } from "./plan/use-planner.ts";
import { affordableLoss } from "./release/affordable-loss.ts";

interface Loaded {
  readonly about: Dataset;
  readonly occupancy: Occupancy;
  readonly budget: Pick<Standing, "budget" | "left">;
}

export function PlanPage(props: DatasetPageProps) {
  const { dataset, session } = props;
  const { answer, again } = useAsync(
    async (signal): Promise<Omit<Loaded, "occupancy">> => {
      const params = { dataset };
      const [about, budget] = await Promise.all([
        session.service.getDataset({ params, signal }),
        session.service.getLedger({ params, signal }),
      ]);
      return { about, budget };
    },
    [dataset],
  );
  const used = useOccupancy(session, dataset);
  if (answer.state === "failed") return <Failure error={answer.error} onRetry={again} />;
  if (answer.state === "loading") return <Loading what="the dataset" />;
  return (
    <CountsOrFailure used={used}>
      {(occupancy) => <Planning {...props} {...answer.value} occupancy={occupancy} />}
    </CountsOrFailure>
  );
}

const LOSSES = [0.01, 20] as const;
const SAME_STEP_MS = 1200;

function Planning({ dataset, session, query, about, occupancy, budget }: DatasetPageProps & Loaded) {
  const defaults = useMemo((): Defaults => {
    const { left } = budget;
    return {
      statistics: about.statistics ?? "mean,variance",
      loss: left >= 1 ? "1" : (affordableLoss(left) ?? "1"),
    };
  }, [about, budget]);
  const settled = choicesOf(query, defaults);
  /** On the way to the next choice, while something is dragged. */
  const [dragged, setDragged] = useState<Partial<Choices>>({});
  const choices = { ...settled, ...dragged };
  const unit = useMemo(() => errorUnit(choices.statistics, about.unit), [choices.statistics, about.unit]);
  const needsError = choices.goal === "error" && choices.error === "";
  const asked = needsError ? null : askedOf(choices, about.bounds);
  const planned = usePlanner(occupancy, useStable(asked ?? askedOf({ ...choices, goal: "loss" }, about.bounds)));
  const isCurveOfThis = JSON.stringify(planned.curveOf) === JSON.stringify(settingsOf(choices, about.bounds));
  const free = isCurveOfThis ? planned.curve?.dataFreeError : undefined;
  const isAnswered =
    asked !== null && JSON.stringify(planned.answers) === JSON.stringify(asked) && planned.problem === undefined;
  // An error to begin with, as soon as there is something to measure it by.
  useEffect(() => {
    if (needsError && free !== undefined) change({ error: shortDecimal(free / 4) }, true, "replace");
  }, [needsError, free]);

  // Back and links lead to what was settled.
  const address = query.toString();
  useEffect(() => setDragged((before) => (Object.keys(before).length === 0 ? before : {})), [address]);
  const undone = useRef(0);
  const lastStep = useRef({ kind: "", at: 0 });
  const change = useCallback(
    (changes: Partial<Choices>, isSettled: boolean, how: "push" | "join" | "replace" = "push"): void => {
      if (!isSettled && !("map" in changes) && !("grid" in changes)) {
        setDragged((before) => ({ ...before, ...changes }));
        return;
      }
      setDragged((before) => (Object.keys(before).length === 0 ? before : {}));
      const quiet = "map" in changes || "grid" in changes;
      const next = queryOf(
        { ...choicesOf(new URLSearchParams(location.hash.split("?")[1]), defaults), ...dragged, ...changes },
        defaults,
      );
      // Arrow keys settle with every press: a run of them is one step back.
      const kind = Object.keys(changes).join();
      const isSameStep =
        how === "join" && lastStep.current.kind === kind && performance.now() - lastStep.current.at < SAME_STEP_MS;
      lastStep.current = { kind, at: performance.now() };
      const step = quiet || isSameStep || how === "replace" ? "replace" : "push";
      if (step === "push") undone.current += 1;
      changeQuery(next, step);
    },
    [defaults, dragged],
  );
  /** What is decided may change sides: the plan stays, seen from the other. */
  const changeChoices = (changes: Partial<Choices>, isSettled: boolean): void => {
    const { plan } = planned;
    const error = plan?.errorBound ?? plan?.worstError ?? null;
    if (!isAnswered || plan === undefined || changes.goal === undefined) change(changes, isSettled, "join");
    else if (changes.goal === "error")
      change({ ...changes, error: error === null ? "" : shortDecimal(error, 6) }, isSettled);
    else change({ ...changes, loss: plan.loss > 0 ? shortDecimal(plan.loss, 6) : choices.loss }, isSettled);
  };
  const undo = (): void => {
    undone.current -= 1;
    setDragged({});
    history.back();
  };
  const [low, high] = about.bounds.split(",").map(Number) as [number, number];
  const errors = free === undefined ? ([0.01, 1] as const) : ([0.03 * free, 0.99 * free] as const);
  return (
    <div class="page plan-page">
      <div class="page-head">
        <div>
          <h1>Plan a release</h1>
          <p class="lead">
            Privacy against exactness, decided from counts alone: no value has been looked at, and nothing is spent
            until you release.
          </p>
        </div>
      </div>
      <div class="columns">
        <div class="third plan-side">
          <Controls
            choices={choices}
            statistics={[...new Set([about.statistics ?? "mean,variance", "mean", "mean,variance"])]}
            unit={unit}
            errors={errors}
            losses={LOSSES}
            onChange={changeChoices}
            onUndo={undone.current > 0 ? undo : undefined}
          />
          <Card title="What the loss means" class="what-loss-means">
            <LossWords
              of="this release"
              loss={planned.plan?.loss ?? Number(choices.loss)}
              budget={budget.budget}
              left={budget.left}
            />
          </Card>
        </div>
        <div class="two-thirds plan-side">
          <Outcome
            planned={isAnswered || planned.quality !== "refined" ? planned : { ...planned, quality: "sketch" }}
            unit={unit}
            statistics={choices.statistics.split(",")}
            valueUnit={about.unit}
            bounds={[low, high]}
          >
            <MakePlan
              session={session}
              dataset={dataset}
              choices={choices}
              epsilon={planned.quality === "refined" ? (planned.plan?.exact.epsilon ?? null) : null}
              isReady={isAnswered && (choices.strategy === "frontier" || planned.quality === "refined")}
              left={budget.left}
              loss={planned.plan?.loss}
            />
          </Outcome>
          <TradeOff
            curve={planned.curve}
            curveIsDone={planned.curveIsDone}
            plan={planned.plan}
            choices={choices}
            unit={unit}
            losses={LOSSES}
            onDrag={(value, isSettled) => {
              const [least, most] = choices.goal === "loss" ? LOSSES : errors;
              const kept = shortDecimal(Math.min(most, Math.max(least, value)));
              change(choices.goal === "loss" ? { loss: kept } : { error: kept }, isSettled);
            }}
          />
        </div>
        <Grids
          plan={planned.plan}
          choices={choices}
          unit={unit}
          valueUnit={about.unit}
          bounds={[low, high]}
          onChange={change}
        />
      </div>
    </div>
  );
}

interface MakePlanProps extends Pick<DatasetPageProps, "session" | "dataset"> {
  readonly choices: Choices;
  readonly epsilon: string | null;
  readonly isReady: boolean;
  readonly left: number | undefined;
  readonly loss: number | undefined;
}

/** Has the service make the same plan from the records, and goes on to its price. */
function MakePlan({ session, dataset, choices, epsilon, isReady, left, loss }: MakePlanProps) {
  const [step, setStep] = useState<string | null>(null);
  const [problem, setProblem] = useState<unknown>();
  const make = async (): Promise<void> => {
    setProblem(undefined);
    setStep("asking the service");
    try {
      const { settings } = askedOf(choices, "0,1");
      const { strategy, goal } = choices;
      const common = { statistics: settings.statistics, metric: settings.metric, strategy };
      const body =
        strategy !== "frontier"
          ? { ...common, epsilon: epsilon! }
          : {
              ...common,
              estimator: settings.estimator,
              ...(goal === "loss" ? { loss: choices.loss } : { error: choices.error }),
            };
      const [wrong] = optionProblems(PLAN_OPTIONS, body);
      if (wrong !== undefined) throw new Error(`${wrong[0]}: ${wrong[1]}`);
      const job = await session.service.startPlan({ params: { dataset }, body });
      const done = await followJob(session, job, { onProgress: (progress) => setStep(progress.step) });
      const { plan } = done.result as { plan: string };
      goTo({ page: "dataset", dataset, tab: "release" }, { plan });
    } catch (error) {
      setProblem(error);
      setStep(null);
    }
  };
  const tooMuch = left !== undefined && loss !== undefined && loss > left;
  return (
    <div class="make-plan">
      {problem === undefined ? null : <Failure error={problem} onRetry={() => void make()} />}
      <button type="button" class="primary" disabled={!isReady || step !== null} onClick={() => void make()}>
        {step === null ? "Make this plan and see its price →" : "Making the plan…"}
      </button>
      <span class="note" role="status">
        {step ??
          (tooMuch ? (
            <>
              More than the budget has left;{" "}
              <a href={hrefOf({ page: "dataset", dataset, tab: "ledger" })}>see the ledger</a>.
            </>
          ) : (
            "Spends nothing yet."
          ))}
      </span>
    </div>
  );
}

/** The same object as long as it says the same. */
function useStable<Value>(value: Value): Value {
  const kept = useRef(value);
  if (JSON.stringify(kept.current) !== JSON.stringify(value)) kept.current = value;
  return kept.current;
}
