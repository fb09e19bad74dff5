/** Renders a survey as a curator reads it in a terminal. */
import { escapeControls } from "../../core/errors/index.ts";
import type { OccupancySummary } from "../../core/occupancy/index.ts";
import { columnTable, formatCount, lines, plural, textTable } from "./text-table.ts";

const BAR_WIDTH = 32;
const MOST_BARS = 12;
const MOST_GRIDS = 10;

export function surveyText(source: string, survey: OccupancySummary & { readonly occupancyHash: string }): string {
  const { users, grids, samples, heaviestContributors } = survey;
  const busiest = [...survey.perGrid].sort((left, right) => right.samples - left.samples).slice(0, MOST_GRIDS);
  const outOf = (all: number, shown: readonly unknown[]): string =>
    all > shown.length ? ` (of ${formatCount(all)})` : "";
  return lines(
    `${escapeControls(source)}: ${plural(users, "user")}, ${plural(grids, "grid")}, ${plural(samples, "record")} (${plural(survey.entries, "user–grid pair")})`,
    `A user is in ${survey.meanGridsPerUser.toFixed(1)} grids on average, in ${formatCount(survey.maxGridsPerUser)} at most.`,
    "",
    "Grids per user",
    bars(survey.gridsPerUser),
    "",
    `Heaviest contributors${outOf(users, heaviestContributors)}`,
    columnTable(heaviestContributors, [
      ["user", "left", ({ user }) => user],
      ["records", "right", ({ records }) => formatCount(records)],
      ["share", "right", ({ records }) => percent(records / samples)],
      ["grids", "right", (each) => formatCount(each.grids)],
    ]),
    "",
    `Busiest grids${outOf(grids, busiest)}`,
    columnTable(busiest, [
      ["grid", "left", ({ grid }) => grid],
      ["records", "right", (each) => formatCount(each.samples)],
      ["users", "right", (each) => formatCount(each.users)],
      ["largest share of one user", "right", (each) => percent(each.largestContribution / each.samples)],
    ]),
    "",
    "These counts are treated as public: who was where how often is not protected, only the values are.",
    `occupancy sha256 ${survey.occupancyHash}`,
    "",
  ).join("\n");
}

/** A histogram of grids per user; neighbouring numbers share a bar where there are too many. */
function bars(distribution: OccupancySummary["gridsPerUser"]): string {
  const most = distribution.at(-1)?.grids ?? 0;
  const width = Math.ceil(most / MOST_BARS);
  const bins = Array.from({ length: Math.ceil(most / width) }, (_, bin) =>
    distribution
      .filter(({ grids }) => Math.floor((grids - 1) / width) === bin)
      .reduce((total, { users }) => total + users, 0),
  );
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
