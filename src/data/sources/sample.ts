/** Defines what a first look keeps of rows. */

/** Most rows of a file of text that are looked at. */
export const SAMPLE_ROWS = 5_000;

/** A cell of a sampled row, nested fields flattened to dotted names. */
export type Sample = string | number | boolean | null | readonly unknown[];
