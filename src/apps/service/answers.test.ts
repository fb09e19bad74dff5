/** Tests that every answer is what the OpenAPI document promises, from registering a dataset to reading it as an analyst. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RECIPE, RECORDS, type TestService, testService } from "../../../test/support/service.ts";

import { surveyDataset } from "./survey.ts";

interface Described {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
}

let service: TestService;
let curator: string;
let analyst: string;
const seen = new Set<string>();
const ajv = new Ajv2020({ strict: false });

beforeAll(async () => {
  service = await testService({
    runTask: async (task, { onProgress }) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      onProgress({ step: "working", done: 1, of: 2 });
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (task.kind === "compare") throw new Error("a secret detail");
      return { kind: task.kind };
    },
  });
  curator = service.token("curator");
  analyst = service.token("analyst");
});
afterAll(() => service[Symbol.asyncDispose]());

/** Calls a route and holds the answer to the document. */
async function call(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  {
    token,
    params = {},
    body,
    bytes,
    query = "",
  }: {
    token?: string;
    params?: Record<string, string>;
    body?: unknown;
    bytes?: Buffer;
    query?: string;
  } = {},
) {
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!)) + query;
  const answer = await service.app.inject({
    method,
    url,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(bytes === undefined ? {} : { "content-type": "application/octet-stream" }),
    },
    ...(body === undefined ? {} : { payload: body as object }),
    ...(bytes === undefined ? {} : { payload: bytes }),
  });
  const { responses } = (service.app.swagger() as unknown as Described).paths[path]![method.toLowerCase()]!;
  const promised =
    responses[answer.statusCode] ??
    responses[`${String(answer.statusCode)[0]}XX`] ??
    responses[`${String(answer.statusCode)[0]}xx`];
  expect(promised, `${method} ${path} answered ${answer.statusCode}`).toBeDefined();
  seen.add(`${method} ${path}`);
  const isJson = /json/.test(String(answer.headers["content-type"]));
  const content = isJson ? answer.json() : answer.body;
  const type = String(answer.headers["content-type"]).split(";")[0]!;
  const schema = promised!.content?.[type]?.schema;
  expect(schema, `${method} ${path} answered ${type}`).toBeDefined();
  const valid = ajv.validate(schema!, content);
  expect(valid, `${method} ${path}: ${ajv.errorsText()}`).toBe(true);
  return { status: answer.statusCode, content, headers: answer.headers };
}

const buses = { dataset: "buses" };

test("from an unknown caller to an analyst's answer", async () => {
  for (const path of ["/", "/docs", "/health", "/ready", "/openapi.json"])
    expect((await call("GET", path)).status).toBe(200);
  expect((await call("POST", "/v1/session", { body: { code: "wrong" } })).status).toBe(401);
  expect((await call("GET", "/v1/me", { token: analyst })).content).toEqual({ role: "analyst", datasets: null });
  const registered = await call("POST", "/v1/datasets", {
    token: curator,
    body: { name: "more", source: "buses.csv", recipe: RECIPE, bounds: "0,65", budget: "2.5", occupancyIsPublic: true },
  });
  expect(registered.status).toBe(201);
  expect(registered.content.source).toBe("buses.csv");
  const again = await call("POST", "/v1/datasets", {
    token: curator,
    body: { name: "more", source: "buses.csv", recipe: RECIPE, bounds: "0,65", budget: "2.5", occupancyIsPublic: true },
  });
  expect([again.status, again.content.error.code]).toEqual([409, "DATASET_EXISTS"]);
  await call("GET", "/v1/datasets", { token: curator });
  await call("GET", "/v1/datasets/{dataset}", { token: curator, params: buses });
  const changed = await call("PATCH", "/v1/datasets/{dataset}", {
    token: curator,
    params: buses,
    body: { onlyReleased: true },
  });
  expect(changed.content.onlyReleased).toBe(true);

  const grid = { ...buses, grid: service.grids[0]! };
  const refused = await call("POST", "/v1/published/{dataset}/grids/{grid}", { token: analyst, params: grid });
  expect([refused.status, refused.content.error.code]).toEqual([404, "NOT_RELEASED"]);
  expect((await call("GET", "/v1/published/{dataset}/results", { token: analyst, params: buses })).status).toBe(404);
  await call("PATCH", "/v1/datasets/{dataset}", { token: curator, params: buses, body: { onlyReleased: false } });
  expect((await call("GET", "/v1/published/{dataset}/grids/{grid}", { token: analyst, params: grid })).status).toBe(
    404,
  );
});

test("a file is sent and looked at", async () => {
  const sent = await call("POST", "/v1/uploads", {
    ...{ token: curator, query: "?name=more.csv", bytes: Buffer.from(RECORDS) },
  });
  expect([sent.status, sent.content.bytes]).toEqual([201, RECORDS.length]);
  const looked = await call("POST", "/v1/look", { token: curator, body: { source: sent.content.source } });
  expect([looked.status, looked.content.guess.user]).toEqual([200, "bus"]);
  expect((await call("POST", "/v1/look", { token: curator, body: { source: "none.csv" } })).status).toBe(404);
});

