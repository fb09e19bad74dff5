/** Shows progress in words and as a bar, with a way to cancel. */
import type { Progress } from "../../../src/core/planning/index.ts";
import { formatCount, formatPercent } from "../format.ts";

export interface ProgressLineProps {
  /** "Counting records". */
  readonly what: string;
  readonly progress: Progress | undefined;
  onCancel?: (() => void) | undefined;
}

export function ProgressLine({ what, progress, onCancel }: ProgressLineProps) {
  const share = progress?.of === undefined || progress.of === 0 ? undefined : Math.min(1, progress.done / progress.of);
  return (
    <div class="progress-line" role="status">
      <div>
        <b>{what}</b> <span class="note">{progressWords(progress)}</span>
      </div>
      <progress aria-label={what} max={1} {...(share === undefined ? {} : { value: share })} />
      {onCancel === undefined ? null : (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </div>
  );
}

export function progressWords(progress: Progress | undefined): string {
  if (progress === undefined) return "starting…";
  const { step, done, of } = progress;
  if (of !== undefined && of > 0) return `${step}: ${formatPercent(Math.min(1, done / of))}`;
  return done > 0 ? `${step}: ${formatCount(done)}` : `${step}…`;
}
