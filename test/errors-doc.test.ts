/** Holds docs/errors.md to the catalogue, and every message it shows to what the library really says. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { InjectOptions } from "fastify";
import { afterAll, expect, test } from "vitest";
import { plan, survey } from "../src/apps/operations/index.ts";
import type { ServiceLimits } from "../src/apps/service/index.ts";
import { DataFolders, ServiceStore } from "../src/apps/service/index.ts";
import { Rational } from "../src/core/arithmetic/index.ts";
import { ERRORS, type ErrorCode, VeilgridError } from "../src/core/errors/index.ts";
import { occupancyFromTriples } from "../src/core/occupancy/index.ts";
import { checkPlan, planText, readPlan } from "../src/core/planning/index.ts";
import { asEngineError } from "../src/data/engines/postgres/engine-errors.ts";
import { Ledger, MemoryStore, openLedgerFile } from "../src/publish/ledger/index.ts";
import { testService } from "./support/service.ts";

const document = readFileSync(new URL("../docs/errors.md", import.meta.url), "utf8");
const codes = Object.keys(ERRORS) as ErrorCode[];

/** The rows of the table whose header starts with these columns, cells without their code marks. */
function tableOf(...columns: string[]): string[][] {
  const lines = document.split("\n");
  const header = lines.findIndex((line) => line.startsWith(`| ${columns.join(" | ")} |`));
  const end = lines.findIndex((line, index) => index > header && !line.startsWith("|"));
  const rows = header < 0 ? [] : lines.slice(header + 2, end);
  return rows.map((row) =>
    row
      .slice(2, -2)
      .split(" | ")
      .map((cell) => cell.trim().replace(/^`(.*)`$/, "$1")),
  );
}

