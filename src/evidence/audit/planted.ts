/** Mistakes planted in the noise and in the charge, which an audit must find to be believed. */
import { Rational } from "../../core/arithmetic/index.ts";
import { noiseLattice } from "../../core/composition/index.ts";
import { type ByteSource, discreteLaplace, RandomBits } from "../../core/noise/index.ts";
import { addNoise } from "../../publish/release/index.ts";
import { type Mechanism, releaseMechanism, sum } from "./attack.ts";
import type { Attack } from "./scenario.ts";

interface PlantedMistake {
  readonly name: string;
  readonly attack: Attack;
  readonly mechanism: Mechanism;
}

/** Noise of this share of the right scale. */
function scaledNoise(random: ByteSource, share: Rational): Mechanism {
  const uniform = new RandomBits(random);
  return ({ statistic, counts, epsilon, rounded }, side) => {
    const { deltaSteps } = noiseLattice(statistic, counts, epsilon);
    const scale = Rational.of(deltaSteps).divide(epsilon).multiply(share);
    return rounded[side].map((steps) => steps + discreteLaplace(uniform, scale));
  };
}

/** The real noise path, told that a user can move every statistic half as far as it can. */
function halvedSensitivity(random: ByteSource): Mechanism {
  const uniform = new RandomBits(random);
  return (target, side) => {
    const { statistic, counts, epsilon, exact } = target;
    const sensitivityFactor = statistic.sensitivityFactor.divide(Rational.of(2));
    const noisy = addNoise(exact[side], { ...target, statistic: { ...statistic, sensitivityFactor } }, uniform);
    // Its lattice is finer; the attacker reads numbers on the true one.
    const finer = BigInt(noiseLattice(statistic, counts, epsilon).stepExponent - noisy.stepExponent);
    return noisy.steps.map((steps) => steps >> finer);
  };
}

/** As if the last grid had been forgotten in the charge. */
function forgottenGrid(attack: Attack): Attack {
  const forgotten = attack.targets.at(-1)?.grid;
  const charged = attack.targets.filter(({ grid }) => grid !== forgotten);
  return { ...attack, claim: sum(charged.map(({ claim }) => claim)) };
}

/** In attacks on one number, which see small differences, and on several grids. */
export function plantedMistakes(
  { single, whole }: { readonly single: Attack; readonly whole: Attack },
  random: ByteSource,
): PlantedMistake[] {
  return [
    { name: "noise a fifth too small", attack: single, mechanism: scaledNoise(random, Rational.of(4, 5)) },
    { name: "a sensitivity halved", attack: whole, mechanism: halvedSensitivity(random) },
    { name: "a grid forgotten in the charge", attack: forgottenGrid(whole), mechanism: releaseMechanism(random) },
  ];
}
