/** Routes about the service itself: health, readiness, its API, sessions, metrics. */
import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { VeilgridError } from "../../../core/errors/index.ts";
import { checkAllDatasets } from "../access.ts";
import type { Metrics } from "../metrics.ts";
import { apiPage } from "../pages.ts";
import { routesFor, type ServiceApp } from "../route.ts";
import { answerAs, closed, Redeemed } from "../schemas.ts";
import type { ServiceParts } from "../service-parts.ts";
import { redeem } from "../tokens.ts";

const open = routesFor("public", "service");
const forAnalysts = routesFor("analyst", "service");
const forCurators = routesFor("curator", "service");

const Status = closed({ status: Type.String() });
const Code = closed({ code: Type.String({ minLength: 1, maxLength: 200 }) });
const Me = closed({ role: Redeemed.properties.role, datasets: Redeemed.properties.datasets });
const Page = answerAs("a page", { "text/html": Type.String() });

/** Whoever asks whether we are ready does not wait for long; a ledger on a network waits longer for its server. */
const READY_MS = 3_000;

export function systemRoutes(
  app: ServiceApp,
  { store, ledger, jobs, now, tool }: ServiceParts,
  metrics: Metrics,
): void {
  app.get("/health", open("getHealth", "The process answers.", { answer: Status }), async () => ({ status: "ok" }));

  app.get(
    "/ready",
    open("getReady", "The ledger and the service's own file can be read.", { answer: Status }),
    async () => {
      store.datasets();
      await within(READY_MS, ledger.datasets());
      return { status: "ready" };
    },
  );

  app.get(
    "/openapi.json",
    open("getOpenApi", "This description, for programs.", { answer: Type.Unknown() }),
    async () => app.swagger(),
  );

  app.get("/docs", open("getApiPage", "This description, for people.", { answer: Page }), async (_, reply) =>
    sendPage(reply, await apiPage(app.swagger(), tool)),
  );

  app.post(
    "/v1/session",
    open("redeemCode", "Exchange a one-time code for a token that lasts a day.", { body: Code, answer: Redeemed }),
    async (request) => {
      const redeemed = redeem(store, request.body.code, now());
      if (redeemed === undefined)
        throw new VeilgridError("UNAUTHENTICATED", "the code is not known, used up or too old; ask for another");
      const { role, datasets, expires } = redeemed.row;
      return { token: redeemed.token, role, datasets, expires };
    },
  );

  app.get("/v1/me", forAnalysts("getMe", "What the token is good for.", { answer: Me }), async (request) => {
    const { role, datasets } = request.caller!;
    return { role, datasets };
  });

  app.get(
    "/metrics",
    forCurators("getMetrics", "Counters and answer times, as Prometheus reads them.", {
      answer: answerAs("text", { "text/plain": Type.String() }),
    }),
    async (request, reply) => {
      checkAllDatasets(request);
      return reply
        .type("text/plain; version=0.0.4; charset=utf-8")
        .send(metrics.text({ veilgrid_jobs_running: jobs.counts.running, veilgrid_jobs_queued: jobs.counts.queued }));
    },
  );
}

/** Pages carry their own policy, which allows their one script. */
export function sendPage(reply: FastifyReply, text: string): FastifyReply {
  return reply.removeHeader("content-security-policy").type("text/html; charset=utf-8").send(text);
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new VeilgridError("LEDGER_UNAVAILABLE", "the ledger does not answer")),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
