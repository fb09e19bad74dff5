/** Declares routes: who may call one, what goes in, and what comes out. */
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { TSchema } from "typebox";
import type { Access } from "./access.ts";
import { ErrorBody } from "./schemas.ts";

export type ServiceApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

interface RouteSchemas<Params extends TSchema, Body extends TSchema, Query extends TSchema> {
  readonly params?: Params;
  readonly body?: Body;
  readonly querystring?: Query;
  /** With this status, or 200; errors are added. */
  readonly answer: TSchema;
  readonly status?: number;
}

const CALLERS = {
  public: "Open to everyone.",
  analyst: "For analysts and curators.",
  curator: "For curators.",
} as const;

/** Gives the options of each route for these callers under this tag, but for its handler; `name` is what the client calls it. */
export function routesFor(access: Access, tag: string) {
  return <Params extends TSchema, Body extends TSchema, Query extends TSchema>(
    name: string,
    summary: string,
    { answer, status = 200, ...input }: RouteSchemas<Params, Body, Query>,
  ) => ({
    config: { access },
    schema: {
      ...{ tags: [tag], operationId: name, summary, description: CALLERS[access] },
      ...(access === "public" ? { security: [] } : {}),
      ...input,
      response: { [status]: answer, "4xx": ErrorBody, "5xx": ErrorBody },
    } as { tags: string[]; params: Params; body: Body; querystring: Query; response: Record<string, TSchema> },
  });
}

/** Whether an If-None-Match header names this tag, so that the caller has the answer already (RFC 9110, 13.1.2). */
export function hasAlready(header: string | undefined, etag: string): boolean {
  const tags = header?.split(",").map((each) => each.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}
