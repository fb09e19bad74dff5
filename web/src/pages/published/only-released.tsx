/** Lets curators choose whether analysts may ask for grids that are not released. */
import { useState } from "preact/hooks";
import { Card } from "../../parts/card.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Switch } from "../../parts/switch.tsx";
import type { Session } from "../../session.ts";

export interface OnlyReleasedProps {
  readonly dataset: string;
  readonly session: Session;
  readonly value: boolean;
  onChanged(): void;
}

export function OnlyReleased({ dataset, session: { service }, value, onChanged }: OnlyReleasedProps) {
  const [shown, setShown] = useState(value);
  const [before, setBefore] = useState<boolean | null>(null);
  const [error, setError] = useState<unknown>();
  const change = async (onlyReleased: boolean, { canUndo }: { canUndo: boolean }): Promise<void> => {
    const was = shown;
    setShown(onlyReleased);
    setError(undefined);
    try {
      await service.changeDataset({ params: { dataset }, body: { onlyReleased } });
      setBefore(canUndo ? was : null);
      onChanged();
    } catch (problem) {
      setShown(was);
      setError(problem);
    }
  };
  return (
    <Card
      title="Who may ask"
      lead={
        shown
          ? "Analysts read what is released. Asking for more is refused, so nothing is spent without you."
          : "Analysts may ask for grids that are not released. The first question for each spends of the budget, and never more than there is."
      }
    >
      <div class="side-by-side">
        <Switch
          legend="Answer"
          quiet
          options={[
            { value: "released", label: "only what is released" },
            { value: "asked", label: "what is asked for" },
          ]}
          value={shown ? "released" : "asked"}
          onChange={(next) => change(next === "released", { canUndo: true })}
        />
        <span role="status">
          {before === null ? null : (
            <>
              Changed.{" "}
              <button type="button" class="quiet" onClick={() => change(before, { canUndo: false })}>
                Undo
              </button>
            </>
          )}
        </span>
      </div>
      {error === undefined ? null : <Failure error={error} />}
    </Card>
  );
}
