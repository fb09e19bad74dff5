/** Builds the service as one fastify instance: routes, guards, limits, headers, log. It does not listen, so that tests call it without sockets. */
import rateLimit from "@fastify/rate-limit";
import swagger from "@fastify/swagger";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, { type FastifyReply, type FastifyServerOptions } from "fastify";
import { VeilgridError } from "../../core/errors/index.ts";
import { guardRoutes } from "./access.ts";
import { answerBrokenRequest, limitBodyTime, refuseOddRequests, SERVER_OPTIONS } from "./broken-requests.ts";
import { failureFor, failureOf } from "./failures.ts";
import { Metrics } from "./metrics.ts";
import type { ServiceApp } from "./route.ts";
import { dashboardRoutes } from "./routes/dashboard.ts";
import { datasetRoutes } from "./routes/datasets.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { ledgerRoutes } from "./routes/ledger.ts";
import { publishedRoutes } from "./routes/published.ts";
import { systemRoutes } from "./routes/system.ts";
import { uploadRoutes } from "./routes/uploads.ts";
import type { ServiceParts } from "./service-parts.ts";

export interface AppOptions extends ServiceParts {
  /** Certificate and key, where the service itself speaks TLS. */
  readonly https?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
}

/** Grid ids hold slashes and more; a path segment of them is long. */
const LONGEST_PARAMETER = 3000;

export async function buildService(options: AppOptions): Promise<ServiceApp> {
  const { limits, log, now } = options;
  const settings: FastifyServerOptions = {
    logger: false,
    bodyLimit: limits.bodyBytes,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // Only the proxy in front is believed; what came before it is not.
    trustProxy: options.trustProxy ? (_, hop) => hop < 1 : false,
    exposeHeadRoutes: false,
    // An unknown or wrongly typed field is an error: nothing is dropped, converted or filled in.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
    // Fastify refuses some requests before there is a route; they are answered in the same form.
    frameworkErrors: (error, _, reply) => {
      const { status, code, message } = failureOf(error);
      void (reply as FastifyReply).headers(SECURITY_HEADERS).code(status).send({ error: { code, message } });
    },
    clientErrorHandler: answerBrokenRequest(SECURITY_HEADERS),
  };
  const app = fastify({
    ...settings,
    ...(options.https === undefined ? { http: SERVER_OPTIONS } : { https: { ...SERVER_OPTIONS, ...options.https } }),
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as ServiceApp;
  const metrics = new Metrics();

  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Veilgrid",
        version: options.tool.replace(/^\S+ /, ""),
        description:
          "Per-group statistics of many people's records, with a bound on what anyone can learn about any one of them.",
      },
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
    },
  });
  await app.register(rateLimit, {
    timeWindow: 60_000,
    // Probes ask often, and from one address; the dashboard's files come from memory.
    allowList: ({ url }) => url === "/health" || url === "/ready" || url === "/" || url.startsWith("/assets/"),
    // By token once it has proved to be one of ours, by address otherwise: invented tokens buy nothing.
    max: (request) => (request.caller === null ? limits.anonymousPerMinute : limits.requestsPerMinute),
    keyGenerator: (request) => request.caller?.tokenId ?? `from ${request.ip}`,
    errorResponseBuilder: (_, { after }) =>
      Object.assign(new Error(`too many requests; wait ${after}`), { statusCode: 429 }),
  });

  answerFailures(app, options);
  limitBodyTime(app);
  app.addHook("onRequest", async (_, reply) => {
    reply.headers(SECURITY_HEADERS);
    if (options.https !== undefined) reply.header("strict-transport-security", "max-age=31536000");
  });
  refuseOddRequests(app);
  guardRoutes(app, options);
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "unknown";
    const seconds = reply.elapsedTime / 1000;
    metrics.count("veilgrid_http_requests_total", { route, method: request.method, status: String(reply.statusCode) });
    metrics.time(route, seconds);
    log({
      time: now().toISOString(),
      level: reply.statusCode >= 500 ? "error" : "info",
      event: "request",
      method: request.method,
      // The route's pattern: a path may name a dataset or a grid.
      route,
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
      token: request.caller?.tokenId ?? null,
    });
  });

  systemRoutes(app, options, metrics);
  dashboardRoutes(app, options);
  datasetRoutes(app, options);
  uploadRoutes(app, options);
  jobRoutes(app, options);
  ledgerRoutes(app, options);
  publishedRoutes(app, options);
  await app.ready();
  return app;
}

function answerFailures(app: ServiceApp, { log, now }: ServiceParts): void {
  app.setErrorHandler((error, request, reply) => {
    const found = failureOf(error);
    if (found.code === "INTERNAL")
      log({
        time: now().toISOString(),
        level: "error",
        event: "failure",
        route: request.routeOptions.url ?? "",
        what: error instanceof Error ? error.name : typeof error,
      });
    if (found.code === "UNAUTHENTICATED") reply.header("www-authenticate", "Bearer");
    if (found.code === "BUSY") reply.header("retry-after", "2");
    const { status, code, message } = failureFor(request.caller?.role, found);
    return reply.code(status).send({ error: { code, message } });
  });
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, () => {
    throw new VeilgridError("NOT_FOUND", "there is no such route; GET /openapi.json lists them");
  });
}

/** Pages load nothing from elsewhere; nothing is framed, sniffed or cached, and no address is sent to other sites. */
const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
} as const;
