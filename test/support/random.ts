/** The seeded generator, for tests of rooms above `simulation`. */
export { SeededRandom } from "../../src/evidence/simulation/index.ts";
