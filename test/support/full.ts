/** Whether a run tries every case (`npm run test:full`) or fewer of the same ones (`npm test`). */
export const isFull = process.env["VEILGRID_TESTS"] === "full";

/** How many of so many random cases are tried: all in a full run, a quarter otherwise. */
export function fewer(many: number): number {
  return isFull ? many : Math.ceil(many / 4);
}

/** Seeds of random cases. */
export function seeds(many: number): number[] {
  return Array.from({ length: fewer(many) }, (_, seed) => seed);
}
