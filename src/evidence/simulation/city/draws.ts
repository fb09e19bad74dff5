/** Seeded draws for the bus city: independent streams by number, shuffles, and noise that needs no state. */
import { itemAt } from "../../../core/errors/index.ts";
import { SeededRandom } from "../seeded-random.ts";

/** A well-mixed 32-bit hash of two numbers' lower 32 bits. */
export function mix(a: number, b: number): number {
  let z = Math.imul(a ^ Math.imul(b, 0x9e3779b9), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 15), 0xc2b2ae35);
  z = Math.imul(z ^ (z >>> 13), 0x27d4eb2f);
  return (z ^ (z >>> 16)) >>> 0;
}

/** The stream of one vehicle on one day, say: streams of different keys do not disturb each other. */
export function streamOf(seed: number, ...keys: readonly number[]): SeededRandom {
  let low = mix(seed >>> 0, 0x2545f491);
  let high = mix(Math.floor(seed / 2 ** 32), low);
  for (const key of keys) {
    low = mix(low, key);
    high = mix(high, low);
  }
  return new SeededRandom(high * 2 ** 21 + (low >>> 11));
}

export function between(random: SeededRandom, least: number, most: number): number {
  return least + (most - least) * random.uniform();
}

export function wholeBetween(random: SeededRandom, least: number, most: number): number {
  return least + random.below(most - least + 1);
}

export function shuffle<T>(items: T[], random: SeededRandom): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const pick = random.below(last + 1);
    [items[last], items[pick]] = [itemAt(items, pick), itemAt(items, last)];
  }
  return items;
}

/** From 32 bits a number in (−1, 1) with a triangular distribution: near enough to a bell, and no logarithm in it. */
export function triangular(bits: number): number {
  return ((bits & 0xffff) + (bits >>> 16) - 0xffff) / 0x10000;
}
