/** Explains what the numbers mean for planning, in plain words. */
import { formatCount, formatNumber, formatPercent } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { hrefOf } from "../../router.ts";
import type { DataCounts } from "./counts.ts";

export function Meaning({ counts, dataset }: { counts: DataCounts; dataset: string }) {
  const { users, usersInOne, usersInMany, mostGrids, grids, mostOfOne } = counts;
  return (
    <Card class="third" title="What this means">
      <p>
        Who was where how often is <b>public</b> here: you said so when the dataset was added, and plans are made from
        it. The measured values are <b>protected</b>, so none are shown on this page.
      </p>
      <p>
        Every grid that is published tells a little about everyone in it. So users in many grids cost most:{" "}
        {mostGrids === 1
          ? "here nobody is in more than one grid, which is the easiest case."
          : `here one user is in ${formatCount(mostGrids)} of ${formatCount(grids.length)} grids, ${formatPercent(usersInMany / users)} of users are in at least ${formatNumber(Math.ceil(mostGrids / 2))}, and ${usersInOne === 0 ? "nobody is" : `${formatPercent(usersInOne / users)} are`} in one only.`}{" "}
        Planning decides what of the busiest users is left out, so that all others get smaller errors for the same
        privacy.
      </p>
      {mostOfOne.largestShare >= 0.5 ? (
        <p class="message weak">
          In one grid {formatPercent(mostOfOne.largestShare)} of the records belong to one user. Such a grid is mostly
          about that user and will be noisy; ask for more users per grid, or larger grids.
        </p>
      ) : null}
      <a class="button primary" href={hrefOf({ page: "dataset", dataset, tab: "plan" })}>
        Plan a release →
      </a>
    </Card>
  );
}
