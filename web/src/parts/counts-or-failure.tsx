/** Shows a dataset's counts, or why they are missing and what can be done. */
import { ServiceFailure } from "../../../src/apps/client/index.ts";
import type { Occupancy } from "../../../src/core/occupancy/index.ts";
import { plainWords } from "../plain-words.ts";
import { hrefOf } from "../router.ts";
import type { UsedOccupancy } from "../use-occupancy.ts";
import { Card } from "./card.tsx";
import { Failure } from "./failure.tsx";
import { Loading } from "./loading.tsx";
import { ProgressLine, progressWords } from "./progress-line.tsx";

export function CountsOrFailure({
  used: { counts, load, survey, cancel },
  children,
}: {
  used: UsedOccupancy;
  children: (occupancy: Occupancy) => preact.JSX.Element;
}) {
  if (counts.state === "ready") return children(counts.occupancy);
  return (
    <div class="data-waiting">
      {counts.state === "loading" ? (
        <Loading
          what="the counts"
          progress={counts.progress === undefined ? undefined : progressWords(counts.progress)}
        />
      ) : counts.state === "surveying" ? (
        <Card
          title="The file is being surveyed"
          lead="Veilgrid counts how many records each user has in each grid. Nothing is published by this, and no budget is spent."
        >
          <ProgressLine what="Counting" progress={counts.progress} onCancel={cancel} />
        </Card>
      ) : counts.state === "not surveyed" ? (
        <Card
          title="Not surveyed yet"
          lead="To see who is where how often, and to plan a release, records have to be counted first. This spends nothing."
        >
          <button type="button" class="primary" onClick={survey}>
            Survey the file
          </button>
        </Card>
      ) : (
        <WhyNot error={counts.error} during={counts.during} onRetry={load} />
      )}
    </div>
  );
}

/** A dataset's columns stay as they were registered, so what is wrong with them is put right by adding the file again. */
function WhyNot({ error, during, onRetry }: { error: unknown; during: "loading" | "surveying"; onRetry: () => void }) {
  if (during === "loading" || !(error instanceof ServiceFailure)) return <Failure error={error} onRetry={onRetry} />;
  return (
    <>
      <Failure
        error={new ServiceFailure(error.status, error.code, plainWords(error.message))}
        title="The file could not be surveyed"
        onRetry={onRetry}
      />
      <p class="note">
        If a column was chosen wrongly, <a href={hrefOf({ page: "add" })}>add the file again</a> under another name.
      </p>
    </>
  );
}
