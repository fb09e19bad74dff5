/** Asks for the two confirmations before a release. */
import { useState } from "preact/hooks";
import type { PlanSummary } from "../../../../src/core/planning/index.ts";
import { formatNumber, plural } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Figures } from "../../parts/figures.tsx";
import { rightInHundred } from "../../parts/loss-in-words.ts";
import type { Standing } from "../ledger/standing.ts";
import type { PlanBalance } from "./plan-balance.ts";
import { priceFacts } from "./price.tsx";

export interface ConfirmProps {
  readonly dataset: string;
  readonly summary: PlanSummary;
  readonly standing: Standing;
  readonly balance: PlanBalance;
  /** Grids that were asked for before, under the same key. */
  readonly releasedGrids: number;
  /** What analysts see now is another plan's. */
  readonly replaces: boolean;
  onConfirm(): void;
}

export function Confirm({ dataset, summary, standing, balance, releasedGrids, replaces, onConfirm }: ConfirmProps) {
  const [isUnderstood, setUnderstood] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const price = formatNumber(summary.loss);
  const what = `Release ${plural(summary.grids - releasedGrids, "grid")} and spend ${releasedGrids > 0 ? "at most " : ""}${price}`;
  return (
    <Card title="Release">
      {releasedGrids > 0 ? (
        <p>
          {plural(releasedGrids, "grid was", "grids were")} asked for before. Their answers stay as they are and are not
          charged again.
        </p>
      ) : null}
      {replaces ? (
        <p>
          Analysts will see this plan's numbers in place of what they see now; what was released before stays released,
          and can be shown again by choosing its plan below.
        </p>
      ) : null}
      <label class="check">
        <input
          type="checkbox"
          checked={isUnderstood}
          onChange={(event) => setUnderstood(event.currentTarget.checked)}
        />
        <span>I understand that this cannot be undone once published.</span>
      </label>
      <div class="side-by-side">
        <button type="button" class="primary" disabled={!isUnderstood} onClick={() => setAsking(true)}>
          {what}
        </button>
        {isUnderstood ? null : <span class="note">Tick the box first.</span>}
      </div>
      {isAsking ? (
        <Dialog
          title={`${what}?`}
          onClose={() => setAsking(false)}
          actions={
            <>
              <button type="button" onClick={() => setAsking(false)}>
                Not now
              </button>
              <button
                type="button"
                class="primary"
                onClick={() => {
                  setAsking(false);
                  onConfirm();
                }}
              >
                Release and spend {releasedGrids > 0 ? "at most " : ""}
                {price}
              </button>
            </>
          }
        >
          <p>
            Statistics of {plural(summary.grids, "grid")} of <b>{dataset}</b> are published. Someone who would guess
            right 1 time in 2 about one person is right at most <b>{rightInHundred(summary.loss)} times in 100</b>{" "}
            afterwards.
          </p>
          <Figures facts={priceFacts(summary.loss, standing, balance)} />
          <p class="note">What is published stays published, and the loss stays spent, whatever is deleted later.</p>
        </Dialog>
      ) : null}
    </Card>
  );
}
