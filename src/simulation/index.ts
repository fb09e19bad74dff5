/** Data to try things on: the paper's synthetic occupancy arrays, seeded. */
export { geometric } from "./geometric.ts";
export { SeededRandom } from "./seeded-random.ts";
export { type SyntheticOptions, synthesise } from "./synthetic.ts";
