/** Bodies have to arrive: a small one within two minutes; what takes longer says so and looks after itself. */
import type { FastifyInstance, FastifyRequest } from "fastify";

const MOST_MS = 120_000;
/** So long a refused caller may go on sending, so that it comes to read the refusal. */
const LINGER_MS = 5_000;

declare module "fastify" {
  interface FastifyRequest {
    /** Its body is being received by a route that watches over it. */
    isReceiving: boolean;
  }
}

export function limitBodyTime(app: FastifyInstance, mostMs = MOST_MS): void {
  app.decorateRequest("isReceiving", false);
  app.addHook("onRequest", async (request) => {
    endAfter(request, mostMs);
  });
}

/** For a body that is not read to its end. */
export function letGo(request: FastifyRequest): void {
  request.isReceiving = false;
  if (request.raw.readableEnded) return;
  request.raw.resume();
  endAfter(request, LINGER_MS);
}

function endAfter(request: FastifyRequest, milliseconds: number): void {
  const { raw } = request;
  const timer = setTimeout(() => {
    if (!raw.complete && !request.isReceiving) raw.destroy();
  }, milliseconds).unref();
  raw.once("close", () => clearTimeout(timer));
}
