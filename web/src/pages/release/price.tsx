/** Shows what a release costs against the budget, in words and pictures, and whom. */
import type { PlanSummary } from "../../../../src/core/planning/index.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { type FigureFact, Figures } from "../../parts/figures.tsx";
import { LossWords } from "../../parts/loss-words.tsx";
import type { Standing } from "../ledger/standing.ts";
import type { PlanBalance } from "./plan-balance.ts";

export interface PriceProps {
  readonly summary: PlanSummary;
  readonly standing: Standing;
  readonly balance: PlanBalance;
  /** All of it is out. */
  readonly isReleased: boolean;
}

export function Price({ summary, standing, balance, isReleased }: PriceProps) {
  const { loss, users } = summary;
  const { budget, left } = standing;
  return (
    <Card title={isReleased ? "What it cost" : "What it costs"} class="price">
      <Figures
        facts={
          isReleased
            ? [lossFact(loss), { name: "Left now", value: formatNumber(left), note: `of ${formatNumber(budget)}` }]
            : priceFacts(loss, standing, balance)
        }
      />
      {isReleased ? (
        <LossWords loss={loss} of="this release" />
      ) : (
        <LossWords loss={loss} of="this release" budget={budget} left={balance.leftForIt} />
      )}
      <p class="note">
        Charged are the {formatCount(users)} users of the plan: every one at most {formatNumber(loss)}, most of them
        less, each by what they contribute. Nobody's total ever goes above the budget of {formatNumber(budget)}.
      </p>
    </Card>
  );
}

export function priceFacts(
  loss: number,
  { left, budget }: Pick<Standing, "left" | "budget">,
  { leftAfter }: PlanBalance,
): FigureFact[] {
  return [
    lossFact(loss),
    { name: "Left before", value: formatNumber(left) },
    leftAfter < 0
      ? {
          name: "Left after",
          value: "–",
          note: loss > budget ? "it will be refused" : "it may be refused",
          tone: "weak",
        }
      : { name: "Left after", value: formatNumber(Math.min(left, leftAfter)), note: "or more" },
  ];
}

function lossFact(loss: number): FigureFact {
  return { name: "Loss λ", value: formatNumber(loss), note: "of the user who loses most" };
}
