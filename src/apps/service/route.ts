/** A route as the service declares it: who may call it, what goes in and out, and what it does. */
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

export interface RouteFacts<Params extends TSchema, Body extends TSchema, Query extends TSchema> {
  readonly access: Access;
  readonly tag: string;
  /** How the client calls it. */
  readonly name: string;
  readonly summary: string;
  readonly params?: Params;
  readonly body?: Body;
  readonly querystring?: Query;
  /** By status; errors are added. */
  readonly answers: Readonly<Record<number, TSchema>>;
}

/** The part of a route's options that its facts decide; the handler is the caller's. */
export function facts<Params extends TSchema, Body extends TSchema, Query extends TSchema>(
  given: RouteFacts<Params, Body, Query>,
) {
  const { access, tag, name, summary, params, body, querystring, answers } = given;
  return {
    config: { access },
    schema: {
      tags: [tag],
      operationId: name,
      summary,
      description:
        access === "public"
          ? "Open to everyone."
          : `For ${access === "curator" ? "curators" : "analysts and curators"}.`,
      ...(access === "public" ? { security: [] } : {}),
      ...(params === undefined ? {} : { params }),
      ...(body === undefined ? {} : { body }),
      ...(querystring === undefined ? {} : { querystring }),
      response: { ...answers, "4xx": ErrorBody, "5xx": ErrorBody },
    } as {
      tags: string[];
      params: Params;
      body: Body;
      querystring: Query;
      response: Record<string, TSchema>;
    },
  };
}
