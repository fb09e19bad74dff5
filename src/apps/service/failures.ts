/** Turns errors into records for threads and rows, and into answers, which tell analysts nothing about budgets, counts or files. */
import type { FastifyError } from "fastify";
import { ERRORS, type ErrorCode, VeilgridError } from "../../core/errors/index.ts";

export type Log = (line: string) => void;

/** An error as it passes between threads and into rows. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  readonly message: string;
  /** Where an error that is not ours came from, without its message, which might quote a value. For the log. */
  readonly trace: string | null;
}

type Failure = ReturnType<typeof failure>;

/** Stands for the message of every error that is not ours. */
const UNEXPECTED = "something went wrong that should not; the service's log says where";

/** What anyone may read as it stands. */
const PLAIN: ReadonlySet<ErrorCode> = new Set([
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "NOT_FOUND",
  "NOT_RELEASED",
  "RATE_LIMITED",
  "BODY_TOO_LARGE",
  "BUSY",
  "PARAMETER_INVALID",
]);

export function recordError(error: unknown): ErrorRecord {
  if (error instanceof VeilgridError) return { code: error.code, message: error.message, trace: null };
  return { code: "INTERNAL", message: UNEXPECTED, trace: traceOf(error) };
}

export function errorOf({ code, message }: ErrorRecord): VeilgridError {
  return new VeilgridError(code in ERRORS ? code : "INTERNAL", message);
}

/** A name or a code is one word. */
const WORD = /^\w{1,60}$/;
/** A stack frame that ends in a place in the code. */
const FRAME = /^ +at (?:[\w$.<>#[\] ]+ \()?(?:node:|file:|\/|[A-Za-z]:\\).*:\d+:\d+\)?$/;

/** A stack opens with the message, whose own lines may look like frames. */
function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const { name, code } = error as NodeJS.ErrnoException;
  const [message, stack] = [String(error.message), String(error.stack ?? "")];
  const lines = stack.slice(stack.indexOf(message) + message.length).split("\n");
  const frames = lines.filter((line) => FRAME.test(line)).map((line) => line.trim());
  return [[name, code].filter((word) => WORD.test(String(word ?? ""))).join(" "), ...frames].join("; ");
}

export function failureOf(error: unknown): Failure {
  if (error instanceof VeilgridError) return failure(error.code, error.message);
  const { statusCode, code, message, validation } = error as Partial<FastifyError>;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return failure("BODY_TOO_LARGE", "the body is larger than the service takes");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return failure(
      "PARAMETER_INVALID",
      "say what the body is: Content-Type: application/octet-stream for a file that is sent to /v1/uploads, application/json elsewhere",
    );
  if (code === "FST_ERR_MAX_PARAM_LENGTH") return failure("PARAMETER_INVALID", "a part of the path is too long");
  if (statusCode === 429) return failure("RATE_LIMITED", message ?? "too many requests; wait a little");
  if (validation !== undefined || (statusCode !== undefined && statusCode >= 400 && statusCode < 500))
    return failure(
      "PARAMETER_INVALID",
      (message ?? "the request is not of its form").replace(/\s+/g, " ").slice(0, 300),
    );
  return failure("INTERNAL", "this should not happen, please report it");
}

/** Curators read everything. Others learn nothing of budgets, counts or files, not even which of them stood in the way. */
export function failureFor(role: "curator" | "analyst" | undefined, found: Failure): Failure {
  if (role === "curator" || PLAIN.has(found.code)) return found;
  if (found.status >= 500) return { ...found, message: ERRORS[found.code].sentence };
  return failure("NOT_RELEASED", "this cannot be answered as things stand; the curator can say why");
}

function failure(code: ErrorCode, message: string) {
  return { status: ERRORS[code].httpStatus, code, message };
}
