/** How long the noise takes to draw tells how large it is: what shows when it was done waits for the next beat of a clock that began with the work. */

export const BEAT_MS = 250;

/** Waits for the next multiple of `everyMs` after `begun`, by the clock `now`. */
export async function untilNextBeat({
  begun,
  everyMs,
  now,
}: {
  readonly begun: number;
  readonly everyMs: number;
  readonly now: () => number;
}): Promise<void> {
  const elapsed = now() - begun;
  const due = Math.max(1, Math.ceil(elapsed / everyMs)) * everyMs;
  if (due > elapsed) await new Promise((resolve) => setTimeout(resolve, due - elapsed));
}
