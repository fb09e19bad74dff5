/** Derives the progress of a release from its job's steps: what is done, and from when on it costs. */

export const PHASES = [
  { name: "Counting", says: "who is where how often, and checking the plan against it" },
  { name: "Charging", says: "the loss is booked for every user" },
  { name: "Reading", says: "exact totals of the records that count" },
  { name: "Drawing", says: "the noise, exactly" },
  { name: "Committing", says: "the result is written down; from now on it is always the same" },
] as const;

export type PhaseIndex = 0 | 1 | 2 | 3 | 4;

/** From here on the loss may have been charged. */
export const CHARGED_FROM: PhaseIndex = 1;
/** From here on the result may be written down, after which nothing is refunded. */
export const COMMITTED_FROM: PhaseIndex = 4;

/** The phase after one more step was told; never back. Records are read twice: before charging for counts, after it for totals. */
export function phaseAfter(phase: PhaseIndex, step: string): PhaseIndex {
  const told: PhaseIndex =
    step === "reserving"
      ? 1
      : step === "reading totals" || step.startsWith("reading capped records")
        ? 2
        : step === "adding noise"
          ? 3
          : step === "committing" || step === "disclosing"
            ? 4
            : 0;
  return told > phase ? told : phase;
}
