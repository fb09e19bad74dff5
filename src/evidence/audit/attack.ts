/** Attacks a mechanism many thousand times and compares what it demonstrates with the claim; and the planted mistakes that an audit must find. */
import { Rational } from "../../core/arithmetic/index.ts";
import { noiseLattice } from "../../core/composition/index.ts";
import { itemAt } from "../../core/errors/index.ts";
import { type ByteSource, discreteLaplace, RandomBits } from "../../core/noise/index.ts";
import { checkpoint, type LongWorkOptions } from "../../core/planning/index.ts";
import { addNoise } from "../../publish/release/index.ts";
import { demonstrableAtBest, demonstrate } from "./demonstrate.ts";
import type { Attack, Side, Target } from "./scenario.ts";

export interface AttackOptions extends LongWorkOptions {
  /** On each of the two datasets. */
  readonly runs: number;
  /** That a mechanism which keeps its claim is not called broken. */
  readonly confidence: number;
}

export type AttackReport = Awaited<ReturnType<typeof attackMechanism>>;

const RUNS_PER_CHECKPOINT = 500;

/** Draws one published number, in noise steps, as a release of the given side's dataset would. */
export type Mechanism = (target: Target, side: Side) => readonly bigint[];

/** The exact statistics were worked out once per dataset; each draw rounds them to the noise lattice and adds noise. */
export function releaseMechanism(random: ByteSource): Mechanism {
  const uniform = new RandomBits(random);
  return (target, side) => addNoise(target.exact[side], target, uniform).steps;
}

export function attackMechanism(attack: Attack, mechanism: Mechanism, options: AttackOptions) {
  const { targets } = attack;
  const facts = { ...attack, apart: targets.flatMap(({ apart }) => apart), statistics: targets.length };
  const evidenceOf = (side: Side): number =>
    sum(targets.flatMap((target) => evidenceIn(target, mechanism(target, side))));
  return attackBy({ attack: facts, evidenceOf }, options);
}

/** What an attack says of itself. */
export interface AttackFacts extends Pick<Attack, "name" | "claim" | "attained" | "tight"> {
  /** Of each published number, how far the two datasets are apart, in units of evidence. */
  readonly apart: readonly number[];
  readonly statistics: number;
}

export interface DrawnAttack {
  readonly attack: AttackFacts;
  /** Draws once from a dataset, and says how strongly what came out points to the second. */
  readonly evidenceOf: (side: Side) => number | Promise<number>;
}

export async function attackBy({ attack, evidenceOf }: DrawnAttack, options: AttackOptions) {
  const { runs, confidence } = options;
  const evidence = { before: new Float64Array(runs), after: new Float64Array(runs) };
  for (let run = 0; run < runs; run++) {
    for (const side of ["before", "after"] as const) evidence[side][run] = await evidenceOf(side);
    if (run % RUNS_PER_CHECKPOINT === 0) {
      options.onProgress?.({ step: `attacking the ${attack.name}`, done: run, of: runs });
      await checkpoint(options.signal);
    }
  }
  const event = demonstrate(evidence, confidence);
  return {
    name: attack.name,
    /** The loss that the plan claims. */
    claim: attack.claim,
    /** The largest ε that the runs demonstrate at this confidence. */
    demonstrated: event.epsilon,
    /** The loss between the two datasets, exactly. */
    attained: attack.attained,
    /** What so many runs show of these two datasets on average, at best. */
    atBest: demonstrableAtBest(attack.apart, options),
    /** Whether the two datasets attain the claim: nobody here owns more than half of a grid, or one number is looked at. */
    tight: attack.tight,
    /** Published numbers that the attacker looked at. */
    statistics: attack.statistics,
    /** The claim is refuted. */
    broken: event.epsilon > attack.claim,
    event,
  };
}

/**
 * ln of how much likelier each coordinate of a number is on the second dataset than on the first, under the noise as it should be:
 * (|y − x| − |y − x′|)/t, to be added up. Whatever the noise is in truth, this is a fixed rule, and the runs decide.
 */
export function evidenceIn({ scale, rounded }: Pick<Target, "scale" | "rounded">, answer: readonly bigint[]): number[] {
  return answer.map((steps, coordinate) => {
    const [before, after] = [itemAt(rounded.before, coordinate), itemAt(rounded.after, coordinate)];
    return Number(distance(steps, before) - distance(steps, after)) / scale;
  });
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function distance(left: bigint, right: bigint): bigint {
  return left < right ? right - left : left - right;
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
export function plantedMistakes({ single, whole }: { single: Attack; whole: Attack }, random: ByteSource) {
  return [
    { name: "noise a fifth too small", attack: single, mechanism: scaledNoise(random, Rational.of(4, 5)) },
    { name: "a sensitivity halved", attack: whole, mechanism: halvedSensitivity(random) },
    { name: "a grid forgotten in the charge", attack: forgottenGrid(whole), mechanism: releaseMechanism(random) },
  ];
}
