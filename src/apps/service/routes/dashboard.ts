/** Routes of the dashboard and its files. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { VeilgridError } from "../../../core/errors/index.ts";
import { landingPage } from "../pages.ts";
import { hasAlready, routesFor, type ServiceApp } from "../route.ts";
import { answerAs } from "../schemas.ts";
import type { ServiceParts } from "../service-parts.ts";
import { sendPage } from "./system.ts";

const open = routesFor("public", "service");

/** Everything comes from the service itself. Charts set positions by style attributes; workers have the policy of their own script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const ALWAYS_ASK = "no-cache";
/** Names carry a hash of what is in them. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** A page is many files, all of them small and in memory: they do not count as requests. */
const hidden = { schema: { hide: true }, config: { access: "public", rateLimit: false } } as const;

export function dashboardRoutes(app: ServiceApp, { dashboard, tool }: ServiceParts): void {
  const sendFile = (request: FastifyRequest, reply: FastifyReply, name: string, caching: string): FastifyReply => {
    const file = dashboard?.file(name, request.headers["accept-encoding"] as string | undefined);
    if (file === undefined) throw new VeilgridError("NOT_FOUND", "the dashboard has no such file");
    const { type, bytes, encoding, etag } = file;
    reply.headers({ "content-security-policy": POLICY, "cache-control": caching, vary: "accept-encoding", etag });
    if (hasAlready(request.headers["if-none-match"], etag)) return reply.code(304).send();
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return reply.type(type).send(bytes);
  };
  const { config, ...rest } = open("getDashboard", "The dashboard, for people.", {
    answer: answerAs("a page", { "text/html": Type.String() }),
  });

  app.get(
    "/",
    { ...rest, config: dashboard === undefined ? config : { ...config, rateLimit: false } },
    async (request, reply) =>
      dashboard === undefined
        ? sendPage(reply, await landingPage(tool))
        : sendFile(request, reply, "index.html", ALWAYS_ASK),
  );

  app.get("/assets/*", hidden, async (request, reply) =>
    sendFile(request, reply, `assets/${(request.params as { "*": string })["*"]}`, FOR_EVER),
  );

  // Icons and the like, each at its own address.
  for (const name of dashboard?.names ?? [])
    if (name !== "index.html" && !name.startsWith("assets/"))
      app.get(`/${name}`, hidden, async (request, reply) => sendFile(request, reply, name, ALWAYS_ASK));
}
