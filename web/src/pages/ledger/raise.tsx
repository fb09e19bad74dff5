/** Raises the budget: by how much, why, and with what effect. */
import { useState } from "preact/hooks";
import { formatNumber } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Failure } from "../../parts/failure.tsx";
import { rightInHundred } from "../../parts/loss-in-words.ts";
import type { Session } from "../../session.ts";

export interface RaiseProps {
  readonly dataset: string;
  readonly session: Session;
  readonly budget: number;
  /** Came here to do it. */
  readonly isWanted: boolean;
  onRaised(): void;
}

export function Raise({ dataset, session: { service }, budget, isWanted, onRaised }: RaiseProps) {
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const next = /^\d{1,30}(\.\d{1,30})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  const problem =
    text.trim() === ""
      ? ""
      : Number.isNaN(next)
        ? "Write a decimal number, like 4.5."
        : next > budget
          ? ""
          : `It must be more than ${formatNumber(budget)}: budgets are never lowered.`;
  const isReady = next > budget && reason.trim() !== "";
  const raise = async (): Promise<void> => {
    setAsking(false);
    setBusy(true);
    setError(undefined);
    try {
      await service.raiseBudget({ params: { dataset }, body: { budget: text.trim(), reason: reason.trim() } });
      setText("");
      setReason("");
      onRaised();
    } catch (refusal) {
      setError(refusal);
    }
    setBusy(false);
  };
  return (
    <Card title="Raise the budget" id="raise">
      <details class="fold" open={isWanted}>
        <summary>Allow more loss than {formatNumber(budget)}, for good</summary>
        <form
          class="fields"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) setAsking(true);
          }}
        >
          <label class="field">
            <span>New budget</span>
            <input
              name="budget"
              inputMode="decimal"
              autocomplete="off"
              required
              value={text}
              aria-invalid={problem !== ""}
              aria-describedby="raise-problem"
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <small id="raise-problem" class={problem === "" ? undefined : "problem"}>
              {problem === "" ? `Now ${formatNumber(budget)}.` : problem}
            </small>
          </label>
          <label class="field">
            <span>Reason</span>
            <input
              name="reason"
              maxLength={400}
              required
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
            <small>Goes into the audit trail, where it stays.</small>
          </label>
          <div class="side-by-side">
            <button type="submit" disabled={!isReady || busy}>
              {busy ? "Raising…" : "Raise…"}
            </button>
          </div>
        </form>
        {error === undefined ? null : <Failure error={error} />}
      </details>
      {isAsking ? (
        <Dialog
          title={`Raise the budget from ${formatNumber(budget)} to ${formatNumber(next)}?`}
          onClose={() => setAsking(false)}
          actions={
            <>
              <button type="button" onClick={() => setAsking(false)}>
                Leave it
              </button>
              <button type="button" class="primary" onClick={raise}>
                Raise it
              </button>
            </>
          }
        >
          <p>
            Someone who would guess right 1 time in 2 about one person may then be right up to{" "}
            <b>{rightInHundred(next)} times in 100</b>, where it was {rightInHundred(budget)}. This cannot be taken
            back.
          </p>
          <p class="note">Reason: {reason}</p>
        </Dialog>
      ) : null}
    </Card>
  );
}