test("counts are there once they are taken", async () => {
  const path = "/v1/datasets/{dataset}/occupancy";
  expect((await call("GET", path, { token: curator, params: buses })).status).toBe(404);
  const { source, recipe } = service.store.dataset("buses")!;
  await surveyDataset({ source, recipe, occupancyFile: service.store.occupancyFile("buses") }, {});
  const { status, content } = await call("GET", path, { token: curator, params: buses });
  expect([status, content.split("\n", 1)]).toEqual([200, ["user,grid,count"]]);
});

test("jobs: started, listed, followed, done, failed, cancelled", async () => {
  for (const [path, body] of [
    ["/v1/datasets/{dataset}/survey", {}],
    ["/v1/datasets/{dataset}/releases", {}],
    ["/v1/datasets/{dataset}/compare", { loss: "1" }],
  ] as const) {
    const { status, content } = await call("POST", path, { token: curator, params: buses, body });
    expect(status).toBe(202);
    const events = await call("GET", "/v1/jobs/{job}/events", { token: curator, params: { job: content.id } });
    expect(events.headers["content-type"]).toContain("text/event-stream");
    expect(events.content).toContain("event: progress");
    const ended = await call("GET", "/v1/jobs/{job}", { token: curator, params: { job: content.id } });
    expect(ended.content.state).toBe(path.endsWith("compare") ? "failed" : "done");
    // What is not ours to tell stays in the log.
    if (path.endsWith("compare")) expect(JSON.stringify(ended.content)).not.toContain("a secret detail");
  }
  const started = await call("POST", "/v1/datasets/{dataset}/survey", { token: curator, params: buses, body: {} });
  await call("DELETE", "/v1/jobs/{job}", { token: curator, params: { job: started.content.id } });
  expect((await call("GET", "/v1/jobs", { token: curator })).content.jobs.length).toBeGreaterThanOrEqual(4);
  expect((await call("GET", "/v1/jobs/{job}", { token: curator, params: { job: "none" } })).status).toBe(404);
  const bad = await call("POST", "/v1/datasets/{dataset}/plans", {
    token: curator,
    params: buses,
    body: { losses: "1" },
  });
  expect([bad.status, bad.content.error.code]).toEqual([400, "PARAMETER_INVALID"]);
  for (const body of [
    { loss: "0" },
    { loss: "abc" },
    { loss: "1", error: "2" },
    { statistics: "mean,variance", error: "2" },
    { strategy: "magic" },
    {},
  ])
    expect((await call("POST", "/v1/datasets/{dataset}/plans", { token: curator, params: buses, body })).status).toBe(
      400,
    );
});

test("plans, ledger and the rest", async () => {
  expect(
    (await call("GET", "/v1/datasets/{dataset}/plans", { token: curator, params: buses })).content.plans,
  ).toHaveLength(1);
  await call("GET", "/v1/datasets/{dataset}/plans/{plan}", {
    token: curator,
    params: { ...buses, plan: service.plan },
  });
  await call("GET", "/v1/datasets/{dataset}/ledger", { token: curator, params: buses });
  await call("POST", "/v1/datasets/{dataset}/ledger/raise", {
    token: curator,
    params: buses,
    body: { budget: "30", reason: "a test" },
  });
  expect(
    (await call("POST", "/v1/datasets/{dataset}/ledger/void", { token: curator, params: buses, body: { key: "none" } }))
      .status,
  ).toBe(404);
  await call("GET", "/v1/ledger/verify", { token: curator });
  const metrics = await call("GET", "/metrics", { token: curator });
  expect(metrics.content).toContain("veilgrid_http_requests_total");
  await call("GET", "/v1/published", { token: analyst });
  await call("GET", "/v1/published/{dataset}/grids", { token: analyst, params: buses });
  await call("GET", "/v1/published/{dataset}/statement", { token: analyst, params: buses });
  await call("GET", "/v1/published/{dataset}/dictionary", { token: analyst, params: buses });
  expect((await call("GET", "/v1/datasets/{dataset}", { token: curator, params: { dataset: "gone" } })).status).toBe(
    404,
  );
});

test("headers on every kind of answer, and a log without paths, tokens or queries", async () => {
  for (const url of ["/health", "/nowhere", "/v1/me", "/v1/datasets/buses?secret=hidden"]) {
    const { headers } = await service.app.inject({ url, headers: { authorization: `Bearer ${analyst}` } });
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["cache-control"]).toBe("no-store");
  }
  const log = JSON.stringify(service.logged);
  for (const hidden of ["hidden", "buses.csv", analyst.slice(16), curator.slice(16), service.folder, "stop 0"])
    expect(log).not.toContain(hidden);
  expect(log).toContain("/v1/datasets/:dataset");
});

test("every route but those that threads answer was held to the document", () => {
  const { paths } = service.app.swagger() as unknown as Described;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(all.filter((route) => !seen.has(route))).toEqual([]);
});
