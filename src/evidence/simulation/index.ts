/** Generated data to try things on, all seeded: the paper's synthetic arrays, a fictional city's bus records, invented values. */
export { type CityTextOptions, cityText } from "./city/text.ts";
export { SeededRandom } from "./seeded-random.ts";
export { geometric, type SyntheticOptions, synthesise } from "./synthetic.ts";
export { type ActualError, actualErrors } from "./values/actual-error.ts";
export { type SimulatedValues, simulateValues, VALUE_MODELS, type ValueModel } from "./values/value-models.ts";
