/** The survey as a curator reads it in a terminal. */
import { escapeControls } from "../../core/errors/index.ts";
import type { OccupancySummary } from "../../core/occupancy/index.ts";
import { formatCount, plural, textTable } from "./text-table.ts";

const BAR_WIDTH = 32;
const MOST_BARS = 12;
const MOST_GRIDS = 10;

export function surveyText(source: string, survey: OccupancySummary & { readonly occupancyHash: string }): string {
  const busiest = [...survey.perGrid].sort((left, right) => right.samples - left.samples).slice(0, MOST_GRIDS);
  return [
    `${escapeControls(source)}: ${plural(survey.users, "user")}, ${plural(survey.grids, "grid")}, ${plural(survey.samples, "record")} ` +
      `(${plural(survey.entries, "user–grid pair")})`,
    `A user is in ${survey.meanGridsPerUser.toFixed(1)} grids on average, in ${formatCount(survey.maxGridsPerUser)} at most.`,
    "",
    "Grids per user",
    bars(survey.gridsPerUser),
    "",
    `Heaviest contributors${survey.users > survey.heaviestContributors.length ? ` (of ${formatCount(survey.users)})` : ""}`,
    textTable(
      [
        ["user", "records", "share", "grids"],
        ...survey.heaviestContributors.map((each) => [
          each.user,
          formatCount(each.records),
          percent(each.records / survey.samples),
          formatCount(each.grids),
        ]),
      ],
      ["left", "right", "right", "right"],
    ),
    "",
    `Busiest grids${survey.grids > busiest.length ? ` (of ${formatCount(survey.grids)})` : ""}`,
    textTable(
      [
        ["grid", "records", "users", "largest share of one user"],
        ...busiest.map((grid) => [
          grid.grid,
          formatCount(grid.samples),
          formatCount(grid.users),
          percent(grid.largestContribution / grid.samples),
        ]),
      ],
      ["left", "right", "right", "right"],
    ),
    "",
    "These counts are treated as public: who was where how often is not protected, only the values are.",
    `occupancy sha256 ${survey.occupancyHash}`,
    "",
  ].join("\n");
}

/** A histogram of grids per user; neighbouring numbers share a bar where there are too many. */
function bars(distribution: OccupancySummary["gridsPerUser"]): string {
  const most = distribution[distribution.length - 1]!.grids;
  const width = Math.ceil(most / MOST_BARS);
  const bins = Array.from({ length: Math.ceil(most / width) }, () => 0);
  for (const { grids, users } of distribution) bins[Math.floor((grids - 1) / width)]! += users;
  const highest = Math.max(...bins);
  return textTable(
    bins.map((users, bin) => {
      const first = 1 + bin * width;
      const last = Math.min(first + width - 1, most);
      const length = Math.max(users > 0 ? 1 : 0, Math.round((BAR_WIDTH * users) / highest));
      return [first === last ? String(first) : `${first}–${last}`, "█".repeat(length), formatCount(users)];
    }),
    ["right", "left", "right"],
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`;
}
