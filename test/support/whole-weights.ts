/** Weights of users for tests of bounds that must hold for any: all alike, one user alone, or whole numbers of every size with zeros among them. */
import { SeededRandom } from "./random.ts";

export function* wholeWeights(users: number, seed: number, random: number): Generator<number[]> {
  yield new Array<number>(users).fill(1);
  const generator = new SeededRandom(seed);
  const alone = generator.below(users);
  yield Array.from({ length: users }, (_, user) => (user === alone ? 1 : 0));
  for (let draw = 0; draw < random; draw++) {
    const most = [2, 10, 1000, 2 ** 30][generator.below(4)]!;
    const weights = Array.from({ length: users }, () => (generator.below(4) === 0 ? 0 : generator.below(most) + 1));
    if (weights.some((weight) => weight > 0)) yield weights;
  }
}
