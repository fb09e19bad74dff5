/** Shows the budget of a dataset: how much is spent, by which releases, on whom, and whether the ledger is consistent. */
import { formatCount, formatNumber, formatPercent } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { Failure } from "../parts/failure.tsx";
import { Figures } from "../parts/figures.tsx";
import { Loading } from "../parts/loading.tsx";
import { LossWords } from "../parts/loss-words.tsx";
import { useAsync } from "../use-async.ts";
import { Pending } from "./ledger/pending.tsx";
import { Raise } from "./ledger/raise.tsx";
import { Releases } from "./ledger/releases.tsx";
import { LossSpread } from "./ledger/spread.tsx";
import { askStanding, type Standing } from "./ledger/standing.ts";
import { Trail } from "./ledger/trail.tsx";
import { Verify } from "./ledger/verify.tsx";
import type { DatasetPageProps } from "./page-props.ts";
import { useLastAnswer } from "./published/use-last-answer.ts";
import { Refused } from "./release/refused.tsx";
import { Running } from "./release/running.tsx";
import { useRelease } from "./release/use-release.ts";

export function LedgerPage({ dataset, session, query }: DatasetPageProps) {
  const { answer, again } = useAsync((signal) => askStanding(session.service, dataset, signal), [dataset]);
  const { value: standing } = useLastAnswer(answer);
  const releasing = useRelease(session, dataset, { onEnd: again });
  if (standing === undefined)
    return answer.state === "failed" ? <Failure error={answer.error} onRetry={again} /> : <Loading what="the ledger" />;
  const { state } = releasing;
  return (
    <div class="page">
      <div class="page-head">
        <div>
          <h1>Ledger</h1>
          <p class="lead">What was spent of everyone's privacy, by which releases, and what is left.</p>
        </div>
      </div>
      {answer.state === "failed" ? <Failure error={answer.error} onRetry={again} /> : null}
      {state.state === "running" ? <Running state={state} onCancel={releasing.cancel} /> : null}
      {state.state === "failed" ? (
        <Refused
          dataset={dataset}
          error={state.error}
          phase={state.phase}
          loss={0}
          standing={standing}
          onRetry={releasing.retry}
          onClose={releasing.reset}
        />
      ) : null}
      {state.state === "running"
        ? null
        : standing.releases
            .filter(({ pending }) => pending.length > 0)
            .map((release) => (
              <Pending
                key={release.key}
                dataset={dataset}
                session={session}
                release={release}
                onFinish={({ planHash, key }) => releasing.start({ plan: planHash, key })}
                onChanged={again}
              />
            ))}
      <Balance standing={standing} />
      <div class="columns">
        <div class="two-thirds stack">
          <Releases standing={standing} />
          <Trail trail={standing.trail} />
          <Raise
            dataset={dataset}
            session={session}
            budget={standing.budget}
            isWanted={query.has("raise")}
            onRaised={again}
          />
        </div>
        <div class="third stack">
          <Card title="What the spent loss means">
            <LossWords loss={standing.loss} />
          </Card>
          <LossSpread standing={standing} />
          <Verify session={session} />
        </div>
      </div>
    </div>
  );
}

function Balance({ standing: { budget, loss, left, users, moreLikeLast } }: { standing: Standing }) {
  const share = budget > 0 ? loss / budget : 1;
  return (
    <Card title="Budget" class="balance">
      <Figures
        facts={[
          { name: "Budget", value: formatNumber(budget), note: "no user's loss ever exceeds it" },
          {
            name: "Spent",
            value: formatNumber(loss),
            note: users === 0 ? "nobody is charged yet" : `by the worst of ${formatCount(users)} users`,
          },
          {
            name: "Left",
            value: formatNumber(left),
            note: `${formatPercent(1 - share)} of the budget`,
            ...(left > 0 ? {} : { tone: "weak" as const }),
          },
          {
            name: "Room for",
            value: moreLikeLast === null ? "–" : formatCount(moreLikeLast),
            note: moreLikeLast === null ? "no release yet to compare with" : "more like the last release",
          },
        ]}
      />
      {/* The numbers are above. */}
      <div class="blocks" aria-hidden="true">
        {loss > 0 ? <i class="spent" style={`width:${(100 * Math.min(1, share)).toFixed(3)}%`} /> : null}
      </div>
    </Card>
  );
}
