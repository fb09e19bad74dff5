/** How much a bench does: a look, what fits a quarter of an hour with all others, or everything. */
export type BenchSize = "quick" | "usual" | "full";
