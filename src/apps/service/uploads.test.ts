/** Tests uploads: kept whole, for their owner only, or refused with nothing left behind. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { request as httpRequest } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { RECIPE, RECORDS, type TestService, testService } from "../../../test/support/service.ts";
import { Uploads, type UploadsOptions } from "./uploads.ts";

const LIMIT = 100_000;
let service: TestService;
let curator: string;

beforeAll(async () => {
  service = await testService({ limits: { uploadBytes: LIMIT } });
  curator = service.token("curator", ["mine", "second"]);
});
afterAll(() => service[Symbol.asyncDispose]());
afterEach(() => {
  for (const name of readdirSync(folder())) rmSync(path.join(folder(), name), { recursive: true });
});

const folder = (): string => path.join(service.folder, "state", "uploads");
const kept = (): string[] => readdirSync(folder(), { recursive: true, encoding: "utf8" });

function send(name: string, payload: string | Buffer | Readable, type = "application/octet-stream") {
  return service.app.inject({
    method: "POST",
    url: `/v1/uploads?name=${encodeURIComponent(name)}`,
    headers: { authorization: `Bearer ${curator}`, "content-type": type },
    payload,
  });
}

function post(url: string, payload: object) {
  return service.app.inject({ method: "POST", url, headers: { authorization: `Bearer ${curator}` }, payload });
}

test("a file is kept byte for byte, privately, and can be looked at and registered by a token for one dataset", async () => {
  const answer = await send("trips-1.csv", RECORDS);
  expect(answer.statusCode).toBe(201);
  const { source, bytes } = answer.json();
  expect([source, bytes]).toEqual([expect.stringMatching(/^[0-9a-f]{24}\/trips-1\.csv$/), RECORDS.length]);
  const file = path.join(folder(), source);
  expect(readFileSync(file, "utf8")).toBe(RECORDS);
  expect([folder(), path.dirname(file), file].map((each) => statSync(each).mode & 0o777)).toEqual([
    0o700, 0o700, 0o600,
  ]);

  const look = await post("/v1/look", { source });
  expect(look.statusCode).toBe(200);
  expect(look.json()).toMatchObject({ source, guess: { user: "bus", value: "speed" }, isOccupancy: false });
  expect(look.json().columns.map(({ name }: { name: string }) => name)).toEqual(["bus", "stop", "speed"]);
  expect(look.body).not.toContain(service.folder);
  expect(look.body).not.toContain("veilgrid survey");

  const options = { source, recipe: RECIPE, bounds: "0,65", budget: "2", occupancyIsPublic: true };
  const registered = await post("/v1/datasets", { name: "mine", ...options });
  expect([registered.statusCode, registered.json().source]).toEqual([201, "trips-1.csv"]);
  expect((await post("/v1/datasets", { name: "others", ...options })).statusCode).toBe(403);
  const logged = JSON.stringify(service.logged);
  for (const hidden of ["trips-1", source, service.folder]) expect(logged).not.toContain(hidden);
});

test("a file that another sent is reached by no pattern, only by the source that was answered", async () => {
  const { source } = (await send("trips-1.csv", RECORDS)).json();
  const [id] = source.split("/");
  const real = realpathSync(folder());
  const reaching = ["*/*.csv", `${id}/*`, `${id}/*.csv`, `${id}/trips-?.csv`, `${id.slice(0, 20)}*/trips-1.csv`];
  const otherwise = [id, `./${source}`, `${id}//trips-1.csv`, `uploads/${source}`, `${source}.part`];
  const absolute = ["", "*/*.csv", "**", `${id}/*.csv`, `./${source}`].map((inner) => `${real}/${inner}`);
  for (const each of [...reaching, ...otherwise, ...absolute]) {
    const registering = { name: "second", recipe: RECIPE, bounds: "0,65", budget: "2", occupancyIsPublic: true };
    const answers = [
      await post("/v1/look", { source: each }),
      await post("/v1/datasets", { ...registering, source: each }),
    ];
    for (const { body } of answers)
      expect([each, body]).toEqual([each, expect.stringMatching(/INPUT_NOT_FOUND|FORBIDDEN_PATH/)]);
  }
  // In the data folder patterns find what lies there, and nothing else.
  const resolved: string[] = [];
  await using looking = await testService({
    runLook: async ({ source: found }) => {
      resolved.push(found);
      return { columns: [], guess: {}, open: [], doubts: [], told: [], isOccupancy: false };
    },
  });
  const headers = { authorization: `Bearer ${looking.token("curator")}` };
  for (const pattern of ["*.csv", "**", "**/*.csv"])
    await looking.app.inject({ method: "POST", url: "/v1/look", headers, payload: { source: pattern } });
  const data = path.join(realpathSync(looking.folder), "data");
  expect(resolved).toEqual(["*.csv", "**", "**/*.csv"].map((pattern) => path.join(data, pattern)));
});

