/** Asks for a grid that is not released, and says what that means. */
import { useState } from "preact/hooks";
import { Failure } from "../../parts/failure.tsx";
import type { Session } from "../../session.ts";

export interface AskGridProps {
  readonly dataset: string;
  readonly grid: string;
  readonly session: Session;
  readonly onlyReleased: boolean;
  onAnswered(): void;
}

export function AskGrid({ dataset, grid, session: { service }, onlyReleased, onAnswered }: AskGridProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const ask = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await service.askGrid({ params: { dataset, grid } });
      onAnswered();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  if (onlyReleased)
    return <p class="lead">It is not released, and of this dataset only what is released is given out.</p>;
  return (
    <>
      <p class="lead">
        It is not released yet. The first question for it spends some of the privacy of everyone in it, for good;
        whoever asks later gets the same answer, and nothing more is spent.
      </p>
      <button type="button" class="primary" disabled={busy} onClick={ask}>
        {busy ? "Asking…" : "Ask for this grid"}
      </button>
      {error === undefined ? null : <Failure error={error} onRetry={ask} />}
    </>
  );
}
