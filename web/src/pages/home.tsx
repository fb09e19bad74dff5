/** Shows the start page: the datasets, and how to add one. */

import { keepDroppedFile } from "../dropped-file.ts";
import { formatCount, formatTime } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { DropZone } from "../parts/drop-zone.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { goTo, hrefOf } from "../router.ts";
import type { Session } from "../session.ts";
import { useAsync } from "../use-async.ts";

export function HomePage({ session }: { session: Session }) {
  return session.role === "curator" ? <CuratorHome session={session} /> : <AnalystHome session={session} />;
}

function CuratorHome({ session: { service } }: { session: Session }) {
  const { answer, again } = useAsync(async (signal) => {
    const [{ datasets }, { datasets: published }] = await Promise.all([
      service.listDatasets({ signal }),
      service.listPublished({ signal }),
    ]);
    const byName = new Map(published.map((each) => [each.name, each]));
    return datasets.map((dataset) => ({ ...dataset, published: byName.get(dataset.name) }));
  }, []);
  const take = (file: File): void => {
    keepDroppedFile(file);
    goTo({ page: "add" });
  };
  return (
    <div class="page">
      <h1>Publish statistics, not people</h1>
      <p class="lead">
        Choose a dataset, see who is in it how often, weigh error against privacy, and publish with a guarantee.
      </p>
      <div class="cards">
        {answer.state === "loading" ? <Loading what="the datasets" /> : null}
        {answer.state === "failed" ? <Failure error={answer.error} onRetry={again} /> : null}
        {answer.state === "ready"
          ? answer.value.map(({ name, statistics, unit, created, plan, published }) => (
              <a key={name} class="card link-card" href={hrefOf({ page: "dataset", dataset: name, tab: "data" })}>
                <h2>{name}</h2>
                <p>
                  {statistics ?? "mean, variance"}
                  {unit === null ? "" : ` in ${unit}`}
                </p>
                <p class="note">
                  {standing(published, plan !== null)} · added {formatTime(created)}
                </p>
              </a>
            ))
          : null}
        {/* Not before the others, which would push it away. */}
        {answer.state === "loading" ? null : (
          <Card title="Add data" class="add-card">
            <DropZone onFile={take} />
          </Card>
        )}
      </div>
      {answer.state === "loading" ? null : <Way />}
    </div>
  );
}

const STEPS = [
  { name: "Data", says: "A file is counted: who was where how often. What was measured stays closed." },
  { name: "Plan", says: "Weigh error against privacy and see, before anything is spent, what every grid would get." },
  { name: "Release", says: "The price in words, confirmed twice; then numbers with intervals, files and a statement." },
  { name: "Ledger", says: "What everyone has lost by all releases together, and how many more the budget holds." },
] as const;

function Way() {
  return (
    <Card title="From a file to a publication">
      <ol class="way">
        {STEPS.map(({ name, says }) => (
          <li key={name}>
            <b>{name}</b>
            <span>{says}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface Progress {
  readonly released: number;
  readonly grids: number;
}

/** How far a dataset has come. */
function standing(published: Progress | undefined, isPlanned: boolean): string {
  if (published !== undefined && published.released > 0) return releasedText(published);
  return isPlanned ? "planned" : "no plan yet";
}

function releasedText({ released, grids }: Progress): string {
  return `${formatCount(released)} of ${formatCount(grids)} grids released`;
}

function AnalystHome({ session: { service } }: { session: Session }) {
  const { answer, again } = useAsync(async (signal) => (await service.listPublished({ signal })).datasets, []);
  if (answer.state === "loading") return <Loading what="what is published" />;
  if (answer.state === "failed") return <Failure error={answer.error} onRetry={again} />;
  return (
    <div class="page">
      <h1>Published statistics</h1>
      {answer.value.length === 0 ? <p class="lead">Nothing is published for you yet.</p> : null}
      <div class="cards">
        {answer.value.map(({ name, unit, statistics, grids, released }) => (
          <a key={name} class="card link-card" href={hrefOf({ page: "dataset", dataset: name, tab: "published" })}>
            <h2>{name}</h2>
            <p>
              {statistics.join(", ")}
              {unit === null ? "" : ` in ${unit}`}
            </p>
            <p class="note">{releasedText({ released, grids })}</p>
          </a>
        ))}
      </div>
    </div>
  );
}
