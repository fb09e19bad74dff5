/** Holds callers to what each route says of who may call it. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { VeilgridError } from "../../core/errors/index.ts";
import type { ServiceParts } from "./service-parts.ts";
import { authenticate, type Caller, mayUse } from "./tokens.ts";

/** `analyst` routes are open to curators, too. */
export type Access = "public" | "analyst" | "curator";

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

export function guardRoutes(app: FastifyInstance, { store, now }: ServiceParts): void {
  app.decorateRequest("caller", null);
  app.addHook("onRoute", ({ config, url }) => {
    if (config?.access === undefined) throw new Error(`route ${url} does not say who may call it`);
  });
  // Limits come between these two: they go by who is calling, and hold for those who are turned away.
  app.addHook("onRequest", async (request) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) request.caller = authenticate(store, authorization, now()) ?? null;
  });
  app.addHook("preParsing", async (request) => {
    const { access } = request.routeOptions.config;
    if (access === undefined || access === "public") return;
    const { caller } = request;
    if (caller === null)
      throw new VeilgridError(
        "UNAUTHENTICATED",
        "a valid token is needed, in the header Authorization: Bearer vg_…; veilgrid token create makes one",
      );
    if (access === "curator" && caller.role !== "curator")
      throw new VeilgridError("FORBIDDEN", "this is for curators; the token is an analyst's");
    const { dataset } = request.params as { dataset?: string };
    if (dataset !== undefined) checkDataset(request, dataset);
  });
}

/** Refuses a dataset that the token is not made for. */
export function checkDataset(request: FastifyRequest, dataset: string): void {
  if (!mayUse(request.caller!, dataset)) throw new VeilgridError("FORBIDDEN", "the token is not made for this dataset");
}

/** For what concerns all datasets at once. */
export function checkAllDatasets(request: FastifyRequest): void {
  if (request.caller!.datasets !== null)
    throw new VeilgridError("FORBIDDEN", "this concerns all datasets; the token is made for some of them");
}
