/** Starts a service from options, and stops it without losing anything. */
import { readFile, realpath } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import { createSecureContext } from "node:tls";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { LongWorkOptions } from "../../core/planning/index.ts";
import { removeLeftFolders } from "../../data/sources/index.ts";
import { fileAnchor, isLedgerAddress, openLedgerAt } from "../../publish/ledger/index.ts";
import { buildService } from "./app.ts";
import { Dashboard } from "./dashboard.ts";
import { DataFolders } from "./data-folders.ts";
import { makeDemo } from "./demo.ts";
import { DisposeStack } from "./dispose-stack.ts";
import { FirstLooks } from "./first-looks.ts";
import { GridAnswers, PlanCache } from "./grid-answers.ts";
import { GridReleases } from "./grid-releases.ts";
import { errorWithoutFolders } from "./hide-folders.ts";
import { JobRunner } from "./jobs.ts";
import type { ServedDataset } from "./rows.ts";
import { type LogLine, USUAL_LIMITS } from "./service-parts.ts";
import { lockState } from "./state-folder.ts";
import { ServiceStore } from "./store.ts";
import { Uploads } from "./uploads.ts";
import { runInThread } from "./worker-thread.ts";

export interface ServeOptions {
  /** Where the service keeps what it knows: tokens, datasets, plans, jobs, the ledger. */
  readonly state: string;
  /** Folders that records may be read from. */
  readonly data: readonly string[];
  /** The address of a database whose ledger other nodes share; a file in the state folder if absent. */
  readonly ledger?: string | undefined;
  /** Serve the demo's dataset as well; these options are for making it where it is missing. */
  readonly demo?: LongWorkOptions | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  /** A proxy in front speaks TLS and sets X-Forwarded-For. */
  readonly behindProxy?: boolean | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly concurrentJobs?: number | undefined;
  /** The largest file that may be sent. */
  readonly uploadBytes?: number | undefined;
  readonly tool: string;
  readonly log: (line: LogLine) => void;
}

export interface RunningService extends AsyncDisposable {
  readonly url: string;
  readonly store: ServiceStore;
}

const QUEUED_JOBS = 20;
/** For requests under way when the service stops. */
const GRACE_MS = 5_000;

export async function startService(options: ServeOptions): Promise<RunningService> {
  const host = options.host ?? "127.0.0.1";
  const https = await certificate(options);
  const { port = 0, behindProxy: trustProxy = false, tool } = options;
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new VeilgridError("PARAMETER_INVALID", `--port ${port} must be a whole number from 0 to 65535`);
  refuseOpenWire(host, https !== undefined || trustProxy);
  if (options.ledger !== undefined && !isLedgerAddress(options.ledger))
    throw new VeilgridError(
      "USAGE",
      `--ledger ${quoteForMessage(options.ledger)} is no address of a database, such as postgres://user@host/database; without it the ledger is a file in --state`,
    );
  await refuseOwnState(new DataFolders(options.data), options.state);
  const ledgerHeadFile = path.join(path.resolve(options.state), "ledger-head");
  const anchor = fileAnchor(ledgerHeadFile);
  const stack = new DisposeStack();
  try {
    // What nodes share is made by whoever gives it a budget: a slip in an address makes no second one, and no state folder.
    const shared = options.ledger === undefined ? undefined : stack.use(await openLedgerAt(options.ledger, { anchor }));
    const store = stack.use(ServiceStore.open(options.state, { create: true }));
    stack.use(lockState(store.folder));
    const data = options.demo === undefined ? options.data : [...options.data, await makeDemo(store, options.demo)];
    const limits = {
      ...USUAL_LIMITS,
      requestsPerMinute: options.requestsPerMinute ?? USUAL_LIMITS.requestsPerMinute,
      uploadBytes: options.uploadBytes ?? USUAL_LIMITS.uploadBytes,
    };
    const sources = (): string[] => store.datasets().map(({ source }) => source);
    const uploads = new Uploads({ state: store.folder, mostBytes: limits.uploadBytes, sources });
    await uploads.tidy();
    removeLeftFolders();
    const folders = new DataFolders(data, uploads.folder);
    const ledgerPlace = options.ledger ?? path.join(store.folder, "ledger.db");
    const ledger = shared ?? stack.use(await openLedgerAt(ledgerPlace, { create: true, anchor }));
    if (anchor.read() !== undefined) await ledger.datasets(); // holds it to the head that is kept
    await refuseOtherLedger(ledgerPlace, store);
    const planFile = (hash: string): string => store.planFile(hash);
    const log = (what: string): void =>
      options.log({ time: new Date().toISOString(), level: "error", event: "failure", what });
    const sourceOf = (dataset: ServedDataset): Promise<string> => sourceNow(store, folders, dataset);
    const releaser = new GridReleases({ ledgerPlace, ledgerHeadFile, planFile, sourceOf, log });
    const plans = new PlanCache(planFile);
    const answers = stack.use(new GridAnswers({ planOf: (hash) => plans.plan(hash), ledger, releaser }));
    const runTask = runInThread(log);
    const jobs = new JobRunner({
      ...{ store, runTask, log, concurrent: options.concurrentJobs ?? 2, queued: QUEUED_JOBS },
      folders: [...folders.paths, path.resolve(store.folder), await realpath(store.folder)],
      resolve: (source) => folders.resolve(source),
    });
    const looks = stack.use(new FirstLooks(runTask));
    const app = await buildService({
      ...{ store, ledger, ledgerPlace, ledgerHeadFile, folders, uploads, looks, jobs, answers },
      ...{ dashboard: Dashboard.read(), limits, log: options.log, now: () => new Date(), tool, trustProxy, https },
    });
    stack.defer(async () => {
      const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
      await app.close().finally(() => clearTimeout(cut));
    });
    // Jobs end before connections are waited for, so that their followers hear of it and leave.
    stack.use(jobs);
    await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
      throw new VeilgridError(
        "USAGE",
        `cannot listen on ${host} port ${port} (${error.code ?? "unknown reason"}); choose another with --host and --port`,
      );
    });
    const address = app.server.address() as { port: number };
    return {
      url: `${https === undefined ? "http" : "https"}://${isIP(host) === 6 ? `[${host}]` : host}:${address.port}`,
      store,
      [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
    };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}

