/** What `npm run fuzz` asks of a target. */
import type { SeededRandom } from "../../test/support/random.ts";

export interface FuzzTarget<State = undefined> {
  /** Native code may end the process: an input is written down before it is tried. */
  readonly mayCrash?: boolean;
  /** What an input may take of the processor, where it is more than usual. */
  readonly longestMs?: number;
  prepare?(folder: string): Promise<State>;
  /** A new input; if absent, the corpus is mutated byte by byte. */
  generate?(random: SeededRandom, corpus: readonly Buffer[], state: State): Buffer;
  /** What is wrong, in words; undefined if nothing is. Refusals are thrown. */
  try(input: Buffer, state: State, random: SeededRandom): Promise<string | undefined> | string | undefined;
  /** Before the process ends. */
  finish?(state: State): Promise<void>;
}

export function oneOf<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[random.below(items.length)]!;
}

export function asInput(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
