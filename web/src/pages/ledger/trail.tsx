/** Shows the audit trail: everything that ever happened to the budget, newest first. */
import { useState } from "preact/hooks";
import { formatCount, formatTime } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { readable } from "./history.ts";
import type { TrailLine } from "./standing.ts";

const AT_ONCE = 10;
const NAMES = new Map([
  ["init", "made"],
  ["reserve", "charged"],
  ["commit", "published"],
  ["void", "given up"],
  ["raise", "raised"],
]);

export function Trail({ trail }: { trail: readonly TrailLine[] }) {
  const [shown, setShown] = useState(AT_ONCE);
  const lines = trail.slice(-shown).reverse();
  return (
    <Card title="Audit trail" lead="Only ever written to at its end. Newest first.">
      <ol class="trail" reversed start={trail.length}>
        {lines.map(({ time, kind, what }, index) => (
          <li key={trail.length - index}>
            <span class="badge">{NAMES.get(kind) ?? kind}</span> <time dateTime={time}>{formatTime(time)}</time>
            <span class="what" title={what}>
              {readable(what)}
            </span>
          </li>
        ))}
      </ol>
      {trail.length > shown ? (
        <button type="button" class="quiet" onClick={() => setShown(shown * 4)}>
          Show more: {formatCount(shown)} of {formatCount(trail.length)}
        </button>
      ) : null}
    </Card>
  );
}
