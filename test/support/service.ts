/** A service without sockets or threads, for tests of its routes: real store, ledger and tokens; jobs and answers that are told what to do. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { plan } from "../../src/apps/operations/index.ts";
import { buildService } from "../../src/apps/service/app.ts";
import type { Dashboard } from "../../src/apps/service/dashboard.ts";
import { DataFolders } from "../../src/apps/service/data-folders.ts";
import { DisposeStack } from "../../src/apps/service/dispose-stack.ts";
import { FirstLooks, lookAtSource } from "../../src/apps/service/first-looks.ts";
import { GridAnswers, type GridReleaser, PlanCache } from "../../src/apps/service/grid-answers.ts";
import { GridReleases } from "../../src/apps/service/grid-releases.ts";
import { JobRunner } from "../../src/apps/service/jobs.ts";
import type { ServiceApp } from "../../src/apps/service/route.ts";
import { type LogLine, type ServiceLimits, USUAL_LIMITS } from "../../src/apps/service/service-parts.ts";
import { ServiceStore } from "../../src/apps/service/store.ts";
import type { LookTask, RunTask } from "../../src/apps/service/tasks.ts";
import { createToken } from "../../src/apps/service/tokens.ts";
import { Uploads } from "../../src/apps/service/uploads.ts";
import { Rational } from "../../src/core/arithmetic/index.ts";
import { planText } from "../../src/core/planning/index.ts";
import { type Ledger, openLedgerFile } from "../../src/publish/ledger/index.ts";

export const RECORDS = [
  "bus,stop,speed",
  ...Array.from({ length: 60 }, (_, row) => `b${row % 12},stop ${row % 3},${(row * 7) % 65}`),
].join("\n");

export const RECIPE = { user: "bus", value: "speed", by: "stop" } as const;

export interface TestService extends AsyncDisposable {
  readonly app: ServiceApp;
  readonly store: ServiceStore;
  readonly jobs: JobRunner;
  readonly folder: string;
  readonly logged: LogLine[];
  token(role: "curator" | "analyst", datasets?: readonly string[]): string;
  /** With a plan of its records made and chosen. */
  readonly dataset: string;
  readonly plan: string;
  readonly grids: readonly string[];
}

/** Dataset `buses` is registered, planned and open to questions. */
export async function testService(
  options: {
    readonly runTask?: RunTask;
    /** In place of looking in this thread. */
    readonly runLook?: RunTask<LookTask>;
    readonly limits?: Partial<ServiceLimits>;
    readonly budget?: Rational;
    readonly dashboard?: Dashboard;
    /** In place of threads that release grids from the ledger's file. */
    readonly releaser?: GridReleaser;
    /** In place of the one in a file. */
    readonly ledger?: Ledger;
  } = {},
): Promise<TestService> {
  const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-service-"));
  const data = path.join(folder, "data");
  mkdirSync(data);
  const source = path.join(data, "buses.csv");
  writeFileSync(source, `${RECORDS}\n`);
  const stack = new DisposeStack();
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const store = stack.use(ServiceStore.open(path.join(folder, "state"), { create: true }));
  const ledgerPlace = path.join(store.folder, "ledger.db");
  const ledgerHeadFile = path.join(store.folder, "ledger-head");
  const ledger = stack.use(options.ledger ?? (await openLedgerFile(ledgerPlace, { create: true })));
  const made = await plan(source, { bounds: "0,65", strategy: "baseline", epsilon: "1", records: RECIPE });
  const created = new Date(0).toISOString();
  await store.putPlan({ hash: made.plan.hash, dataset: "buses", created, summary: made.summary }, planText(made.plan));
  await ledger.init({ dataset: "buses", budget: options.budget ?? Rational.of(20), occupancyIsPublic: true });
  const { hash, grids } = made.plan;
  const settings = { bounds: "0,65", statistics: null, unit: "km/h", onlyReleased: false, created };
  store.putDataset({ name: "buses", source, recipe: RECIPE, plan: hash, key: hash, ...settings });
  const planFile = (each: string): string => store.planFile(each);
  const sourceOf = async (dataset: { readonly source: string }): Promise<string> => dataset.source;
  const releaser = options.releaser ?? new GridReleases({ ledgerPlace, ledgerHeadFile, planFile, sourceOf });
  const plans = new PlanCache(planFile);
  const answers = stack.use(new GridAnswers({ planOf: (each) => plans.plan(each), ledger, releaser, tickMs: 1 }));
  const jobs = stack.use(
    new JobRunner({ store, concurrent: 1, queued: 2, runTask: options.runTask ?? (async () => ({ surveyed: true })) }),
  );
  const limits = { ...USUAL_LIMITS, requestsPerMinute: 1_000_000, anonymousPerMinute: 1_000_000, ...options.limits };
  const sources = (): string[] => store.datasets().map((each) => each.source);
  const uploads = new Uploads({ state: store.folder, mostBytes: limits.uploadBytes, sources });
  const looks = stack.use(new FirstLooks(options.runLook ?? lookAtSource));
  const logged: LogLine[] = [];
  const app = await buildService({
    store,
    ledger,
    ledgerPlace,
    ledgerHeadFile,
    folders: new DataFolders([data], uploads.folder),
    uploads,
    looks,
    jobs,
    answers,
    dashboard: options.dashboard,
    limits,
    log: (line) => void logged.push(line),
    now: () => new Date(),
    tool: "veilgrid 0.0.0",
    trustProxy: false,
  });
  stack.defer(() => app.close());
  return {
    app,
    store,
    jobs,
    folder,
    logged,
    dataset: "buses",
    plan: hash,
    grids,
    token: (role, datasets) => createToken(store, { name: "test", role, datasets }, new Date()).token,
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}
