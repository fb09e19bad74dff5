/** Renders what a release did, or would do, for a terminal. */
import type { Rational } from "../../core/arithmetic/index.ts";
import type { Price } from "../ledger/index.ts";
import { lossText } from "./ledger-text.ts";
import { guessPercent, lines, plural, textTable } from "./text-table.ts";

/** What `release` tells; programs get the same as JSON. */
export interface ReleaseFacts {
  readonly dataset: string;
  readonly key: string;
  readonly notPrivate: boolean;
  readonly grids: number;
  /** Grids that this call charged for. */
  readonly chargedGrids: number;
  /** Grids of which nothing was kept. */
  readonly emptyGrids: number;
  /** Finished what an earlier attempt had begun. */
  readonly resumed: boolean;
  readonly exactLoss: Rational;
  readonly budget: { readonly budget: Rational; readonly loss: Rational; readonly more: number | null };
  readonly files: ReadonlyArray<{ readonly what: string; readonly path: string | null }>;
}

export function releaseText(facts: ReleaseFacts): string {
  const charged =
    facts.chargedGrids === 0
      ? `Nothing was charged: ${facts.resumed ? "an earlier attempt had paid." : "this key was released before. The records were not read; the same key gives the same bytes."}`
      : `Charged every user its own loss, at most ${lossText(facts.exactLoss)}: ${guessText(facts.exactLoss)}.`;
  const { budget, loss, more } = facts.budget;
  const room = more === null ? "" : `; room for ${more} more like this`;
  return lines(
    facts.notPrivate && "NOT PRIVATE: the noise can be replayed from its seed. For experiments only.",
    `Released ${plural(facts.grids, "grid")} of dataset ${facts.dataset}, key ${facts.key}.`,
    facts.emptyGrids > 0 &&
      `! In ${facts.emptyGrids} of them nothing was kept: what is published there says nothing about the data.`,
    charged,
    `Budget ${budget}, spent ${lossText(loss)} by the worst user${room}.`,
    "",
    textTable(
      facts.files.map(({ what, path }) => [what, path ?? "standard output"]),
      ["left", "left"],
    ),
    "",
  ).join("\n");
}

/** The loss in words. */
function guessText(loss: Rational): string {
  return `an attacker who would guess right half of the time about one user's values can do so at most ${guessPercent(loss)} % of the time`;
}

export interface PriceFacts extends Price {
  readonly dataset: string;
  readonly key: string;
}

export function dryRunText(facts: PriceFacts): string {
  if (facts.parts.length === 0) return `Nothing would be charged: key ${facts.key} is paid for.\n`;
  const verdict =
    facts.refusal === null
      ? `It fits: the budget is ${facts.budget}, and the worst user would have spent ${lossText(facts.lossAfter)}.`
      : `It would be refused: ${facts.refusal}.`;
  return [
    `A release of ${plural(facts.parts.length, "grid")} under key ${facts.key} would charge ${plural(facts.users, "user")} of dataset ${facts.dataset} up to ${lossText(facts.loss)} each:`,
    `${guessText(facts.loss)}.`,
    verdict,
    "Nothing was charged and nothing was written.",
    "",
  ].join("\n");
}
