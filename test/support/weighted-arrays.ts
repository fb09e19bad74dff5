/** Arrays that are hard on weights: one user, one grid, users alike, users in every grid, counts of four billion; and weights for them. */
import fc from "fast-check";
import { MOST_WEIGHT, type Occupancy, occupancyFromTriples } from "../../src/core/occupancy/index.ts";
import { SeededRandom } from "./random.ts";

type Triples = Array<readonly [user: string, grid: string, count: number]>;

/** Arrays by what is hard about them. */
export const HOSTILE: Readonly<Record<string, Occupancy>> = {
  "one user, one grid, one record": occupancyFromTriples([["ann", "g", 1]]),
  "one user in many grids": occupancyFromTriples(times(12, (grid) => ["ann", `g${grid}`, 1 + grid])),
  "one grid, one record each": occupancyFromTriples(times(20, (user) => [`u${user}`, "g", 1])),
  "users alike": occupancyFromTriples(times(30, (at) => [`u${at % 6}`, `g${at % 5}`, 4])),
  "a grid with one user": occupancyFromTriples([
    ...times(8, (user) => [`u${user}`, "many", 1 + user] as const),
    ["u3", "one", 2],
  ]),
  "one user in all grids, the others in one": occupancyFromTriples([
    ...times(10, (grid) => ["everywhere", `g${grid}`, 5] as const),
    ...times(10, (grid) => [`u${grid}`, `g${grid}`, 3] as const),
  ]),
  "counts of four billion": occupancyFromTriples([
    ...times(9, (user) => [`u${user}`, "huge", 2 ** 32 - 1 - user] as const),
    ["u0", "small", 1],
    ["tiny", "huge", 1],
    ["tiny", "small", 2],
  ]),
};

function times<Item extends Triples[number]>(many: number, item: (at: number) => Item): Triples {
  return Array.from({ length: many }, (_, at) => item(at));
}

/** Users have from one record to very many, or to so many, in few grids or all. */
export function randomArray(
  seed: number,
  { users, grids, mostRecords = 64 }: { users: number; grids: number; mostRecords?: number },
): Occupancy {
  const random = new SeededRandom(seed);
  const triples: Triples = times(grids, (grid) => [`u${random.below(users)}`, `g${grid}`, 1]);
  for (let user = 0; user < users; user++) {
    const most = Math.min(mostRecords, 2 ** random.below(7));
    const share = 1 + random.below(100);
    for (let grid = 0; grid < grids; grid++)
      if (random.below(100) < share) triples.push([`u${user}`, `g${grid}`, 1 + random.below(most)]);
  }
  return occupancyFromTriples(triples);
}

const small = fc
  .record({ seed: fc.nat(1_000_000), users: fc.integer({ min: 1, max: 12 }), grids: fc.integer({ min: 1, max: 5 }) })
  .map(({ seed, ...size }) => randomArray(seed, size));

/** The arrays above, and small random ones. */
export const hostileArrays: fc.Arbitrary<Occupancy> = fc.oneof(small, fc.constantFrom(...Object.values(HOSTILE)));

/** Any weights: none, few, the most. */
export function weightsFor({ entries }: Pick<Occupancy, "entries">, seed: number): Uint32Array {
  const random = new SeededRandom(seed);
  return Uint32Array.from(
    { length: entries },
    () => [0, 1, 3, random.below(MOST_WEIGHT), MOST_WEIGHT][random.below(5)]!,
  );
}
