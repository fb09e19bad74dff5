/** Shows a running release: its phases, its progress, and what cancelling means now. */
import { formatCount } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { CHARGED_FROM, COMMITTED_FROM, PHASES } from "./phases.ts";
import type { ReleaseState } from "./use-release.ts";

export function Running({
  state: { job, phase, progress, isCancelling },
  onCancel,
}: {
  state: Extract<ReleaseState, { state: "running" }>;
  onCancel: () => void;
}) {
  const of = progress?.of;
  return (
    <Card title="Releasing" class="running">
      <ol class="phases">
        {PHASES.map(({ name, says }, index) => (
          <li
            key={name}
            class={index < phase ? "past" : index === phase ? "now" : undefined}
            aria-current={index === phase ? "step" : undefined}
          >
            <b>{name}</b>
            <small>{says}</small>
          </li>
        ))}
      </ol>
      <div role="status" class="progress-line">
        {of === undefined ? (
          <progress aria-label={PHASES[phase].name} />
        ) : (
          <progress aria-label={PHASES[phase].name} max={of} value={progress?.done} />
        )}
        <span class="note">
          {isCancelling
            ? "Cancelling…"
            : progress === null
              ? job === null
                ? "starting"
                : "waiting for its turn"
              : `${progress.step}${of === undefined ? "" : `: ${formatCount(progress.done)} of ${formatCount(of)}`}`}
        </span>
      </div>
      <div class="side-by-side">
        <button type="button" disabled={job === null || isCancelling} onClick={onCancel}>
          Cancel
        </button>
        <span class="note">
          {phase < CHARGED_FROM
            ? "Nothing is spent yet: cancelling now costs nothing."
            : phase < COMMITTED_FROM
              ? "The loss is charged, and nothing is published yet: if you cancel now, you can finish it later at no further cost, or give it up and get it back."
              : "The result is being written down: once it is, the loss is spent and cannot be got back."}
        </span>
      </div>
    </Card>
  );
}
