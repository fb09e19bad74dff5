/** Laplace noise in doubles from a seed: for baselines and sweeps only, nobody is protected by it. */
import type { SeededRandom } from "#evidence/simulation";

export function laplace(scale: number, random: SeededRandom): number {
  const share = random.uniform() - 0.5;
  return -scale * Math.sign(share) * Math.log1p(-2 * Math.abs(share));
}
