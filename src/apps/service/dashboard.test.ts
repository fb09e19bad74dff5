/** Tests the dashboard over HTTP: its files and nothing else, compressed, tagged, and under a policy of their own. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestService, testService } from "../../../test/support/service.ts";
import { Dashboard } from "./dashboard.ts";

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-web-"));
const SCRIPT = "export const answer = 42; // ".padEnd(5_000, "again ");
const SECRET = "not of the dashboard";
let service: TestService;

beforeAll(async () => {
  const web = path.join(folder, "web");
  mkdirSync(path.join(web, "assets", "deep"), { recursive: true });
  writeFileSync(path.join(folder, "secret.txt"), SECRET);
  writeFileSync(path.join(web, "index.html"), `<!doctype html><title>Veilgrid</title>${" ".repeat(500)}`);
  writeFileSync(path.join(web, "favicon.svg"), "<svg/>");
  writeFileSync(path.join(web, "assets", "index-1a2b.js"), SCRIPT);
  writeFileSync(path.join(web, "assets", "index-1a2b.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(path.join(web, "assets", "index-1a2b.js.gz"), gzipSync(SCRIPT));
  writeFileSync(path.join(web, "assets", "deep", "a b.css"), "a{}");
  writeFileSync(path.join(web, "assets", "font.woff2"), "font ".repeat(100));
  symlinkSync(path.join(folder, "secret.txt"), path.join(web, "assets", "link.txt"));
  service = await testService({
    dashboard: Dashboard.read(pathToFileURL(`${web}/`))!,
    limits: { anonymousPerMinute: 10 },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) => service.app.inject({ url, headers });

test("the page is asked for anew every time, its files once; both under the dashboard's policy", async () => {
  const page = await get("/");
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain("<title>Veilgrid</title>");
  expect(page.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
  });
  const script = await get("/assets/index-1a2b.js");
  expect(script.body).toBe(SCRIPT);
  expect(script.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  });
  for (const { headers } of [page, script])
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  expect((await get("/assets/deep/a%20b.css")).headers["content-type"]).toBe("text/css; charset=utf-8");
  expect((await get("/favicon.svg")).headers).toMatchObject({
    "content-type": "image/svg+xml",
    "cache-control": "no-cache",
  });
});

test.each([
  [undefined, undefined],
  ["", undefined],
  ["identity", undefined],
  ["gzip", "gzip"],
  ["gzip, deflate, br", "br"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["*", "br"],
  ["*;q=0", undefined],
  ["br;q=nonsense, deflate", undefined],
])("Accept-Encoding %j is answered with %j", async (accepted, encoding) => {
  const answer = await get("/assets/index-1a2b.js", accepted === undefined ? {} : { "accept-encoding": accepted });
  expect(answer.headers["content-encoding"]).toBe(encoding);
  const plain =
    encoding === "br"
      ? brotliDecompressSync(answer.rawPayload)
      : encoding === "gzip"
        ? gunzipSync(answer.rawPayload)
        : answer.rawPayload;
  expect(plain.toString()).toBe(SCRIPT);
});

test("what the build did not compress is sent as it is", async () => {
  for (const url of ["/assets/font.woff2", "/favicon.svg"])
    expect((await get(url, { "accept-encoding": "br, gzip" })).headers["content-encoding"]).toBeUndefined();
});

test("a tag for every form of a file, and 304 for who has it", async () => {
  const tags = [];
  for (const accepted of ["identity", "gzip", "br"]) {
    const headers = { "accept-encoding": accepted };
    const { etag } = (await get("/assets/index-1a2b.js", headers)).headers as { etag: string };
    expect(etag).toMatch(/^"[\w-]+"$/);
    tags.push(etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get("/assets/index-1a2b.js", { ...headers, "if-none-match": known });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", etag]);
      expect(again.headers["cache-control"]).toContain("immutable");
    }
    expect((await get("/assets/index-1a2b.js", { ...headers, "if-none-match": '"other"' })).statusCode).toBe(200);
  }
  expect(new Set(tags).size).toBe(3);
});

test("no path leads out of the files that were read", async () => {
  const nasty = [
    "/assets/../index.html",
    "/assets/..%2f..%2fsecret.txt",
    "/assets/%2e%2e/secret.txt",
    "/assets/link.txt",
    "/assets/",
    "/assets/constructor",
    "/assets//index-1a2b.js",
    "/assets/index-1a2b.js%00",
    "/assets/index-1a2b.js.br",
    "/index.html",
    "/secret.txt",
  ];
  for (const url of nasty) {
    const answer = await get(url);
    expect([url, answer.statusCode]).toEqual([url, 404]);
    expect(answer.headers["cache-control"]).toBe("no-store");
  }
  await fc.assert(
    fc.asyncProperty(fc.webPath(), async (name) => {
      const answer = await get(`/assets/${name}`);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.body).not.toContain(SECRET);
    }),
    { numRuns: 50 },
  );
});

test("without a dashboard the landing page is there, and no folder is no mistake", async () => {
  expect(Dashboard.read(pathToFileURL(`${folder}/none/`))).toBeUndefined();
  await using bare = await testService();
  const page = await bare.app.inject({ url: "/" });
  expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.body).toContain("/docs");
  expect((await bare.app.inject({ url: "/assets/index-1a2b.js" })).statusCode).toBe(404);
});