test("large files pass in pieces", async () => {
  await using large = await testService();
  const piece = Buffer.alloc(1 << 16, "a,b\n");
  const pieces = 200;
  const answer = await large.app.inject({
    method: "POST",
    url: "/v1/uploads?name=large.csv",
    headers: { authorization: `Bearer ${large.token("curator")}`, "content-type": "application/octet-stream" },
    payload: Readable.from(
      (function* () {
        for (let count = 0; count < pieces; count++) yield piece;
      })(),
    ),
  });
  expect(answer.json().bytes).toBe(pieces * piece.length);
});

test.each([
  "trips",
  "trips.exe",
  "trips.csv.exe",
  "trips.parquet.gz",
  "../trips.csv",
  "a/trips.csv",
  "C:\\trips.csv",
  ".csv",
  "-trips.csv",
  "my trips.csv",
  "trips*.csv",
  "trips[1].csv",
  "süd.csv",
  `${"a".repeat(200)}.csv`,
  "trips.csv\u0000",
])("a file called %j is refused", async (name) => {
  const answer = await send(name, RECORDS);
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, "PARAMETER_INVALID"]);
  expect(kept()).toEqual([]);
});

test.each([
  "a.csv",
  "A.CSV",
  "a.tsv",
  "a.json",
  "a.jsonl",
  "a.ndjson",
  "a.csv.gz",
  "a.json.gz",
  "a.parquet",
  "2026-03.csv",
])("a file called %s is taken", async (name) => {
  expect((await send(name, "x,y\n1,2\n")).statusCode).toBe(201);
});

test("no name, no bytes, and bytes that are called something else are refused", async () => {
  const headers = { authorization: `Bearer ${curator}`, "content-type": "application/octet-stream" };
  const nameless = await service.app.inject({ method: "POST", url: "/v1/uploads", headers, payload: "a" });
  expect([nameless.statusCode, nameless.json().error.code]).toEqual([400, "PARAMETER_INVALID"]);
  expect((await send("a.csv", "")).json().error).toEqual({ code: "INPUT_EMPTY", message: "'a.csv' is empty" });
  for (const type of ["application/json", "text/csv", "multipart/form-data; boundary=x"])
    expect((await send("a.csv", "{}", type)).json().error).toEqual({
      code: "PARAMETER_INVALID",
      message: "send the file's bytes as the body, as application/octet-stream",
    });
  const bodiless = await service.app.inject({
    method: "POST",
    url: "/v1/uploads?name=a.csv",
    headers: { authorization: `Bearer ${curator}` },
  });
  expect(bodiless.json().error.code).toBe("PARAMETER_INVALID");
  const { authorization } = headers;
  for (const type of [{}, { "content-type": "" }, { "content-type": "nonsense" }])
    for (const payload of ["a,b\n", Readable.from(["a,b\n"])]) {
      const sent = await service.app.inject({
        ...{ method: "POST", url: "/v1/uploads?name=a.csv", payload },
        headers: { authorization, ...type },
      });
      expect([type, sent.statusCode, sent.json().error]).toEqual([
        ...[type, 400],
        { code: "PARAMETER_INVALID", message: expect.stringContaining("application/octet-stream") },
      ]);
    }
  // Elsewhere bodies are JSON.
  const elsewhere = await service.app.inject({ method: "POST", url: "/v1/datasets", headers, payload: "{}" });
  expect(elsewhere.statusCode).toBe(400);
  expect(kept()).toEqual([]);
});

