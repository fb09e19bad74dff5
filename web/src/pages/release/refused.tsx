/** Explains why a release was not finished, and what can be done. */
import { ServiceFailure } from "../../../../src/apps/client/index.ts";
import { formatNumber } from "../../format.ts";
import { Failure, failureWords } from "../../parts/failure.tsx";
import { hrefOf } from "../../router.ts";
import { isRefused } from "../../session.ts";
import type { Standing } from "../ledger/standing.ts";
import { affordableLoss } from "./affordable-loss.ts";
import { CHARGED_FROM, type PhaseIndex } from "./phases.ts";

export interface RefusedProps {
  readonly dataset: string;
  readonly error: unknown;
  readonly phase: PhaseIndex;
  readonly loss: number;
  readonly standing: Standing;
  onRetry(): void;
  onClose(): void;
}

export function Refused({ dataset, error, phase, loss, standing, onRetry, onClose }: RefusedProps) {
  const code = error instanceof ServiceFailure ? error.code : null;
  const { heading, text } = failureWords(error);
  if (code === "BUDGET_EXCEEDED") return <OverBudget dataset={dataset} loss={loss} standing={standing} text={text} />;
  if (isRefused(error)) return <Failure error={error} />;
  const isCharged = phase >= CHARGED_FROM;
  const isLost = !(error instanceof ServiceFailure);
  return (
    <div class={`card ${code === "CANCELLED" ? "" : "failure"}`} role="alert">
      <h2>{code === "CANCELLED" ? "Cancelled" : code === "INTERRUPTED" ? "The service was stopped" : heading}</h2>
      <p>{code === "CANCELLED" ? "Nothing of it was published." : text}</p>
      <p>
        {isLost
          ? "The release may still be running. Trying again finds out, and finishes it if need be: the key is the same, so nothing is charged twice and the numbers are the same."
          : isCharged
            ? "The loss may be charged already. Finishing it costs nothing more, because the key is the same."
            : "Nothing was charged."}
      </p>
      <div class="side-by-side">
        <button type="button" class="primary" onClick={onRetry}>
          {isLost ? "Try again" : isCharged ? "Finish it" : "Start again"}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Leave it
        </button>
      </div>
    </div>
  );
}

function OverBudget({
  dataset,
  loss,
  standing: { left, budget },
  text,
}: {
  dataset: string;
  loss: number;
  standing: Standing;
  text: string;
}) {
  const affordable = affordableLoss(left);
  return (
    <div class="card failure" role="alert">
      <h2>The budget does not allow it</h2>
      <p>
        The release needs {formatNumber(loss)}, and the user who has lost most has {formatNumber(left)} of{" "}
        {formatNumber(budget)} left. Nothing was charged, and no value was read.
      </p>
      <ul>
        {affordable === null ? null : (
          <li>
            <a href={hrefOf({ page: "dataset", dataset, tab: "plan" }, { loss: affordable })}>
              Plan with a loss of {affordable}
            </a>
            : more noise or fewer records, and it fits.
          </li>
        )}
        <li>
          <a href={hrefOf({ page: "dataset", dataset, tab: "ledger" }, { raise: "yes" })}>Raise the budget</a>: everyone
          in the data is protected less, for good, and the reason is written down.
        </li>
      </ul>
      <details class="note">
        <summary>What the service said</summary>
        <p>{text}</p>
      </details>
    </div>
  );
}
