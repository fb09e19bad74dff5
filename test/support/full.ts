/** Whether a run tries every case (`npm run test:full`) or fewer of the same ones (`npm test`). */
export const isFull = process.env["VEILGRID_TESTS"] === "full";

/** Seeds of random cases: as many as asked for in a full run, a quarter otherwise. */
export function seeds(many: number): number[] {
  return Array.from({ length: isFull ? many : Math.ceil(many / 4) }, (_, seed) => seed);
}
