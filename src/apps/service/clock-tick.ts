/** Waits for the next tick of a clock, so that nobody sees how long noise took to draw, which would tell its size. */

export const TICK_MS = 250;

/** Waits for the next multiple of `everyMs` after `begun`, by the clock `now`. */
export async function untilNextTick(
  begun: number,
  everyMs: number,
  now: () => number = () => performance.now(),
): Promise<void> {
  const elapsed = now() - begun;
  const due = Math.max(1, Math.ceil(elapsed / everyMs)) * everyMs;
  if (due > elapsed) await new Promise((resolve) => setTimeout(resolve, due - elapsed));
}
