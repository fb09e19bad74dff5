/** What a release costs: in words and pictures, against the budget, and whom. */
import type { PlanSummary } from "../../../../src/planning/index.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { Figures } from "../../parts/figures.tsx";
import { LossWords } from "../../parts/loss-words.tsx";
import type { Standing } from "../ledger/standing.ts";

export function Price({ summary, standing }: { summary: PlanSummary; standing: Standing }) {
  const { loss, users } = summary;
  const { left, budget } = standing;
  return (
    <Card title="What it costs">
      <Figures facts={priceFacts(summary, standing)} />
      <LossWords loss={loss} budget={budget} left={left} />
      <p class="note">
        Charged are the {formatCount(users)} users of the plan: every one at most {formatNumber(loss)}, most of them
        less, each by what they contribute. Nobody's total ever goes above the budget of {formatNumber(budget)}.
      </p>
    </Card>
  );
}

export function priceFacts({ loss }: Pick<PlanSummary, "loss">, { left }: Pick<Standing, "left">) {
  const after = left - loss;
  return [
    { name: "Loss λ", value: formatNumber(loss), note: "of the user who loses most" },
    { name: "Left before", value: formatNumber(left) },
    {
      name: "Left after",
      value: after < 0 ? "–" : formatNumber(after),
      note: after < 0 ? "it may be refused" : "or more",
      ...(after < 0 ? { tone: "weak" as const } : {}),
    },
  ];
}
