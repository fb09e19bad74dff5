/** Renders budgets, releases and checks of a ledger for a terminal, and for programs. */
import type { Rational } from "../../core/arithmetic/index.ts";
import { escapeControls } from "../../core/errors/index.ts";
import type { Standing, Verification } from "../ledger/index.ts";
import { columnTable, decimalsOf, formatCount, formatNumber, lines, plural, textTable } from "./text-table.ts";

const TRAIL_LINES = 12;
/** Losses are whole units of 10⁻¹⁸. */
const LOSS_PLACES = 18;

/** The state of datasets, one after another. */
export function standingText(standings: readonly Standing[]): string {
  if (standings.length === 0) return "the ledger has no dataset\n";
  return standings.map(oneStanding).join("\n");
}

function oneStanding(standing: Standing): string {
  const { heaviest, releases, moreLikeLast } = standing;
  const users = `${plural(standing.users, "user")}${standing.usersAreHashed ? ", kept as hashes" : ""}`;
  const room = moreLikeLast === null ? "" : `room for ${formatCount(Number(moreLikeLast))} more like the last`;
  const trail = standing.trail.slice(-TRAIL_LINES);
  const cut = standing.trail.length > trail.length;
  return lines(
    `Dataset ${escapeControls(standing.dataset)}`,
    textTable(
      [
        ["budget", `${standing.budget}`, "any user's loss over all releases"],
        ["spent", lossText(standing.loss), `by the worst of ${users}`],
        ["left", leftText(standing.left), room],
      ],
      ["left", "right", "left"],
    ),
    releases.length > 0 && [
      "\nReleases",
      columnTable(releases, [
        ["key", "left", ({ key }) => key],
        ["plan", "left", ({ planHash }) => planHash.slice(0, 12)],
        ["made", "left", ({ created }) => minuteText(created)],
        [
          "state",
          "left",
          ({ pending, state }) => (pending.length > 0 ? `${formatCount(pending.length)} grids pending` : state),
        ],
        ["loss", "right", ({ loss }) => lossText(loss)],
        ["grids", "right", ({ committed }) => formatCount(committed)],
      ]),
    ],
    releases.some(({ pending }) => pending.length > 0) &&
      "  pending: charged and not finished; veilgrid ledger resume finishes it, veilgrid ledger void gives it up",
    heaviest.length > 0 && [
      "\nHighest losses",
      textTable(
        heaviest.slice(0, 5).map(({ user, loss }) => [user, lossText(loss)]),
        ["left", "right"],
      ),
    ],
    `\nAudit trail${cut ? `, the last ${trail.length} of ${formatCount(standing.trail.length)}` : ""}`,
    textTable(
      trail.map(({ time, kind, what }) => [minuteText(time), kind, what]),
      ["left", "left", "left"],
    ),
    "",
  ).join("\n");
}

function minuteText(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

/** Not less than it is. */
export function lossText(loss: Rational): string {
  return formatNumber(Number(loss.toDecimalUp(placesOf(loss))));
}

/** Not more than it is: who plans to spend as much can. */
function leftText(left: Rational): string {
  return formatNumber(Number(left.toDecimalDown(placesOf(left))));
}

/** What is too small to be written out has all its places. */
function placesOf(loss: Rational): number {
  const about = loss.toNumberNearest();
  return about < 1e-4 ? LOSS_PLACES : decimalsOf(about);
}

/** The same for programs: plain numbers, exact ones beside them. */
export function standingFacts(standing: Standing): object {
  const { budget, loss, left, moreLikeLast, heaviest, distribution, releases } = standing;
  return {
    ...standing,
    budget: budget.toNumberNearest(),
    loss: loss.toNumberNearest(),
    left: left.toNumberNearest(),
    moreLikeLast: moreLikeLast === null ? null : Number(moreLikeLast),
    heaviest: heaviest.map(({ user, loss }) => ({ user, loss: loss.toNumberNearest() })),
    distribution: distribution.map(({ from, to, users }) => ({
      from: from.toNumberNearest(),
      to: to.toNumberNearest(),
      users,
    })),
    releases: releases.map((release) => ({
      ...release,
      loss: release.loss.toNumberNearest(),
      exactLoss: release.loss,
    })),
    exact: { budget, loss, left },
  };
}

export function verificationText({ consistent, problems, counts }: Verification): string {
  const looked = `${plural(counts.lines, "journal line")}, ${plural(counts.datasets, "dataset")}, ${plural(counts.releases, "release")}, ${plural(counts.parts, "grid")}, ${plural(counts.users, "user")}`;
  if (consistent) return `consistent: every balance follows from the journal (${looked})\n`;
  return `NOT consistent (${looked})\n${problems.map((problem) => `  ${problem}\n`).join("")}`;
}
