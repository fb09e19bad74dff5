/** A run of the paper's experiments as it is told: the figures there are so far, what was found, and how it was made. */
import type { Figure } from "./figure.ts";
import type { Findings } from "./findings.ts";

export interface Reproduction {
  /** The program and its version. */
  readonly tool: string;
  /** A command that makes the same. */
  readonly command: string;
  readonly figures: readonly Figure[];
  /** False while the second set is still to come. */
  readonly complete: boolean;
  readonly findings: readonly Findings[];
}

/** What was found, in sentences made from the numbers. A point is one draw at one ε. */
export function findingSentences(found: Findings): string[] {
  const { draws, gridsBefore } = found;
  const draw = draws === 1 ? "" : draws === 2 ? " in both draws" : ` in all ${draws} draws`;
  return [
    (found.printedLowersNothingFrom === null
      ? "With the theorem on the variance's bias as printed, CLIP-USER would still lower K over all of the range"
      : `With the theorem on the variance's bias as printed, CLIP-USER would leave K as it was from ε = ${found.printedLowersNothingFrom} on${draw}`) +
      (found.printedTooFar === 0 ? "." : `; it would lower it too far in ${share(found.printedTooFar, found.points)}.`),
    `The worst grid's E, mean and variance added up, is no better than that of publishing midpoints ${found.useful === 0 ? "at any ε of the paper's range" : `below ε = ${Number(found.worthlessBelow.toPrecision(3))} in the mean`}: ` +
      `it is better in ${share(found.useful, found.points)}, Ē in ${share(found.usefulWithCaps, found.points)}.`,
    `The baseline's joint loss is ${Number(found.jointOfEpsilon.toPrecision(3))} ε; the paper's rule counts ${gridsBefore} ε. ` +
      `CLIP-USER's is larger than the baseline's in ${share(found.raised, found.points)}, with caps in ${share(found.raisedWithCaps, found.points)}.`,
  ];
}

function share(part: number, of: number): string {
  return `${part === 0 ? "none" : part} of ${of} points`;
}