test("a file above the limit is refused by its declared size or as it comes, and one at the limit is not", async () => {
  const over = Buffer.alloc(LIMIT + 1, "a");
  for (const payload of [over, Readable.from([over.subarray(0, LIMIT), over.subarray(LIMIT)])]) {
    const answer = await send("a.csv", payload);
    expect([answer.statusCode, answer.json().error.code]).toEqual([413, "BODY_TOO_LARGE"]);
    expect(answer.json().error.message).toMatch(/larger than 0\.0000931 GB.*--upload-limit/);
  }
  expect(kept()).toEqual([]);
  expect((await send("a.csv", over.subarray(1))).statusCode).toBe(201);
});

test("a caller that goes away, and one that falls silent, leave nothing behind", async () => {
  const port = await listening();
  const outgoing = httpRequest({
    ...{ host: "127.0.0.1", port, method: "POST", path: "/v1/uploads?name=a.csv" },
    headers: {
      authorization: `Bearer ${curator}`,
      "content-type": "application/octet-stream",
      "content-length": 50_000,
    },
  });
  outgoing.on("error", () => undefined);
  outgoing.write("a".repeat(20_000));
  await until(() => kept().some((name) => name.endsWith(".part")));
  outgoing.destroy();
  await until(() => kept().length === 0);

  const uploads = own({ pace: { idleMs: 50 } });
  const silent = new Readable({ read: () => undefined });
  silent.push("a,b\n");
  await expect(uploads.receive("a.csv", silent)).rejects.toMatchObject({ code: "CANCELLED" });
  expect(kept()).toEqual([]);
});

test("a refusal over a real connection reaches a caller that is still sending", async () => {
  const port = await listening();
  const answer = await fetch(`http://127.0.0.1:${port}/v1/uploads?name=a.csv`, {
    method: "POST",
    headers: { authorization: `Bearer ${curator}`, "content-type": "application/octet-stream" },
    body: new Uint8Array(20 * LIMIT),
  });
  expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
    413,
    "BODY_TOO_LARGE",
  ]);
});

test("what is older than a day and no dataset's source is removed, and nothing else", async () => {
  const now = new Date("2026-06-10T12:00:00Z");
  let sources: string[] = [];
  const uploads = own({ sources: () => sources, now: () => now });
  const old = new Date("2026-06-09T11:59:00Z");
  const make = (id: string, changed: Date): string => {
    const file = path.join(uploads.folder, id, "a.csv");
    mkdirSync(path.dirname(file));
    writeFileSync(file, "a,b\n");
    for (const each of [file, path.dirname(file)]) utimesSync(each, changed, changed);
    return file;
  };
  const used = make("used", old);
  const fresh = make("fresh", new Date("2026-06-09T12:01:00Z"));
  const growing = make("growing", old);
  utimesSync(growing, now, now);
  const gone = make("gone", old);
  make("gone-too", old);
  sources = [used, path.join(uploads.folder, "*", "*.csv"), "/elsewhere/*.csv", `${gone}x`];
  // A longer name in the same folder is that folder's; a pattern reaches none.
  expect(await uploads.tidy()).toBe(1);
  sources = sources.slice(0, 3);
  expect(await uploads.tidy()).toBe(1);
  expect([used, fresh, growing].map((file) => existsSync(file))).toEqual([true, true, true]);
  expect(existsSync(gone)).toBe(false);
  // Not only when the service starts.
  const later = make("old when another comes", old);
  await uploads.receive("b.csv", Readable.from([Buffer.from("a,b\n")]));
  expect([later, used].map((file) => existsSync(file))).toEqual([false, true]);
});