/** The records of a dataset whose grids are about to be released: links may have changed, and so may the curator's mind. */
async function sourceNow(store: ServiceStore, folders: DataFolders, dataset: ServedDataset): Promise<string> {
  if (store.dataset(dataset.name)?.onlyReleased !== false)
    throw new VeilgridError("NOT_RELEASED", "the dataset answers from what is released only");
  return folders.resolve(dataset.source).catch((error: unknown) => {
    throw errorWithoutFolders(error, dataset.source);
  });
}

/** Datasets whose budgets are elsewhere would begin again with nothing spent. Read without the anchor: another ledger's head is nothing to keep. */
async function refuseOtherLedger(place: string, store: ServiceStore): Promise<void> {
  await using ledger = await openLedgerAt(place);
  const budgets = new Set((await ledger.datasets()).map(({ dataset }) => dataset));
  const missing = store.datasets().find(({ name }) => !budgets.has(name));
  if (missing === undefined) return;
  throw new VeilgridError(
    "LEDGER_CONFLICT",
    `dataset ${quoteForMessage(missing.name)} of this state folder has no budget in the ledger: it was served with another; give the same --ledger as before, or none if there was none`,
  );
}

/** Budgets and tokens are nothing to be read as records. */
async function refuseOwnState(folders: DataFolders, state: string): Promise<void> {
  const folder = path.resolve(state);
  // It may still have to be made, in a folder that is there.
  const real = await realpath(folder)
    .catch(async () => path.join(await realpath(path.dirname(folder)), path.basename(folder)))
    .catch(() => folder);
  const refusal = await folders.resolve(path.join(real, "service.db")).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refusal instanceof VeilgridError && refusal.code === "FORBIDDEN_PATH"))
    throw new VeilgridError("USAGE", "--state lies inside a folder of --data; keep them apart");
}

/** Tokens and answers do not travel in the clear past this machine. */
function refuseOpenWire(host: string, protectedOtherwise: boolean): void {
  const local = host === "localhost" || host === "::1" || /^127\./.test(host);
  if (local || protectedOtherwise) return;
  throw new VeilgridError(
    "USAGE",
    `--host ${quoteForMessage(host)} can be reached from elsewhere: give --tls-cert and --tls-key, or say --behind-proxy if a proxy in front speaks TLS`,
  );
}

async function certificate({ tlsCert, tlsKey }: ServeOptions): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new VeilgridError("USAGE", "--tls-cert and --tls-key go together");
  const read = (file: string): Promise<Buffer> =>
    readFile(file).catch(() => {
      throw new VeilgridError("INPUT_UNREADABLE", `cannot read ${quoteForMessage(file)}`);
    });
  const pair = { cert: await read(tlsCert), key: await read(tlsKey) };
  try {
    createSecureContext(pair);
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith("ERR_OSSL")) throw error;
    throw new VeilgridError(
      "INPUT_UNREADABLE",
      "--tls-cert or --tls-key is not in PEM, or they do not belong together",
    );
  }
  return pair;
}
