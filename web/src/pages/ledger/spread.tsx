/** Shows how losses are spread over users: counts and ranks, never names. */
import { useMemo } from "preact/hooks";
import { barChart } from "../../../../src/publish/charts/index.ts";
import { formatCount, formatNumber, plural } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { Drawing } from "../../parts/drawing.tsx";
import type { LossBin, Standing } from "./standing.ts";

export function LossSpread({ standing: { distribution, users, heaviest, usersAreHashed } }: { standing: Standing }) {
  return (
    <Card
      title="Who has lost how much"
      lead={
        users === 0 ? "Nobody has lost anything yet." : `${plural(users, "user has", "users have")} lost something.`
      }
    >
      {users === 0 ? null : <Columns bins={distribution} />}
      {heaviest.length === 0 ? (
        usersAreHashed && users > 0 ? (
          <p class="note">Users are kept as hashes, so the largest losses are not listed.</p>
        ) : null
      ) : (
        <details class="fold">
          <summary>The largest losses, by rank</summary>
          <ol class="ranks">
            {heaviest.map(({ loss }, index) => (
              <li key={index}>{formatNumber(loss, 4)}</li>
            ))}
          </ol>
        </details>
      )}
    </Card>
  );
}

function Columns({ bins }: { bins: readonly LossBin[] }) {
  const svg = useMemo(
    () =>
      barChart({
        label: `Users by loss: ${bins
          .filter(({ users }) => users > 0)
          .map(({ from, to, users }) => `${formatCount(users)} between ${formatNumber(from)} and ${formatNumber(to)}`)
          .join(", ")}`,
        bars: bins.map(({ from, to, users }) => ({
          tick: formatNumber(from),
          title: `${plural(users, "user")}: loss above ${formatNumber(from)}, at most ${formatNumber(to)}`,
          value: users,
        })),
        across: "loss, from nothing to the whole budget",
        up: "users",
      }),
    [bins],
  );
  return <Drawing svg={svg} />;
}