test("the table is the catalogue", () => {
  expect(tableOf("code", "exit", "HTTP", "meaning")).toEqual(
    codes.map((code) => {
      const { exitStatus, httpStatus, sentence } = ERRORS[code];
      return [code, String(exitStatus), String(httpStatus), sentence];
    }),
  );
});

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-errors-"));
const startedIn = process.cwd();
process.chdir(folder);
afterAll(() => {
  process.chdir(startedIn);
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(name, content);
  return name;
}

const header = "user,grid,count\n";
const buses = file("buses.csv", `${header}bus 1,Main St,9\nbus 2,Main St,3\nbus 1,Park,1\n`);
const options = { upper: "65", epsilon: "1" };
const made = await plan(buses, options);

mkdirSync("ledgers");
const dataset = { dataset: "buses", budget: Rational.ONE, occupancyIsPublic: true };
const release = {
  dataset: "buses",
  key: "2026-01",
  planHash: "4f1d7a9c03b2e6aa",
  header: "",
  parts: ["Main St"],
  chargesOf: () => [["bus 1", 6n * 10n ** 17n]] as const,
};

/** A ledger in which one release has spent 0.6 of 1. */
async function spentLedger(): Promise<Ledger> {
  const ledger = new Ledger(new MemoryStore());
  await ledger.init(dataset);
  await ledger.reserve(release);
  return ledger;
}

mkdirSync("data");
const served = {
  name: "buses",
  source: buses,
  recipe: {},
  bounds: "0,65",
  statistics: null,
  unit: null,
  plan: null,
  key: null,
  onlyReleased: false,
  created: "2026-01-05T08:00:00.000Z",
};

/** A service that serves the dataset already. */
function servingStore(): ServiceStore {
  const store = ServiceStore.open("state", { create: true });
  store.putDataset(served);
  return store;
}

/** What a service answers to an analyst. */
async function asked(request: InjectOptions, limits: Partial<ServiceLimits> = {}): Promise<void> {
  await using service = await testService({ limits });
  const headers = { authorization: `Bearer ${service.token("analyst")}` };
  const { code, message } = (await service.app.inject({ headers, ...request })).json().error;
  throw new VeilgridError(code, message);
}

/** How a user comes to see each code today. INTERNAL has none: it would be a mistake of ours. */
const TRIGGERS: Record<Exclude<ErrorCode, "INTERNAL">, () => unknown> = {
  USAGE: () => plan(buses, { upper: "65", strategy: "baseline" }),
  PARAMETER_INVALID: () => plan(buses, { upper: "65", epsilon: "0,5" }),
  INPUT_NOT_FOUND: () => survey("busses.csv"),
  INPUT_UNREADABLE: () => survey(file("cut.csv.gz", Uint8Array.of(0x1f, 0x8b, 8, 0))),
  INPUT_EMPTY: () => survey(file("empty.csv", "")),
  INPUT_MALFORMED: () => survey(file("negative.csv", `${header}bus 1,Main St,9\nbus 2,Main St,-3\n`)),
  INPUT_TOO_LARGE: () => survey(file("huge.csv", `${header}bus 1,Main St,4294967295\nbus 1,Main St,1\n`)),
  ENGINE_UNAVAILABLE: () =>
    survey("postgres://127.0.0.1:1/traffic?table=trips", { records: { user: "bus", value: "speed", by: "stop" } }),
  ENGINE_UNSUPPORTED: () => {
    // As the client has it from a server that follows another one.
    throw asEngineError(Object.assign(new Error(), { severity: "ERROR", code: "25006" }), "postgres://standby/traffic");
  },
  ERROR_BOUND_TOO_LOW: () => plan(buses, { ...options, strategy: "clip-user", errorBound: "100" }),
  PLAN_MALFORMED: () => readPlan("{}", "plan.json"),
  PLAN_ALTERED: () => readPlan(planText(made.plan).replace('"lossSimple":"', '"lossSimple":"1'), "plan.json"),
  PLAN_MISMATCH: () => checkPlan(occupancyFromTriples([["bus 1", "Main St", 10]]), made.plan),
  LEDGER_NOT_FOUND: () => openLedgerFile("ledger.db"),
  LEDGER_UNAVAILABLE: () => openLedgerFile("ledgers"),
  LEDGER_CONFLICT: async () => (await spentLedger()).init(dataset),
  BUDGET_EXCEEDED: async () => (await spentLedger()).reserve({ ...release, key: "2026-02" }),
  KEY_CONFLICT: async () => (await spentLedger()).reserve({ ...release, planHash: "b07c55e1d2f39a10" }),
  RESERVATION_VOID: async () => (await spentLedger()).commit({ ...release, parts: [["Park", "{}"]] }),
  UNAUTHENTICATED: () => asked({ url: "/v1/me", headers: {} }),
  FORBIDDEN: () => asked({ url: "/v1/jobs" }),
  FORBIDDEN_PATH: () => new DataFolders(["data"]).resolve("../buses.csv"),
  NOT_FOUND: () => asked({ url: "/v1/published/trams/grids" }),
  NOT_RELEASED: () => asked({ url: "/v1/published/buses/grids/stop%200" }),
  DATASET_EXISTS: () => {
    using store = servingStore();
    store.putDataset(served);
  },
  BODY_TOO_LARGE: () => asked({ method: "POST", url: "/v1/session", payload: { code: "x".repeat(100_000) } }),
  RATE_LIMITED: () => asked({ url: "/v1/me" }, { requestsPerMinute: 0 }),
  BUSY: async () => {
    await using service = await testService({
      runTask: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
    });
    for (;;) service.jobs.start("buses", {}, { kind: "survey", source: "", recipe: {} });
  },
  OUTPUT_FAILED: () => plan(buses, options, { out: "nowhere/plan.json" }),
  CANCELLED: () => plan(buses, options, { signal: AbortSignal.abort() }),
};

test("every code that can be seen has an example", () => {
  const shown = tableOf("code", "message").map(([code]) => code);
  expect(shown).toEqual(codes.filter((code) => code !== "INTERNAL"));
});

test.each(Object.entries(TRIGGERS))("%s says what the document shows", async (code, trigger) => {
  const error = await (async () => trigger())().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(VeilgridError);
  const { message } = error as VeilgridError;
  expect((error as VeilgridError).code).toBe(code);
  const shown = tableOf("code", "message").find((row) => row[0] === code)?.[1];
  expect(shown).toBe(message);
});
