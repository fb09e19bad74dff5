/** The mechanism under attack: the real noise path, number by number. */

import { type ByteSource, RandomBits } from "../../core/noise/index.ts";
import { addNoise } from "../../publish/release/index.ts";
import type { Side } from "./planned-array.ts";
import type { Attack, Target } from "./scenario.ts";

/** Draws one published number, in noise steps, as a release of the given side's dataset would. */
export type Mechanism = (target: Target, side: Side) => readonly bigint[];

/** The exact statistics were worked out once per dataset; each draw rounds them to the noise lattice and adds noise. */
export function releaseMechanism(random: ByteSource): Mechanism {
  const uniform = new RandomBits(random);
  return (target, side) => addNoise(target.exact[side], target, uniform).steps;
}

/** What the attacker sees of one release. */
export function answersOf(attack: Attack, mechanism: Mechanism, side: Side): Array<readonly bigint[]> {
  return attack.targets.map((target) => mechanism(target, side));
}
