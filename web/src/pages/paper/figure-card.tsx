/** Shows one interactive figure beside what the paper says of it and what we see. */

import { useMemo, useState } from "preact/hooks";
import { itemAt } from "../../../../src/core/errors/index.ts";
import { xPositions } from "../../../../src/publish/charts/index.ts";
import { formatNumber } from "../../format.ts";
import { LiveChart } from "../../parts/live-chart.tsx";
import { changeQuery, hrefOf } from "../../router.ts";
import { epsilonSentence, longestSentence } from "./epsilon-sentence.ts";
import { inOrder, neighbours } from "./figure-order.ts";
import type { PaperFigure } from "./figures.ts";

export interface FigureCardProps {
  readonly figure: PaperFigure;
  readonly figures: readonly PaperFigure[];
  readonly query: URLSearchParams;
}

export function FigureCard({ figure, figures, query }: FigureCardProps) {
  const { chart, set, claim, seen } = figure;
  const positions = useMemo(() => xPositions(chart), [chart]);
  const longest = useMemo(() => longestSentence(chart, positions), [chart, positions]);
  const [at, setAt] = useState(() => positionFor(positions, query.get("e")));
  const epsilon = itemAt(positions, Math.min(at, positions.length - 1));
  const keep = (index: number): void => {
    setAt(index);
    const after = new URLSearchParams(query);
    after.set("e", String(positions[index]));
    changeQuery(after, "replace");
  };
  const ordered = inOrder(figures);
  const { before, after } = neighbours(ordered, figure.id);
  return (
    <article class="card figure-card" id="figure" aria-label={chart.title}>
      <header>
        <h2>{chart.title}</h2>
        <p class="note">{chart.subtitle}</p>
      </header>
      <LiveChart chart={chart} bare x={epsilon} onPick={(x) => keep(nearestIndex(positions, x))} />
      <p class="note">{chart.note}</p>
      <div class="epsilon">
        <label class="field">
          <span>
            Read all lines at ε = <b>{formatNumber(epsilon)}</b>
          </span>
          <input
            type="range"
            min={0}
            max={positions.length - 1}
            step={1}
            value={at}
            aria-valuetext={`ε = ${formatNumber(epsilon)}`}
            onInput={(event) => setAt(event.currentTarget.valueAsNumber)}
            onChange={(event) => keep(event.currentTarget.valueAsNumber)}
          />
        </label>
        <div class="in-one-place">
          <p aria-live="polite">{epsilonSentence(chart, epsilon)}</p>
          <p class="room" aria-hidden="true">
            {longest}
          </p>
        </div>
      </div>
      <div class="beside">
        <section class="message" aria-label="The claim">
          <h3>{set === "paper" ? "The paper says, in our words" : "In the paper"}</h3>
          <p>{claim}</p>
        </section>
        <section class="message good" aria-label="What we see">
          <h3>What we see</h3>
          <p>{seen}</p>
        </section>
      </div>
      <nav class="neighbours" aria-label="Previous and next figure">
        {before === null ? <span /> : <Step to={before} words="← Previous" />}
        <span class="note">
          {ordered.findIndex(({ id }) => id === figure.id) + 1} of {ordered.length}
        </span>
        {after === null ? <span /> : <Step to={after} words="Next →" />}
      </nav>
    </article>
  );
}

function Step({ to, words }: { to: PaperFigure; words: string }) {
  return (
    <a class="button" href={hrefOf({ page: "paper", figure: to.id })} title={to.chart.title}>
      {words}
    </a>
  );
}

/** The middle of the range unless the address says another. */
function positionFor(positions: readonly number[], text: string | null): number {
  if (text !== null && Number(text) > 0) return nearestIndex(positions, Number(text));
  return Math.floor(positions.length / 2);
}

/** By ratio, as ε is read. */
function nearestIndex(positions: readonly number[], wanted: number): number {
  let found = 0;
  positions.forEach((each, index) => {
    if (Math.abs(Math.log(each / wanted)) < Math.abs(Math.log(itemAt(positions, found) / wanted))) found = index;
  });
  return found;
}
