/** Failures as answers: a code and one sentence; to analysts nothing that tells about budgets, counts or files. */
import type { FastifyError, FastifyInstance } from "fastify";
import { ERRORS, type ErrorCode, VeilgridError } from "../../core/errors/index.ts";
import type { ServiceParts } from "./service-options.ts";

export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

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

export function failureOf(error: unknown): Failure {
  if (error instanceof VeilgridError) return { status: error.httpStatus, code: error.code, message: error.message };
  const { statusCode, code, message, validation } = error as Partial<FastifyError>;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return ours("BODY_TOO_LARGE", "the body is larger than the service takes");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return ours(
      "PARAMETER_INVALID",
      "say what the body is: Content-Type: application/octet-stream for a file that is sent to /v1/uploads, application/json elsewhere",
    );
  if (statusCode === 429) return ours("RATE_LIMITED", message ?? "too many requests; wait a little");
  if (validation !== undefined || (statusCode !== undefined && statusCode >= 400 && statusCode < 500))
    return ours(
      "PARAMETER_INVALID",
      code === "FST_ERR_MAX_PARAM_LENGTH"
        ? "a part of the path is too long"
        : oneLine(message ?? "the request is not of its form"),
    );
  return ours("INTERNAL", "this should not happen, please report it");
}

/** Curators are told everything. Others learn nothing of budgets, counts or files, not even which of them stood in the way. */
export function toldTo(role: "curator" | "analyst" | undefined, failure: Failure): Failure {
  if (role === "curator" || PLAIN.has(failure.code)) return failure;
  if (failure.status >= 500) return { ...failure, message: ERRORS[failure.code].sentence };
  return ours("NOT_RELEASED", "this cannot be answered as things stand; the curator can say why");
}

function ours(code: ErrorCode, message: string): Failure {
  return { status: ERRORS[code].httpStatus, code, message };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 300);
}

export function answerFailures(app: FastifyInstance, { log, now }: ServiceParts): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error);
    if (failure.code === "INTERNAL")
      log({
        time: now().toISOString(),
        level: "error",
        event: "failure",
        route: request.routeOptions.url ?? "",
        what: error instanceof Error ? error.name : typeof error,
      });
    if (failure.code === "UNAUTHENTICATED") reply.header("www-authenticate", "Bearer");
    if (failure.code === "BUSY") reply.header("retry-after", "2");
    const { status, code, message } = toldTo(request.caller?.role, failure);
    return reply.code(status).send({ error: { code, message } });
  });
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, () => {
    throw new VeilgridError("NOT_FOUND", "there is no such route; GET /openapi.json lists them");
  });
}
