/** Shows what is released of a dataset, and how to ask for more. */

import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import { formatCount } from "../format.ts";
import { isolateText } from "../isolate-text.ts";
import { GridMap } from "../map/grid-map.tsx";
import { Card } from "../parts/card.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { hrefOf } from "../router.ts";
import { useAsync } from "../use-async.ts";
import type { DatasetPageProps } from "./page-props.ts";
import { AskGrid } from "./published/ask-grid.tsx";
import { ChosenGrid } from "./published/chosen-grid.tsx";
import { confidenceOf } from "./published/confidence.tsx";
import { OnlyReleased } from "./published/only-released.tsx";
import type { Released } from "./published/released.ts";
import { useLastAnswer } from "./published/use-last-answer.ts";
import { changeSetting } from "./published/use-setting.ts";
import { WholeResult } from "./published/whole-result.tsx";

interface Published {
  readonly unit: string | null;
  readonly onlyReleased: boolean;
  readonly statistics: readonly string[];
  readonly unreleased: readonly string[];
  /** null: nothing yet. */
  readonly released: Released | null;
}

export function PublishedPage({ dataset, session, query }: DatasetPageProps) {
  const { service, role } = session;
  const confidence = confidenceOf(query);
  const { answer, again } = useAsync(
    async (signal): Promise<Published | null> => {
      const params = { dataset };
      const [{ datasets }, { grids }] = await Promise.all([
        service.listPublished({ signal }),
        service.listGrids({ params, signal }),
      ]);
      const own = datasets.find(({ name }) => name === dataset);
      if (own === undefined) return null;
      // Not asked for in vain: a browser would call that an error.
      const released = grids.some((grid) => grid.released)
        ? await service.getResults({ params, query: { confidence }, signal })
        : null;
      return {
        unit: own.unit,
        onlyReleased: own.onlyReleased,
        statistics: own.statistics,
        unreleased: grids.filter((grid) => !grid.released).map(({ grid }) => grid),
        released: released as Released | null,
      };
    },
    [dataset, confidence],
  );
  const { value, isNew } = useLastAnswer(answer);
  if (value === undefined)
    return answer.state === "failed" ? (
      <Failure error={answer.error} onRetry={again} />
    ) : (
      <Loading what="what is published" />
    );
  if (value === null) return <NoPlan dataset={dataset} isCurator={role === "curator"} />;
  const { released, unreleased, onlyReleased } = value;
  const { title = "Published", description, unit = value.unit } = released?.privacy.identity ?? {};
  const ask = (grid: string) => (
    <AskGrid
      key={grid}
      dataset={dataset}
      grid={grid}
      session={session}
      onlyReleased={onlyReleased}
      onAnswered={again}
    />
  );
  return (
    <div class="page">
      <div class="page-head">
        <div>
          <h1>{isolateText(title)}</h1>
          <p class="lead">{leadOf(value)}</p>
          {description === undefined ? null : <p>{isolateText(description)}</p>}
        </div>
      </div>
      {answer.state === "failed" ? <Failure error={answer.error} onRetry={again} /> : null}
      {released?.warning === undefined ? null : <p class="message weak">{released.warning}</p>}
      {released === null ? (
        <NothingYet published={value} query={query} ask={ask} isCurator={role === "curator"} dataset={dataset} />
      ) : (
        <WholeResult
          dataset={dataset}
          session={session}
          released={released}
          unit={unit}
          query={query}
          unreleased={unreleased}
          ask={ask}
          isBusy={answer.state === "loading" && !isNew}
        />
      )}
      {role === "curator" ? (
        <OnlyReleased dataset={dataset} session={session} value={onlyReleased} onChanged={again} />
      ) : null}
    </div>
  );
}

function leadOf({ released, unreleased, onlyReleased }: Published): string {
  const done = released?.rows.length ?? 0;
  const counts = `${formatCount(done)} of ${formatCount(done + unreleased.length)} grids are released.`;
  if (unreleased.length === 0) return counts;
  return `${counts} ${onlyReleased ? "Only what is released is given out." : "The others can be asked for."}`;
}

/** Nothing is released: the grids that could be. */
function NothingYet({
  published: { unreleased, onlyReleased },
  query,
  ask,
  isCurator,
  dataset,
}: {
  published: Published;
  query: URLSearchParams;
  ask: (grid: string) => ComponentChild;
  isCurator: boolean;
  dataset: string;
}) {
  const chosen = query.get("grid");
  const choose = (grid: string | null): void => changeSetting(query, { grid });
  const grids = useMemo(() => unreleased.map((id) => ({ id, value: null, lines: ["not released"] })), [unreleased]);
  return (
    <>
      <p class="message">
        Nothing of this dataset is released yet.{" "}
        {onlyReleased ? "Come back when it is." : "You can ask for single grids below."}{" "}
        {isCurator ? (
          <>
            Or <a href={hrefOf({ page: "dataset", dataset, tab: "release" })}>release all grids of the plan</a>.
          </>
        ) : null}
      </p>
      <div class="columns">
        <Card class="two-thirds" title="Grids">
          <GridMap measure="not released" grids={grids} chosen={chosen} onChoose={choose} />
        </Card>
        <div class="third stack">
          <ChosenGrid grid={chosen} row={null} measures={[]} confidence="" ask={ask} />
        </div>
      </div>
    </>
  );
}

function NoPlan({ dataset, isCurator }: { dataset: string; isCurator: boolean }) {
  return (
    <div class="page narrow">
      <h1>Published</h1>
      <p class="lead">Nothing of {dataset} is published, and nothing can be asked for yet: it has no plan.</p>
      {isCurator ? (
        <p>
          <a class="button primary" href={hrefOf({ page: "dataset", dataset, tab: "plan" })}>
            Make a plan
          </a>
        </p>
      ) : null}
    </div>
  );
}
