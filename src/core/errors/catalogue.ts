/** Every failure the world can cause: its code, exit status, HTTP status and meaning. docs/errors.md is held to it by a test. */

export interface ErrorEntry {
  /** 1: refused or failed; 2: wrong usage. */
  readonly exitStatus: 1 | 2;
  readonly httpStatus: number;
  /** What the code means, in one sentence. */
  readonly sentence: string;
}

export const ERRORS = {
  USAGE: {
    exitStatus: 2,
    httpStatus: 400,
    sentence: "A command, flag or argument is missing, unknown or contradicts another.",
  },
  PARAMETER_INVALID: {
    exitStatus: 2,
    httpStatus: 400,
    sentence: "A parameter is not of its form or lies outside its range.",
  },
  INPUT_NOT_FOUND: { exitStatus: 1, httpStatus: 404, sentence: "A file that was named does not exist." },
  INPUT_UNREADABLE: {
    exitStatus: 1,
    httpStatus: 400,
    sentence: "A file exists but its bytes cannot be read or decompressed.",
  },
  INPUT_EMPTY: { exitStatus: 1, httpStatus: 400, sentence: "The input holds no records." },
  INPUT_MALFORMED: { exitStatus: 1, httpStatus: 400, sentence: "A row or header of the input is not of its form." },
  INPUT_TOO_LARGE: {
    exitStatus: 1,
    httpStatus: 413,
    sentence: "The input exceeds what the compact columns can hold exactly.",
  },
  ENGINE_UNAVAILABLE: {
    exitStatus: 1,
    httpStatus: 503,
    sentence: "The database that holds the records cannot be reached, or stopped answering.",
  },
  ENGINE_UNSUPPORTED: {
    exitStatus: 1,
    httpStatus: 422,
    sentence: "The database that holds the records cannot do what was asked of it.",
  },
  ERROR_BOUND_TOO_LOW: {
    exitStatus: 1,
    httpStatus: 422,
    sentence: "The error bound lies below what a grid has before anything is dropped.",
  },
  PLAN_MALFORMED: { exitStatus: 1, httpStatus: 400, sentence: "The text is not a plan in canonical form." },
  PLAN_ALTERED: { exitStatus: 1, httpStatus: 400, sentence: "The plan's content does not match the hash it carries." },
  PLAN_MISMATCH: {
    exitStatus: 1,
    httpStatus: 409,
    sentence: "The plan was made for another occupancy array, or does not follow from it.",
  },
  LEDGER_NOT_FOUND: {
    exitStatus: 1,
    httpStatus: 404,
    sentence: "The ledger, or the dataset or release in it, does not exist.",
  },
  LEDGER_UNAVAILABLE: {
    exitStatus: 1,
    httpStatus: 503,
    sentence: "The ledger cannot be opened, reached, locked, read or written, or is not a ledger.",
  },
  LEDGER_CONFLICT: {
    exitStatus: 1,
    httpStatus: 409,
    sentence: "What was asked of the ledger does not fit what it holds.",
  },
  BUDGET_EXCEEDED: {
    exitStatus: 1,
    httpStatus: 409,
    sentence: "The release would bring a user's loss above the dataset's budget.",
  },
  KEY_CONFLICT: { exitStatus: 1, httpStatus: 409, sentence: "The release key belongs to another plan." },
  RESERVATION_VOID: {
    exitStatus: 1,
    httpStatus: 409,
    sentence: "A part to commit was never reserved, or its reservation was given up.",
  },
  UNAUTHENTICATED: {
    exitStatus: 1,
    httpStatus: 401,
    sentence: "The request carries no token that is known, valid and not revoked.",
  },
  FORBIDDEN: { exitStatus: 1, httpStatus: 403, sentence: "The token's role or datasets do not allow this." },
  FORBIDDEN_PATH: {
    exitStatus: 1,
    httpStatus: 403,
    sentence: "A file lies outside the folders that the service may read.",
  },
  NOT_FOUND: { exitStatus: 1, httpStatus: 404, sentence: "There is nothing under this name." },
  NOT_RELEASED: {
    exitStatus: 1,
    httpStatus: 404,
    sentence: "The grid is not released, and the dataset answers from what is released only.",
  },
  DATASET_EXISTS: { exitStatus: 1, httpStatus: 409, sentence: "The service has a dataset of this name already." },
  BODY_TOO_LARGE: { exitStatus: 1, httpStatus: 413, sentence: "The request's body is larger than the service takes." },
  RATE_LIMITED: { exitStatus: 1, httpStatus: 429, sentence: "Too many requests in a short time with one token." },
  BUSY: { exitStatus: 1, httpStatus: 503, sentence: "More work is waiting than the service takes at once." },
  OUTPUT_FAILED: { exitStatus: 1, httpStatus: 500, sentence: "The output could not be written." },
  CANCELLED: { exitStatus: 1, httpStatus: 499, sentence: "The work was cancelled before it was done." },
  INTERNAL: {
    exitStatus: 1,
    httpStatus: 500,
    sentence: "A mistake of ours: an invariant of the program does not hold.",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
