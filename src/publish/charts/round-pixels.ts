/** Pixels to a tenth: finer than an eye sees, and short in text. */
export function roundPixels(value: number): number {
  return Number(value.toFixed(1));
}
