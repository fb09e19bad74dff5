/** Generated data to try things on, all seeded: the paper's synthetic arrays, a fictional city's bus records, invented values. */
export { type CityTextOptions, cityText } from "./city/text.ts";
export { SeededRandom } from "./seeded-random.ts";
export { geometric, type SyntheticOptions, synthesise } from "./synthetic.ts";
export { actualErrors } from "./values/actual-error.ts";
export { simulateValues, VALUE_MODELS, type ValueModel } from "./values/value-models.ts";
