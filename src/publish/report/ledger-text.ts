/** Budgets, releases and checks as people read them in a terminal, and as programs do. */
import type { Rational } from "../../core/arithmetic/index.ts";
import { escapeControls } from "../../core/errors/index.ts";
import type { Standing, Verification } from "../ledger/index.ts";
import { decimalsOf, formatCount, formatNumber, plural, textTable } from "./text-table.ts";

const TRAIL_LINES = 12;
/** Losses are whole units of 10⁻¹⁸. */
const LOSS_PLACES = 18;

/** Where datasets stand, one after another. */
export function standingText(standings: readonly Standing[]): string {
  if (standings.length === 0) return "the ledger has no dataset\n";
  return `${standings.map(oneStanding).join("\n")}`;
}

function oneStanding(standing: Standing): string {
  const users = standing.usersAreHashed
    ? `${plural(standing.users, "user")}, kept as hashes`
    : plural(standing.users, "user");
  const lines = [
    `Dataset ${escapeControls(standing.dataset)}`,
    textTable(
      [
        ["budget", `${standing.budget}`, "any user's loss over all releases"],
        ["spent", lossText(standing.loss), `by the worst of ${users}`],
        ["left", leftText(standing.left), moreText(standing)],
      ],
      ["left", "right", "left"],
    ),
  ];
  if (standing.releases.length > 0) {
    lines.push(
      "\nReleases",
      textTable(
        [
          ["key", "plan", "made", "state", "loss", "grids"],
          ...standing.releases.map((release) => [
            release.key,
            release.planHash.slice(0, 12),
            release.created.slice(0, 16).replace("T", " "),
            release.pending.length > 0 ? `${formatCount(release.pending.length)} grids pending` : release.state,
            lossText(release.loss),
            formatCount(release.committed),
          ]),
        ],
        ["left", "left", "left", "left", "right", "right"],
      ),
    );
  }
  if (standing.releases.some((release) => release.pending.length > 0))
    lines.push(
      "  pending: charged and not finished; veilgrid ledger resume finishes it, veilgrid ledger void gives it up",
    );
  if (standing.heaviest.length > 0) {
    const heaviest = standing.heaviest.slice(0, 5).map(({ user, loss }) => [user, lossText(loss)]);
    lines.push("\nHighest losses", textTable(heaviest, ["left", "right"]));
  }
  const trail = standing.trail.slice(-TRAIL_LINES);
  lines.push(
    `\nAudit trail${standing.trail.length > trail.length ? `, the last ${trail.length} of ${formatCount(standing.trail.length)}` : ""}`,
    textTable(
      trail.map((line) => [line.time.slice(0, 16).replace("T", " "), line.kind, line.what]),
      ["left", "left", "left"],
    ),
  );
  return `${lines.join("\n")}\n`;
}

function moreText({ moreLikeLast }: Standing): string {
  if (moreLikeLast === null) return "";
  return `room for ${formatCount(Number(moreLikeLast))} more like the last`;
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
