/** Bytes that are the same in every run, so that a statistical test either always passes or never. */
import { SeededRandom } from "../../src/evidence/simulation/index.ts";

export function replayedBytes(seed: number): (bytes: Uint8Array) => void {
  const random = new SeededRandom(seed);
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = random.bits() >>> 24;
  };
}
