/** Shows a dataset before anything is planned: counts of records and users, never measured values. */
import { useMemo } from "preact/hooks";
import type { Occupancy } from "../../../src/core/occupancy/index.ts";
import { formatTime } from "../format.ts";
import { isolateText } from "../isolate-text.ts";
import { CountsOrFailure } from "../parts/counts-or-failure.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { plainWords } from "../plain-words.ts";
import { hrefOf } from "../router.ts";
import { useAsync } from "../use-async.ts";
import { useOccupancy } from "../use-occupancy.ts";
import { dataCounts } from "./data/counts.ts";
import { Distributions } from "./data/distributions.tsx";
import { GridCards } from "./data/grid-cards.tsx";
import { HeaviestUsers } from "./data/heaviest-users.tsx";
import { leftOut } from "./data/left-out.ts";
import { Meaning } from "./data/meaning.tsx";
import { RecipeCard, type ShownDataset } from "./data/recipe-card.tsx";
import { Totals } from "./data/totals.tsx";
import type { DatasetPageProps } from "./page-props.ts";
import { useLastAnswer } from "./published/use-last-answer.ts";

export function DataPage({ dataset, session, query }: DatasetPageProps) {
  const used = useOccupancy(session, dataset);
  const isReady = used.counts.state === "ready";
  const { answer, again } = useAsync(
    async (signal): Promise<ShownDataset> => session.service.getDataset({ params: { dataset }, signal }),
    // A survey changes what is told of it.
    [dataset, isReady],
  );
  const { value: about } = useLastAnswer(answer);
  if (answer.state === "failed" && about === undefined) return <Failure error={answer.error} onRetry={again} />;
  return (
    <div class="page data-page">
      <header class="page-head">
        <div>
          <h1>What is in {dataset}</h1>
          <p class="lead">
            {about === undefined ? "…" : `From ${isolateText(about.source)}, added ${formatTime(about.created)}.`}
          </p>
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
      <CountsOrFailure used={used}>
        {/* What is told above the counts comes with them, so that nothing jumps. */}
        {(occupancy) =>
          about === undefined ? (
            <Loading what="what is told of them" />
          ) : (
            <Counts occupancy={occupancy} about={about} dataset={dataset} query={query} />
          )
        }
      </CountsOrFailure>
    </div>
  );
}

function Counts({
  occupancy,
  about,
  dataset,
  query,
}: {
  occupancy: Occupancy;
  about: ShownDataset;
  dataset: string;
  query: URLSearchParams;
}) {
  const counts = useMemo(() => dataCounts(occupancy), [occupancy]);
  return (
    <>
      {(about.warnings ?? []).map((warning) => (
        <p key={warning} class="message weak">
          {plainWords(warning)}
        </p>
      ))}
      <Totals counts={counts} notes={leftOut(about)} />
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
