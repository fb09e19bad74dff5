/** Turns a plan into published statistics: shows what, how good and at what price, asks twice, and shows the result. */
import { useEffect, useRef, useState } from "preact/hooks";
import { ServiceFailure } from "../../../src/apps/client/index.ts";
import type { PlanSummary } from "../../../src/core/planning/index.ts";
import { formatNumber, formatTime, plural } from "../format.ts";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { hrefOf } from "../router.ts";
import type { Service } from "../session.ts";
import { useAsync } from "../use-async.ts";
import { Pending } from "./ledger/pending.tsx";
import { askStanding, type Standing } from "./ledger/standing.ts";
import type { DatasetPageProps } from "./page-props.ts";
import { useLastAnswer } from "./published/use-last-answer.ts";
import { changeSetting } from "./published/use-setting.ts";
import { Confirm } from "./release/confirm.tsx";
import { OtherPlans } from "./release/other-plans.tsx";
import { planBalance } from "./release/plan-balance.ts";
import { PlanFacts } from "./release/plan-facts.tsx";
import type { KeptPlan } from "./release/plan-words.ts";
import { Price } from "./release/price.tsx";
import { Refused } from "./release/refused.tsx";
import { ReleasedResult } from "./release/released-result.tsx";
import { Running } from "./release/running.tsx";
import { type ReleaseOutcome, type Releasing, useRelease } from "./release/use-release.ts";

type Dataset = Awaited<ReturnType<Service["getDataset"]>>;

interface Situation {
  readonly dataset: Dataset;
  readonly plans: readonly KeptPlan[];
  readonly standing: Standing;
}

export function ReleasePage({ dataset, session, query }: DatasetPageProps) {
  const { service } = session;
  const named = query.get("plan");
  const { answer, again } = useAsync(
    async (signal): Promise<Situation> => {
      const params = { dataset };
      const [row, { plans }, standing] = await Promise.all([
        service.getDataset({ params, signal }),
        service.listPlans({ params, signal }),
        askStanding(service, dataset, signal),
      ]);
      return {
        dataset: row,
        plans: plans.map(({ summary, ...plan }) => ({ ...plan, summary: summary as PlanSummary })),
        standing,
      };
    },
    // A plan that was not there before may have been made elsewhere.
    [dataset, named],
  );
  const { value: situation, isNew } = useLastAnswer(answer);
  const [notShown, setNotShown] = useState<unknown>();
  const show = async ({ plan, key }: { plan: string; key: string }): Promise<void> => {
    setNotShown(undefined);
    try {
      await service.changeDataset({ params: { dataset }, body: { plan, key } });
    } catch (error) {
      setNotShown(error);
    }
    again();
  };
  const releasing = useRelease(session, dataset, {
    onEnd: (outcome, isOwn) => {
      // What others release is not for a page that is merely open to show.
      if (outcome === null || !isOwn || outcome.planHash === situation?.dataset.plan) again();
      // Only now: until there is something to see, analysts keep what they have.
      else void show({ plan: outcome.planHash, key: outcome.key });
    },
  });
  // What became of another plan is not this one's story.
  useEffect(() => {
    if (releasing.state.state !== "running") releasing.reset();
  }, [named]);
  if (situation === undefined)
    return answer.state === "failed" ? (
      <Failure error={answer.error} onRetry={again} />
    ) : (
      <Loading what="plan and budget" />
    );
  const hash = named ?? situation.dataset.plan ?? situation.plans[0]?.hash;
  const plan = situation.plans.find((each) => each.hash === hash);
  if (plan === undefined && !isNew && answer.state === "loading") return <Loading what="the plan" />;
  if (plan === undefined) return <NoPlan dataset={dataset} isNamed={named !== null} />;
  return (
    <div class="page">
      <div class="page-head">
        <div>
          <h1>Release</h1>
          <p class="lead">
            Plan of {formatTime(plan.created)} <span class="id">{plan.hash.slice(0, 12)}</span>. What is published can
            never be taken back; read first.
          </p>
        </div>
      </div>
      {answer.state === "failed" ? <Failure error={answer.error} onRetry={again} /> : null}
      {notShown === undefined ? null : (
        <Failure title="Released, but not shown to analysts yet" error={notShown} onRetry={again} />
      )}
      <OfPlan
        key={plan.hash}
        situation={situation}
        plan={plan}
        releasing={releasing}
        session={session}
        query={query}
        onShow={show}
        onChanged={again}
      />
      <OtherPlans
        dataset={dataset}
        plans={situation.plans}
        chosen={plan.hash}
        shown={situation.dataset.plan}
        released={releasedPlans(situation.standing)}
        unit={situation.dataset.unit}
        onChoose={(next) => changeSetting(query, { plan: next, grid: null, measure: null }, "push")}
      />
    </div>
  );
}

