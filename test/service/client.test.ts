/** The client against the service's own routes, without a network between them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, ServiceFailure } from "../../src/apps/client/index.ts";
import { type TestService, testService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** What `fetch` would do, by way of the app. */
const overApp: typeof fetch = async (input, init) => {
  const url = new URL(String(input));
  const answer = await service.app.inject({
    method: init!.method as "GET",
    url: url.pathname + url.search,
    headers: init!.headers as Record<string, string>,
    ...(init!.body === undefined ? {} : { payload: Buffer.from(await new Response(init!.body).arrayBuffer()) }),
  });
  const headers = { "content-type": String(answer.headers["content-type"]) };
  return new Response(answer.body, { status: answer.statusCode, headers });
};

test("methods fill path, query and body, and bring back what is answered", async () => {
  const client = createClient({ url: "http://service", token: service.token("curator"), fetch: overApp });
  expect(await client.getHealth()).toEqual({ status: "ok" });
  expect((await client.listDatasets()).datasets.map(({ name }) => name)).toEqual(["buses"]);
  const changed = await client.changeDataset({ params: { dataset: "buses" }, body: { onlyReleased: true } });
  expect(changed.onlyReleased).toBe(true);
  expect(await client.getMetrics()).toContain("veilgrid_http_requests_total");
  expect((await client.listGrids({ params: { dataset: "buses" } })).grids).toHaveLength(service.grids.length);
});

test("a file is sent as it is", async () => {
  const client = createClient({ url: "http://service", token: service.token("curator"), fetch: overApp });
  for (const body of [new Blob(["a,b\n1,2\n"]), new TextEncoder().encode("a,b\n1,2\n")]) {
    const { source, bytes } = await client.uploadFile({ query: { name: "a.csv" }, body });
    expect([source, bytes]).toEqual([expect.stringMatching(/\/a\.csv$/), 8]);
    const look = await client.lookAtSource({ body: { source } });
    expect(look.columns.map(({ name }) => name)).toEqual(["a", "b"]);
  }
});

test("a refusal has status, code and sentence; grids are encoded", async () => {
  const client = createClient({ url: "http://service", token: service.token("analyst"), fetch: overApp });
  const refusal = await client
    .getGrid({ params: { dataset: "buses", grid: service.grids[0]! }, query: { confidence: "0.9" } })
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ServiceFailure);
  expect(refusal).toMatchObject({ status: 404, code: "NOT_RELEASED" });
  await expect(client.listDatasets()).rejects.toMatchObject({ status: 403, code: "FORBIDDEN" });
  const nobody = createClient({ url: "http://service", fetch: overApp });
  await expect(nobody.getMe()).rejects.toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
});
