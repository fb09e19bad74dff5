/** Data to try things on: the paper's synthetic occupancy arrays and a fictional city's bus records, all seeded. */
export type { CityOptions } from "./city/options.ts";
export { type CityRecord, cityRecords } from "./city/records.ts";
export type { CityFormat, CitySchema } from "./city/rows.ts";
export {
  type CityTextOptions,
  cityCsvChunks,
  cityJsonArrayChunks,
  cityJsonLinesChunks,
  cityText,
} from "./city/text.ts";
export { geometric } from "./geometric.ts";
export { SeededRandom } from "./seeded-random.ts";
export { type SyntheticOptions, synthesise } from "./synthetic.ts";