function OfPlan({
  situation: { dataset, standing },
  plan: { hash, summary },
  releasing,
  session,
  query,
  onShow,
  onChanged,
}: {
  situation: Situation;
  plan: KeptPlan;
  releasing: Releasing;
  session: DatasetPageProps["session"];
  query: URLSearchParams;
  onShow: (shown: { plan: string; key: string }) => void;
  onChanged: () => void;
}) {
  const isShown = dataset.plan === hash;
  const key = (isShown ? dataset.key : null) ?? hash;
  const own = standing.releases.find((release) => release.key === key && release.planHash === hash);
  const committed = own?.committed ?? 0;
  const isReleased = own !== undefined && own.pending.length === 0 && committed >= summary.grids;
  const isPending = own !== undefined && own.pending.length > 0;
  const balance = planBalance(standing, { loss: summary.loss, own });
  const { state } = releasing;
  // What was charged can be finished or given up; that it was cancelled is said in passing.
  const isStopped = state.state === "failed" && isPending && wasStopped(state.error);
  const facts = (
    <div class="columns">
      <div class="two-thirds">
        <PlanFacts summary={summary} unit={dataset.unit} bounds={dataset.bounds} />
      </div>
      <div class="third">
        <Price summary={summary} standing={standing} balance={balance} isReleased={isReleased} />
      </div>
    </div>
  );
  return (
    <>
      {state.state === "done" && state.outcome.planHash === hash ? <Done outcome={state.outcome} /> : null}
      {isReleased && state.state === "idle" ? (
        <p class="message good">
          This plan is released since {formatTime(own.created)}. Releasing it again gives the same bytes and charges
          nothing.
        </p>
      ) : null}
      {isReleased && !isShown ? (
        <div class="message weak side-by-side">
          <span>Analysts see another plan's numbers.</span>
          <button type="button" onClick={() => onShow({ plan: hash, key })}>
            Show them these
          </button>
        </div>
      ) : null}
      {isReleased && isShown ? (
        <ReleasedResult dataset={dataset.name} unit={dataset.unit} session={session} query={query} />
      ) : null}
      {isReleased ? (
        <details class="fold">
          <summary>What was planned, and its price</summary>
          {facts}
        </details>
      ) : (
        facts
      )}
      {state.state === "running" ? <Running state={state} onCancel={releasing.cancel} /> : null}
      {isStopped ? (
        <p class="message" role="alert">
          Stopped. Nothing of it was published.
        </p>
      ) : null}
      {state.state === "failed" && !isStopped ? (
        <Refused
          dataset={dataset.name}
          error={state.error}
          phase={state.phase}
          loss={summary.loss}
          standing={standing}
          onRetry={releasing.retry}
          onClose={releasing.reset}
        />
      ) : null}
      {isPending && (state.state === "idle" || isStopped) ? (
        <Pending
          dataset={dataset.name}
          session={session}
          release={own}
          onFinish={() => releasing.start({ plan: hash, key })}
          onChanged={() => {
            releasing.reset();
            onChanged();
          }}
        />
      ) : null}
      {!isReleased && !isPending && (state.state === "idle" || state.state === "done") ? (
        <Confirm
          dataset={dataset.name}
          summary={summary}
          standing={standing}
          balance={balance}
          releasedGrids={committed}
          replaces={!isShown && dataset.plan !== null && releasedPlans(standing).has(dataset.plan)}
          onConfirm={() => releasing.start({ plan: hash, key })}
        />
      ) : null}
    </>
  );
}

function Done({ outcome: { chargedGrids, grids, resumed, loss, warnings } }: { outcome: ReleaseOutcome }) {
  const told = useRef<HTMLParagraphElement>(null);
  // The page has changed from top to bottom: begin where it says so.
  useEffect(() => {
    scrollTo(0, 0);
    told.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <p class="message good" role="status" tabIndex={-1} ref={told}>
        <b>Released.</b>{" "}
        {chargedGrids > 0
          ? `${plural(grids, "grid is", "grids are")} out, at a loss of at most ${formatNumber(loss)} for anyone.`
          : resumed
            ? "What was charged before is finished; nothing more was charged."
            : "It was released before: the same bytes come back, and nothing was charged."}
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="message weak">
          {warning}
        </p>
      ))}
    </>
  );
}

/** How many grids of each plan are out. */
function releasedPlans({ releases }: Standing): Map<string, number> {
  return new Map(
    releases.filter(({ committed }) => committed > 0).map(({ planHash, committed }) => [planHash, committed]),
  );
}

function wasStopped(error: unknown): boolean {
  return error instanceof ServiceFailure && (error.code === "CANCELLED" || error.code === "INTERRUPTED");
}

function NoPlan({ dataset, isNamed }: { dataset: string; isNamed: boolean }) {
  return (
    <div class="page narrow">
      <h1>Release</h1>
      <p class="lead">
        {isNamed
          ? "The dataset has no such plan; the address may be an old one."
          : "There is no plan yet. A plan says what is kept and how much noise is added; making one spends nothing."}
      </p>
      <p class="side-by-side">
        <a class="button primary" href={hrefOf({ page: "dataset", dataset, tab: "plan" })}>
          Make a plan
        </a>
        {isNamed ? (
          <a class="button" href={hrefOf({ page: "dataset", dataset, tab: "release" })}>
            The dataset's plan
          </a>
        ) : null}
      </p>
    </div>
  );
}