test("four at once; a fifth is told to come back, and one that ended makes room", async () => {
  const bodies = Array.from({ length: 4 }, () => new Readable({ read: () => undefined }));
  const uploads = own();
  const four = bodies.map((body) => uploads.receive("a.csv", body));
  const fifth = (): Promise<unknown> => uploads.receive("b.csv", Readable.from([Buffer.from("a,b\n")]));
  await expect(fifth()).rejects.toMatchObject({
    code: "BUSY",
    httpStatus: 503,
    message: expect.stringMatching(/^4 files are being sent/),
  });
  bodies[0]!.destroy();
  await expect(four[0]).rejects.toMatchObject({ code: "CANCELLED" });
  await expect(fifth()).resolves.toMatchObject({ bytes: 4 });
  for (const body of bodies.slice(1)) body.push("a,b\n") && body.push(null);
  expect(await Promise.all(four.slice(1))).toHaveLength(3);
});

test("who trickles is dropped after a time of grace; who is slow but fast enough is not", async () => {
  const trickle = async (leastBytesPerSecond: number, pieces: number): Promise<unknown> => {
    const body = new Readable({ read: () => undefined });
    const dripping = setInterval(() => body.push(pieces-- > 0 ? "a,b\n" : null), 20);
    const uploads = own({ pace: { idleMs: 10_000, graceMs: 100, leastBytesPerSecond } });
    return uploads.receive("a.csv", body).finally(() => clearInterval(dripping));
  };
  await expect(trickle(1_000_000, 1_000)).rejects.toMatchObject({ code: "CANCELLED" });
  expect(kept()).toEqual([]);
  await expect(trickle(1, 15)).resolves.toMatchObject({ bytes: 60 });
});

test("what no dataset uses takes up four times the limit at most, be sizes declared or not", async () => {
  let sources: string[] = [];
  const uploads = own({ sources: () => sources });
  const full = Buffer.alloc(LIMIT, "a");
  const receive = (bytes: Buffer, declared?: number): Promise<{ source: string }> =>
    uploads.receive("a.csv", Readable.from([bytes]), declared);
  const refusal = {
    code: "BODY_TOO_LARGE",
    message: expect.stringMatching(/no dataset uses may take up 0\.000373 GB.*wait a day/),
  };
  const [first] = await Promise.all([receive(full), receive(full, LIMIT), receive(full)]);
  await receive(full.subarray(10));
  await expect(receive(full.subarray(0, 11), 11)).rejects.toMatchObject(refusal);
  await expect(receive(full.subarray(0, 11))).rejects.toMatchObject(refusal);
  expect(kept()).toHaveLength(8);
  await receive(full.subarray(0, 10));
  await expect(receive(full.subarray(0, 1))).rejects.toMatchObject(refusal);
  sources = [path.join(uploads.folder, first!.source)];
  await receive(full);
  // Several that begin while there is room for one.
  sources = [];
  rmSync(folder(), { recursive: true });
  mkdirSync(path.join(folder(), "large"), { recursive: true });
  writeFileSync(path.join(folder(), "large", "a.csv"), Buffer.alloc(3 * LIMIT));
  const together = await Promise.allSettled(Array.from({ length: 4 }, () => receive(full)));
  expect(together.filter(({ status }) => status === "fulfilled").length).toBeLessThan(2);
});

function own(options: Partial<UploadsOptions> = {}): Uploads {
  return new Uploads({
    ...{ state: path.join(service.folder, "state"), mostBytes: LIMIT, sources: () => [] },
    ...options,
  });
}

async function listening(): Promise<number> {
  if (!service.app.server.listening) await service.app.listen({ host: "127.0.0.1", port: 0 });
  return (service.app.server.address() as { port: number }).port;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let times = 0; !isSo(); times++) {
    if (times > 500) throw new Error("it did not come about");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
