/** Finishes or gives up releases that were charged and not finished. */
import { useState } from "preact/hooks";
import { formatNumber, formatTime, plural } from "../../format.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Failure } from "../../parts/failure.tsx";
import type { Session } from "../../session.ts";
import type { ReleaseStanding } from "./standing.ts";

export interface PendingProps {
  readonly dataset: string;
  readonly session: Session;
  readonly release: ReleaseStanding;
  onFinish(release: ReleaseStanding): void;
  /** Something changed in the ledger. */
  onChanged(): void;
}

export function Pending({ dataset, session: { service }, release, onFinish, onChanged }: PendingProps) {
  const { key, created, pending, committed, loss } = release;
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  const giveUp = async (): Promise<void> => {
    setAsking(false);
    setError(undefined);
    try {
      await service.voidRelease({ params: { dataset }, body: { key } });
      onChanged();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <div class="message weak pending">
      <p>
        <b>Charged and not finished.</b> A release of {formatTime(created)} was interrupted:{" "}
        {plural(pending.length, "grid waits", "grids wait")} for a result
        {committed > 0 ? `, ${plural(committed, "grid is", "grids are")} out already` : ""}. Its loss of at most{" "}
        {formatNumber(loss)} is booked. Finishing it costs nothing more.
      </p>
      <div class="side-by-side">
        <button type="button" class="primary" onClick={() => onFinish(release)}>
          Finish it
        </button>
        <button type="button" onClick={() => setAsking(true)}>
          Give it up
        </button>
      </div>
      {error === undefined ? null : <Failure error={error} />}
      {isAsking ? (
        <Dialog
          title="Give this release up?"
          onClose={() => setAsking(false)}
          actions={
            <>
              <button type="button" onClick={() => setAsking(false)}>
                Keep it
              </button>
              <button type="button" class="primary" onClick={giveUp}>
                Give it up and refund
              </button>
            </>
          }
        >
          <p>
            What was charged for the {plural(pending.length, "unfinished grid")} is refunded, because nothing of them
            was ever shown. They can be released again later, at the same price.
          </p>
        </Dialog>
      ) : null}
    </div>
  );
}
