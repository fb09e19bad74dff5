/** Shows the result of a release, right after it and on every later visit. */
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import type { Session } from "../../session.ts";
import { useAsync } from "../../use-async.ts";
import { confidenceOf } from "../published/confidence.tsx";
import type { Released } from "../published/released.ts";
import { useLastAnswer } from "../published/use-last-answer.ts";
import { WholeResult } from "../published/whole-result.tsx";

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
  const { value, isNew } = useLastAnswer(answer);
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
      <WholeResult
        dataset={dataset}
        session={session}
        released={value}
        unit={unit}
        query={query}
        isBusy={answer.state === "loading" && !isNew}
      />
    </>
  );
}
