/** What is in a dataset before anything is planned: who was where how often, never what was measured. */
import { useMemo } from "preact/hooks";
import { ServiceFailure } from "../../../src/client/index.ts";
import type { Occupancy } from "../../../src/occupancy/index.ts";
import { formatTime } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { ProgressLine, progressWords } from "../parts/progress-line.tsx";
import { plainWords } from "../plain-words.ts";
import { hrefOf } from "../router.ts";
import { useAsync } from "../use-async.ts";
import { type UsedOccupancy, useOccupancy } from "../use-occupancy.ts";
import { dataCounts } from "./data/counts.ts";
import { Distributions } from "./data/distributions.tsx";
import { GridCards } from "./data/grid-cards.tsx";
import { HeaviestUsers } from "./data/heaviest-users.tsx";
import { Meaning } from "./data/meaning.tsx";
import { RecipeCard, type ShownDataset } from "./data/recipe-card.tsx";
import { Totals } from "./data/totals.tsx";
import type { DatasetPageProps } from "./page-props.ts";

export function DataPage({ dataset, session, query }: DatasetPageProps) {
  const { answer, again } = useAsync(
    async (signal): Promise<ShownDataset> => session.service.getDataset({ params: { dataset }, signal }),
    [dataset],
  );
  const used = useOccupancy(session, dataset);
  if (answer.state === "failed") return <Failure error={answer.error} onRetry={again} />;
  const about = answer.state === "ready" ? answer.value : undefined;
  const isReady = used.counts.state === "ready";
  return (
    <div class="page data-page">
      <header class="page-head">
        <div>
          <h1>What is in {dataset}</h1>
          <p class="lead">{about === undefined ? "…" : `From ${about.source}, added ${formatTime(about.created)}.`}</p>
        </div>
        <div class="tools">
          <button type="button" disabled={!isReady} onClick={used.survey} title="Count again, if the file has changed">
            Survey again
          </button>
          <a class="button primary" href={hrefOf({ page: "dataset", dataset, tab: "plan" })}>
            Plan a release →
          </a>
        </div>
      </header>
      <CountsOrWhyNot used={used}>
        {(occupancy) => <Counts occupancy={occupancy} about={about} dataset={dataset} query={query} />}
      </CountsOrWhyNot>
    </div>
  );
}

function CountsOrWhyNot({
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

function Counts({
  occupancy,
  about,
  dataset,
  query,
}: {
  occupancy: Occupancy;
  about: ShownDataset | undefined;
  dataset: string;
  query: URLSearchParams;
}) {
  const counts = useMemo(() => dataCounts(occupancy), [occupancy]);
  return (
    <>
      <Totals counts={counts} />
      <div class="columns">
        <GridCards
          grids={counts.grids}
          query={query}
          besideMap={<Meaning counts={counts} dataset={dataset} />}
          between={<Distributions counts={counts} />}
          besideTable={
            <div class="third stack">
              <HeaviestUsers counts={counts} />
              <RecipeCard about={about} />
            </div>
          }
        />
      </div>
    </>
  );
}
