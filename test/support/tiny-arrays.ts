/** Tiny random arrays for tests that try every choice: full of ties and small numbers, some with a user that owns most of a grid. */
import fc from "fast-check";
import { type Occupancy, OccupancyBuilder } from "../../src/core/occupancy/index.ts";
import { SeededRandom } from "./random.ts";

export const tinyArrays: fc.Arbitrary<Occupancy> = fc
  .record({
    users: fc.integer({ min: 1, max: 5 }),
    grids: fc.integer({ min: 1, max: 4 }),
    largest: fc.constantFrom(1, 2, 4, 9),
    density: fc.constantFrom(60, 90, 100),
    seed: fc.nat(1_000_000),
  })
  .map(({ users, grids, largest, density, seed }) => {
    const random = new SeededRandom(seed);
    const builder = new OccupancyBuilder();
    builder.add("u0", "g0", 1 + random.below(largest));
    for (let user = 0; user < users; user++) {
      for (let grid = 0; grid < grids; grid++) {
        if (random.below(100) >= density) continue;
        const heavy = random.below(5) === 0 ? 4 : 1;
        builder.add(`u${user}`, `g${grid}`, heavy * (1 + random.below(largest)));
      }
    }
    return builder.build().occupancy;
  });
