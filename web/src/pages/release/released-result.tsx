/** The result of a release, right after it and whenever one comes back. */
import { areHexagons } from "../../map/grid-layout.ts";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import type { Session } from "../../session.ts";
import { useAsync } from "../../use-async.ts";
import { confidenceOf } from "../published/confidence.tsx";
import { Downloads, PrivacyStatement } from "../published/papers.tsx";
import type { Released } from "../published/released.ts";
import { ResultView } from "../published/result-view.tsx";
import { useKept } from "../published/use-kept.ts";

export interface ReleasedResultProps {
  readonly dataset: string;
  readonly unit: string | null;
  readonly session: Session;
  readonly query: URLSearchParams;
}

export function ReleasedResult({ dataset, unit, session, query }: ReleasedResultProps) {
  const confidence = confidenceOf(query);
  const { answer, again } = useAsync(
    async (signal) =>
      (await session.service.getResults({ params: { dataset }, query: { confidence }, signal })) as Released,
    [dataset, confidence],
  );
  const { value, isNew } = useKept(answer);
  if (value === undefined)
    return answer.state === "failed" ? (
      <Failure error={answer.error} onRetry={again} />
    ) : (
      <div class="result-waiting">
        <Loading what="the result" />
      </div>
    );
  return (
    <>
      {answer.state === "failed" ? <Failure error={answer.error} onRetry={again} /> : null}
      <ResultView
        released={value}
        unit={unit}
        query={query}
        isBusy={answer.state === "loading" && !isNew}
        aside={
          <Downloads
            dataset={dataset}
            session={session}
            confidence={confidence}
            hasHexagons={areHexagons(value.rows.map(({ grid }) => grid))}
          />
        }
      />
      <PrivacyStatement
        dataset={dataset}
        session={session}
        version={value.rows.length}
        inWords={value.privacy.loss.inWords}
      />
    </>
  );
}
