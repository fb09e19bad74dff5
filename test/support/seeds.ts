/** Seeds of random lives: fewer while mutants are held to them, thousands of which fall at the first. */
export function seeds(many: number): number[] {
  return Array.from(
    { length: process.env.MUTATION_TESTS === undefined ? many : Math.ceil(many / 20) },
    (_, seed) => seed,
  );
}
