/** Shows the paper behind the program: its claims, our results figure by figure, and its experiment to run here. */
import { useEffect } from "preact/hooks";
import { Card } from "../parts/card.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/loading.tsx";
import { hrefOf } from "../router.ts";
import { useAsync } from "../use-async.ts";
import { FigureCard } from "./paper/figure-card.tsx";
import { FigureList } from "./paper/figure-list.tsx";
import { fetchFigures, type PaperFigures } from "./paper/figures.ts";
import { RunHere } from "./paper/run-here.tsx";

const FIRST = "paper-loss-gamma-3";

export function PaperPage({ figure, query }: { figure: string | null; query: URLSearchParams }) {
  const { answer, again } = useAsync(fetchFigures, []);
  return (
    <div class="page paper-page">
      <header>
        <h1>The paper, figure by figure</h1>
        <p class="lead">
          Rameshwar and Tandon, “On Improving the Composition Privacy Loss in Differential Privacy for Fixed Estimation
          Error” (arXiv:2405.06261): its experiments run again by this program, what they leave out, and a run of your
          own.
        </p>
      </header>
      <Claims />
      {answer.state === "loading" ? (
        <div class="paper-waiting">
          <Loading what="the figures" />
        </div>
      ) : answer.state === "failed" ? (
        <div class="paper-waiting">
          <Failure error={answer.error} onRetry={again} />
        </div>
      ) : (
        <Shown data={answer.value} figure={figure} query={query} />
      )}
      <RunHere query={query} />
    </div>
  );
}

function Shown({ data, figure, query }: { data: PaperFigures; figure: string | null; query: URLSearchParams }) {
  const shown = data.figures.find(({ id }) => id === (figure ?? FIRST));
  // Where the list is above the figure, a chosen one may be out of sight.
  useEffect(() => {
    if (figure === null) return;
    const later = setTimeout(() => {
      const card = document.getElementById("figure");
      if (card !== null && card.getBoundingClientRect().top > innerHeight / 2) card.scrollIntoView();
    }, 0);
    return () => clearTimeout(later);
  }, [figure]);
  const findings = data.findings.find(({ subject }) => subject === shown?.subject);
  return (
    <>
      <div class="paper-figures">
        <FigureList figures={data.figures} chosen={shown?.id ?? ""} />
        {shown === undefined ? (
          <Card title="There is no such figure">
            <p>
              The address names “{figure}”.{" "}
              <a href={hrefOf({ page: "paper", figure: FIRST })}>Begin with the first one</a>, or choose from the list.
            </p>
          </Card>
        ) : (
          <FigureCard key={shown.id} figure={shown} figures={data.figures} query={query} />
        )}
      </div>
      {findings === undefined ? null : (
        <Card title={`Found on the way: ${findings.name}`}>
          <ul class="findings">
            {findings.sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <p class="note">
            A point is one draw at one ε. All numbers are made by <code>{data.command}</code>, which gives the same
            bytes every time.
          </p>
        </Card>
      )}
    </>
  );
}

function Claims() {
  return (
    <div class="columns">
      <Card title="What the paper claims" class="half">
        <ul>
          <li>
            Leaving some users out of some grids (CLIP-USER) lowers the privacy loss a user suffers from all grids
            together, while the worst error stays the same: the more so, the heavier the heaviest contributors are.
          </li>
          <li>
            Capping how many records a user contributes afterwards lowers the worst error on synthetic data, and hardly
            on the records of a city's buses.
          </li>
        </ul>
      </Card>
      <Card title="What we find" class="half">
        <ul>
          <li>Counted as the paper counts, ε for every grid of a user, both hold in our runs of its experiments.</li>
          <li>
            What one user can really move is far less than ε for every grid; counted so, CLIP-USER raises the loss on
            most of the synthetic points, and lowers it on the city's.
          </li>
          <li>
            In most of the paper's range the worst grid's guarantee is no better than publishing the middle of the range
            without looking at any data. The figures beyond the paper show where that ends.
          </li>
        </ul>
      </Card>
    </div>
  );
}
