/** Tests that the service does not wait for a body that does not arrive, and leaves slow uploads and slow answers alone. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limitBodyTime } from "./broken-requests.ts";

const MOST_MS = 100;
let app: FastifyInstance;
const sockets: Socket[] = [];

beforeAll(async () => {
  app = fastify();
  limitBodyTime(app, MOST_MS);
  app.addContentTypeParser("application/octet-stream", (_, payload, done) => done(null, payload));
  app.post("/small", async () => "done");
  app.get("/slow", async () => {
    await wait(4 * MOST_MS);
    return "done";
  });
  app.post("/large", async (request) => {
    request.isReceiving = true;
    let bytes = 0;
    for await (const chunk of request.body as AsyncIterable<Buffer>) bytes += chunk.length;
    return `${bytes} bytes`;
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** What comes back until the connection ends; the body's second half is sent late. */
async function talk(request: string, halves: readonly [string, string?] = [""]): Promise<string> {
  const socket = connect((app.server.address() as { port: number }).port, "127.0.0.1");
  sockets.push(socket);
  let heard = "";
  socket.on("data", (text) => {
    heard += String(text);
  });
  socket.on("error", () => undefined);
  socket.write(`${request} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n`);
  socket.write(halves[0]);
  if (halves[1] !== undefined) {
    await wait(4 * MOST_MS);
    if (!socket.destroyed) socket.write(halves[1]);
  }
  if (!socket.closed) await once(socket, "close");
  return heard;
}

const body = (type: string): string => `Content-Type: ${type}\r\nContent-Length: 10\r\n\r\n12345`;

test("half a small body ends the connection without an answer", async () => {
  expect(await talk("POST /small", [body("application/json")])).toBe("");
});

test("a route that watches over its body gets all of it", async () => {
  expect(await talk("POST /large", [body("application/octet-stream"), "67890"])).toMatch(/10 bytes$/);
});

test("an answer may take longer than a body", async () => {
  expect(await talk("GET /slow", ["\r\n"])).toMatch(/done$/);
});
