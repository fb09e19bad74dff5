/** The seeded generator, for tests of rooms above `simulation`. */
export { SeededRandom } from "../../src/simulation/index.ts";
