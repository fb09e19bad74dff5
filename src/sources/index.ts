/** What SOURCE may be: for now an occupancy file. */
export { readOccupancyFile } from "./occupancy-file.ts";
