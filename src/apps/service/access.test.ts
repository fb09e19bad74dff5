/** Tests who may call what, as a table of role × route that holds every route of the service. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestService, testService } from "../../../test/support/service.ts";

type Verdict = "public" | "analyst" | "curator";

/** Written by hand: a route that is missing here, or here and gone, fails the test. */
const TABLE: Readonly<Record<string, Verdict>> = {
  "GET /": "public",
  "GET /assets/*": "public",
  "GET /docs": "public",
  "GET /health": "public",
  "GET /openapi.json": "public",
  "GET /ready": "public",
  "POST /v1/session": "public",
  "GET /v1/me": "analyst",
  "GET /v1/published": "analyst",
  "GET /v1/published/{dataset}/dictionary": "analyst",
  "GET /v1/published/{dataset}/grids": "analyst",
  "GET /v1/published/{dataset}/grids/{grid}": "analyst",
  "POST /v1/published/{dataset}/grids/{grid}": "analyst",
  "GET /v1/published/{dataset}/results": "analyst",
  "GET /v1/published/{dataset}/statement": "analyst",
  "GET /metrics": "curator",
  "GET /v1/datasets": "curator",
  "POST /v1/datasets": "curator",
  "GET /v1/datasets/{dataset}": "curator",
  "PATCH /v1/datasets/{dataset}": "curator",
  "POST /v1/datasets/{dataset}/compare": "curator",
  "GET /v1/datasets/{dataset}/ledger": "curator",
  "POST /v1/datasets/{dataset}/ledger/raise": "curator",
  "POST /v1/datasets/{dataset}/ledger/void": "curator",
  "GET /v1/datasets/{dataset}/occupancy": "curator",
  "GET /v1/datasets/{dataset}/plans": "curator",
  "POST /v1/datasets/{dataset}/plans": "curator",
  "GET /v1/datasets/{dataset}/plans/{plan}": "curator",
  "POST /v1/datasets/{dataset}/releases": "curator",
  "POST /v1/datasets/{dataset}/survey": "curator",
  "GET /v1/jobs": "curator",
  "DELETE /v1/jobs/{job}": "curator",
  "GET /v1/jobs/{job}": "curator",
  "GET /v1/jobs/{job}/events": "curator",
  "GET /v1/ledger/verify": "curator",
  "POST /v1/look": "curator",
  "POST /v1/uploads": "curator",
};

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** Routes that the OpenAPI document leaves out. */
const HIDDEN = ["GET /assets/*"];

test("every route of the service is in the table, and no other", () => {
  const { paths } = service.app.swagger() as { paths: Record<string, Record<string, unknown>> };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect([...routes, ...HIDDEN].sort()).toEqual(Object.keys(TABLE).sort());
  for (const route of HIDDEN) {
    const [method, url] = route.split(" ") as ["GET", string];
    expect(service.app.hasRoute({ method, url })).toBe(true);
  }
  const methods = service.app.printRoutes().match(/\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/g)!;
  expect(methods).toHaveLength(Object.keys(TABLE).length);
});

async function statusOf(route: string, token: string | undefined, dataset = "buses"): Promise<number> {
  const [method, path] = route.split(" ") as ["GET", string];
  const url = path
    .replace("{dataset}", dataset)
    .replace("{grid}", encodeURIComponent("stop 0"))
    .replace("{plan}", service.plan)
    .replace("{job}", "none");
  const answer = await service.app.inject({
    method,
    url,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  return answer.statusCode;
}

test.each(Object.entries(TABLE))("%s is for %s", async (route, verdict) => {
  const revoked = service.token("curator");
  service.store.revokeToken(revoked.slice(3, 15), new Date().toISOString());
  const known = service.token("analyst");
  for (const wrong of [undefined, "", "vg_aaaaaaaaaaaa_bbbb", `${known}x`, known.slice(0, -1), revoked]) {
    const status = await statusOf(route, wrong);
    if (verdict === "public") expect(status).not.toBe(401);
    else expect(status).toBe(401);
  }
  const asAnalyst = await statusOf(route, known);
  if (verdict === "curator") expect(asAnalyst).toBe(403);
  else expect([401, 403]).not.toContain(route === "POST /v1/session" ? 200 : asAnalyst);
  const asCurator = await statusOf(route, service.token("curator"));
  expect([401, 403]).not.toContain(route === "POST /v1/session" ? 200 : asCurator);
  if (route.includes("{dataset}"))
    for (const role of ["curator", "analyst"] as const)
      expect(await statusOf(route, service.token(role, ["another"]))).toBe(403);
});

test("a token for some datasets sees only those in lists, and nothing that concerns all", async () => {
  const get = async (url: string, token: string) =>
    service.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  const own = service.token("curator", ["buses"]);
  const other = service.token("curator", ["another"]);
  expect((await get("/v1/datasets", own)).json().datasets).toHaveLength(1);
  expect((await get("/v1/datasets", other)).json().datasets).toEqual([]);
  expect((await get("/v1/published", service.token("analyst", ["another"]))).json().datasets).toEqual([]);
  expect((await get("/v1/ledger/verify", own)).statusCode).toBe(403);
  expect((await get("/v1/ledger/verify", service.token("curator"))).statusCode).toBe(200);
});
