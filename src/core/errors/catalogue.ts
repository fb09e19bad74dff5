/** Every error code with its exit status, HTTP status and meaning. A test compares it with docs/errors.md. */

export interface ErrorEntry {
  /** 1: refused or failed; 2: wrong usage. */
  readonly exitStatus: 1 | 2;
  readonly httpStatus: number;
  /** What the code means, in one sentence. */
  readonly sentence: string;
}

function entry(exitStatus: 1 | 2, httpStatus: number, sentence: string): ErrorEntry {
  return { exitStatus, httpStatus, sentence };
}

export const ERRORS = {
  USAGE: entry(2, 400, "A command, flag or argument is missing, unknown or contradicts another."),
  PARAMETER_INVALID: entry(2, 400, "A parameter is not of its form or lies outside its range."),
  INPUT_NOT_FOUND: entry(1, 404, "A file that was named does not exist."),
  INPUT_UNREADABLE: entry(1, 400, "A file exists but its bytes cannot be read or decompressed."),
  INPUT_EMPTY: entry(1, 400, "The input holds no records."),
  INPUT_MALFORMED: entry(1, 400, "A row or header of the input is not of its form."),
  INPUT_TOO_LARGE: entry(1, 413, "The input exceeds what the compact columns can hold exactly."),
  ENGINE_UNAVAILABLE: entry(1, 503, "The database that holds the records cannot be reached, or stopped answering."),
  ENGINE_UNSUPPORTED: entry(1, 422, "The database that holds the records cannot do what was asked of it."),
  ERROR_BOUND_TOO_LOW: entry(1, 422, "The error bound lies below what a grid has before anything is dropped."),
  PLAN_MALFORMED: entry(1, 400, "The text is not a plan in canonical form."),
  PLAN_ALTERED: entry(1, 400, "The plan's content does not match the hash it carries."),
  PLAN_MISMATCH: entry(1, 409, "The plan was made for another occupancy array, or does not follow from it."),
  LEDGER_NOT_FOUND: entry(1, 404, "The ledger, or the dataset or release in it, does not exist."),
  LEDGER_UNAVAILABLE: entry(
    1,
    503,
    "The ledger cannot be opened, reached, locked, read or written, or is not a ledger.",
  ),
  LEDGER_CONFLICT: entry(1, 409, "What was asked of the ledger does not fit what it holds."),
  BUDGET_EXCEEDED: entry(1, 409, "The release would bring a user's loss above the dataset's budget."),
  KEY_CONFLICT: entry(1, 409, "The release key belongs to another plan."),
  RESERVATION_VOID: entry(1, 409, "A part to commit was never reserved, or its reservation was given up."),
  UNAUTHENTICATED: entry(1, 401, "The request carries no token that is known, valid and not revoked."),
  FORBIDDEN: entry(1, 403, "The token's role or datasets do not allow this."),
  FORBIDDEN_PATH: entry(1, 403, "A file lies outside the folders that the service may read."),
  NOT_FOUND: entry(1, 404, "There is nothing under this name."),
  NOT_RELEASED: entry(1, 404, "The grid is not released, and the dataset answers from what is released only."),
  DATASET_EXISTS: entry(1, 409, "The service has a dataset of this name already."),
  BODY_TOO_LARGE: entry(1, 413, "The request's body is larger than the service takes."),
  RATE_LIMITED: entry(1, 429, "Too many requests in a short time with one token."),
  BUSY: entry(1, 503, "More work is waiting than the service takes at once."),
  OUTPUT_FAILED: entry(1, 500, "The output could not be written."),
  CANCELLED: entry(1, 499, "The work was cancelled before it was done."),
  INTERNAL: entry(1, 500, "A mistake of ours: an invariant of the program does not hold."),
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
