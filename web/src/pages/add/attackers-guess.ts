/** What a privacy loss means for someone who tries to learn a secret. */

/** The largest chance of guessing right between two equally likely secrets: e^λ / (1 + e^λ). */
export function attackersGuess(loss: number): number {
  return 1 / (1 + Math.exp(-loss));
}
