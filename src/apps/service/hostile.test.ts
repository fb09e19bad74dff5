/** Tests that hostile bodies, paths and headers get an answer of the promised form, and never an internal error. */
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestService, testService } from "../../../test/support/service.ts";

let service: TestService;
let curator: string;
beforeAll(async () => {
  service = await testService();
  curator = service.token("curator");
});
afterAll(() => service[Symbol.asyncDispose]());

const NASTY = [
  "../../etc/passwd",
  "..%2f..%2fetc%2fpasswd",
  "/etc/passwd",
  "file:///etc/passwd",
  "buses.csv\u0000.txt",
  "%00",
  "~root",
  "constructor",
  "__proto__",
  "#{7*7}",
  "'; DROP TABLE tokens; --",
  "<script>alert(1)</script>",
  "ﬁ‮\u202e",
  "a".repeat(5000),
  "1e999",
  "-0",
  "9".repeat(400),
];
const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: "binary", maxLength: 60 }));
const json = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.constant(JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`)) },
);

function checkAnswer(status: number, body: string): void {
  expect(status).toBeLessThan(500);
  if (status < 400) return;
  const { error, ...rest } = JSON.parse(body) as { error: { code: string; message: string } };
  expect(rest).toEqual({});
  expect(error.code).toMatch(/^[A-Z_]+$/);
  expect(error.message).not.toMatch(/\n|\bat .*\.[jt]s|node_modules|root:x/);
  expect(error.message).not.toContain(service.folder);
}

interface RouteSchema {
  readonly properties?: Record<string, unknown>;
}

function routes(): Array<{ method: "GET"; path: string; fields: string[] }> {
  const { paths } = service.app.swagger() as unknown as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: RouteSchema }> } }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(() => !path.endsWith("/events"))
      .map(([method, { requestBody }]) => ({
        method: method.toUpperCase() as "GET",
        path,
        fields: Object.keys(requestBody?.content["application/json"]?.schema.properties ?? {}),
      })),
  );
}

test("any path, query and body, on every route, as curator", async () => {
  for (const { method, path, fields } of routes()) {
    const body = fc.oneof(
      json,
      fc.record(Object.fromEntries(fields.map((field) => [field, fc.oneof(text, json)])), { requiredKeys: [] }),
    );
    await fc.assert(
      fc.asyncProperty(text, text, body, async (parameter, query, payload) => {
        const url = path.replace(/\{\w+\}/g, () => encodeURIComponent(parameter));
        const answer = await service.app.inject({
          method,
          url: `${url}?${encodeURIComponent(query)}=${encodeURIComponent(parameter)}`,
          headers: {
            authorization: `Bearer ${curator}`,
            ...(method === "GET" ? {} : { "content-type": "application/json" }),
          },
          ...(method === "GET" ? {} : { payload: JSON.stringify(payload) }),
        });
        checkAnswer(answer.statusCode, answer.body);
      }),
      { numRuns: 25 },
    );
  }
});

test("no source outside the data folders is registered, whatever it is called", async () => {
  for (const source of NASTY) {
    const answer = await service.app.inject({
      method: "POST",
      url: "/v1/datasets",
      headers: { authorization: `Bearer ${curator}` },
      payload: {
        name: "evil",
        source,
        recipe: { user: "a", value: "b", by: "c" },
        bounds: "0,1",
        budget: "1",
        occupancyIsPublic: true,
      },
    });
    checkAnswer(answer.statusCode, answer.body);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  }
  expect(service.store.dataset("evil")).toBeUndefined();
});

test("bodies that are too large, not JSON, or of another type", async () => {
  const send = (payload: string, type: string) =>
    service.app.inject({
      method: "POST",
      url: "/v1/datasets",
      headers: { authorization: `Bearer ${curator}`, "content-type": type },
      payload,
    });
  expect((await send(JSON.stringify({ name: "a".repeat(100_000) }), "application/json")).statusCode).toBe(413);
  for (const [payload, type] of [
    ["{", "application/json"],
    ["", "application/json"],
    ["name=a", "application/x-www-form-urlencoded"],
    ["<a/>", "text/xml"],
    ['{"__proto__":{"admin":true}}', "application/json"],
  ] as const) {
    const answer = await send(payload, type);
    checkAnswer(answer.statusCode, answer.body);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  }
});

test("bytes that are no request are refused in the same form, with the same headers", async () => {
  await using other = await testService();
  await other.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = other.app.server.address() as { port: number };
  const said = (bytes: string) =>
    new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(text));
    });
  for (const [bytes, message] of [
    ["GET /health HTTP/1.1\r\n\r\n", /names no host/],
    ["\u0016\u0003\u0001 hello", /not HTTP/],
    ["GET /health HTTP/1.1\r\nHost", /not HTTP/],
    [`GET /health HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, /head is too long/],
    ["POST /v1/session HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", /not HTTP/],
  ] as const) {
    const [head, body] = (await said(bytes)).split("\r\n\r\n") as [string, string];
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toMatch(/x-content-type-options: nosniff/);
    expect(JSON.parse(body)).toEqual({ error: { code: "PARAMETER_INVALID", message: expect.stringMatching(message) } });
  }
  // What it cannot expect of us, it gets without.
  expect(await said("GET /health HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 OK/);
});

test("a token that asks too often is told to wait, others are not", async () => {
  await using limited = await testService({ limits: { requestsPerMinute: 5, anonymousPerMinute: 3 } });
  const ask = async (headers: Record<string, string>) =>
    (await limited.app.inject({ url: "/openapi.json", headers })).statusCode;
  const [busy, calm] = [limited.token("analyst"), limited.token("analyst")];
  const statuses = [];
  for (let time = 0; time < 7; time++) statuses.push(await ask({ authorization: `Bearer ${busy}` }));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(await ask({ authorization: `Bearer ${calm}` })).toBe(200);
  for (let time = 0; time < 3; time++) expect(await ask({})).toBe(200);
  expect(await ask({})).toBe(429);
  // Invented tokens and routes that are none count, too; and nobody can use up another's allowance.
  for (const url of ["/v1/me", "/nowhere"]) {
    const invented = { authorization: `Bearer ${busy.slice(0, 16)}${"x".repeat(32)}` };
    expect((await limited.app.inject({ url, headers: invented })).statusCode).toBe(429);
  }
  expect(await ask({ authorization: `Bearer ${calm}` })).toBe(200);
});
