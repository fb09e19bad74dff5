/** Defines what every guess returns: flags, questions and doubts. */

/** What a guess says of some columns; absent: nothing. */
export interface Finding {
  /** Long flag names without dashes, and what stands for them. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Flags that must be given and could not be guessed, with a sentence each. */
  readonly open?: ReadonlyArray<{ readonly flag: string; readonly says: string }>;
  /** Guesses that deserve a second look, as sentences. */
  readonly doubts?: readonly string[];
}

/** The sentences that hold. */
export function applicable(...sentences: ReadonlyArray<readonly [holds: boolean, says: string]>): string[] {
  return sentences.flatMap(([holds, says]) => (holds ? [says] : []));
}
