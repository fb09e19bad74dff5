/** The expected error of a noisy, clamped number, in closed form. */

/**
 * E|clamp(true + bias + noise) − true| for Laplace noise of scale b, where the true value lies `below` above the lower end of its range
 * and `above` below the upper one.
 *
 * It is ∫ P(error > t) dt over both sides, and each side ends where the clamp does. With an endless range: |bias| + b·exp(−|bias|/b).
 */
export function expectedError({
  bias,
  scale,
  below,
  above,
}: {
  bias: number;
  scale: number;
  below: number;
  above: number;
}): number {
  return oneSide(bias, scale, above) + oneSide(-bias, scale, below);
}

/** ∫ from 0 to `room` of P(shift + noise > t) dt. */
function oneSide(shift: number, scale: number, room: number): number {
  return Math.max(0, excess(shift, scale, 0) - excess(shift, scale, room));
}

/** E max(0, shift + noise − t). */
function excess(shift: number, scale: number, t: number): number {
  const over = shift - t;
  if (scale === 0) return Math.max(0, over);
  return Math.max(0, over) + (scale / 2) * Math.exp(-Math.abs(over) / scale);
}
