/** Refuses what never becomes a whole request: bytes that are no HTTP, requests without a host, and bodies that do not arrive. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ERRORS, VeilgridError } from "../../core/errors/index.ts";
import type { ServiceApp } from "./route.ts";

/** In which a body has to arrive, unless its route watches over it. */
const MOST_BODY_MS = 120_000;
/** For which a refused caller may go on sending, so that it comes to read the refusal. */
const LINGER_MS = 5_000;

/** Node would refuse HTTP/1.1 without a host in a form of its own; `refuseOddRequests` does it instead. */
export const SERVER_OPTIONS = { requireHostHeader: false } as const;

/** Bytes that are no HTTP, heads that are too long or take too long. */
export function answerBrokenRequest(
  headers: Readonly<Record<string, string>>,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    // An answer that has begun is not written into.
    const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse | null };
    if (error.code !== "ECONNRESET" && socket.writable && !current?.headersSent)
      socket.write(answerText(headers, saysWhat(error.code)));
    socket.destroy(error);
  };
}

function saysWhat(code: string | undefined): string {
  if (code === "HPE_HEADER_OVERFLOW") return "the request's head is too long";
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? "the request took too long to arrive" : "the request is not HTTP/1.1";
}

function answerText(headers: Readonly<Record<string, string>>, message: string): string {
  const body = JSON.stringify({ error: { code: "PARAMETER_INVALID", message } });
  const lines = Object.entries({
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${ERRORS.PARAMETER_INVALID.httpStatus} Bad Request\r\n${lines.join("")}\r\n${body}`;
}

export function refuseOddRequests(app: ServiceApp): void {
  app.addHook("onRequest", async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === "1.1")
      throw new VeilgridError("PARAMETER_INVALID", "the request names no host; send the header Host");
  });
  // An unknown Expect header is ignored.
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit("request", request, response),
  );
}

declare module "fastify" {
  interface FastifyRequest {
    /** Its body is being received by a route that watches over it. */
    isReceiving: boolean;
  }
}

export function limitBodyTime(app: FastifyInstance, mostMs = MOST_BODY_MS): void {
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
