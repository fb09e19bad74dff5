/** `veilgrid serve`: the HTTP service. */
import { VeilgridError } from "../../core/errors/index.ts";
import { command, numberOption } from "./command.ts";

const DEFAULT_STATE = "veilgrid-state";
const DEMO_STATE = "veilgrid-demo";
const DEFAULT_PORT = 8080;

export const serveCommand = command({
  name: "serve",
  summary: "an HTTP service: curators plan and release, analysts ask grid by grid",
  options: {
    state: {
      takes: "<folder>",
      help: `what the service knows: tokens, datasets, plans, jobs, ledger, files sent to it`,
      default: `${DEFAULT_STATE}; with --demo: ${DEMO_STATE}`,
    },
    data: {
      takes: "<folders>",
      help: "folders and database tables that records may be read from, separated by commas; besides these only files that curators send",
    },
    ledger: {
      takes: "<address>",
      help: "postgres://user@host/database: budgets that several services share",
      default: "a file in --state",
    },
    host: { takes: "<address>", help: "where to listen", default: "127.0.0.1, this machine only" },
    port: { takes: "<n>", help: ``, default: `${DEFAULT_PORT}; 0: any that is free` },
    tlsCert: { takes: "<file>", help: "certificate in PEM, to speak HTTPS; with --tls-key" },
    tlsKey: { takes: "<file>", help: "its private key" },
    behindProxy: { help: "a proxy in front speaks TLS and says who is calling" },
    requestsPerMinute: { takes: "<n>", help: "of one token", default: "1200" },
    jobs: { takes: "<n>", help: "jobs at the same time", default: "2" },
    uploadLimit: { takes: "<gb>", help: "the largest file that curators may send, in GB", default: "4" },
    demo: { help: "with a simulated city, surveyed, a plan and a budget, and a code for a curator's token" },
  },
  words: [
    "curator: registers data, plans, releases, sees budgets. analyst: sees released statistics and asks for grids",
    "a token says which of the two a caller is: veilgrid token create --help",
    "the dashboard is at /; the API: /docs for people, /openapi.json for programs; docs/service.md has a walk through it with curl",
  ],
  examples: [
    "veilgrid serve --demo",
    "veilgrid token create --state veilgrid-state --role curator --name me",
    "veilgrid serve --state veilgrid-state --data records/",
    "veilgrid serve --state node-1 --data records/ --ledger postgres://veilgrid@db.example/budgets",
    "veilgrid serve --data 'postgres://reader@db/traffic?table=trips'",
  ],
  async run(_, options, context) {
    const demo = options.demo;
    const state = options.state ?? (demo ? DEMO_STATE : DEFAULT_STATE);
    const data = (options.data ?? "").split(",").filter((folder) => folder !== "");
    if (!demo && data.length === 0)
      throw new VeilgridError(
        "USAGE",
        "--data is missing: the folders, or the addresses of tables, that records may be read from",
      );
    if (demo && options.ledger !== undefined)
      throw new VeilgridError("USAGE", "--demo brings a ledger of its own; leave out --ledger");
    const { createToken, startService } = await import("../service/index.ts");
    const { toolVersion } = await import("../operations/index.ts");
    const service = await startService({
      state,
      data,
      ledger: options.ledger,
      demo: demo ? context.work : undefined,
      host: options.host,
      port: number(options.port, "--port") ?? DEFAULT_PORT,
      tlsCert: options.tlsCert,
      tlsKey: options.tlsKey,
      behindProxy: options.behindProxy,
      requestsPerMinute: number(options.requestsPerMinute, "--requests-per-minute"),
      concurrentJobs: number(options.jobs, "--jobs"),
      uploadBytes: gigabytes(options.uploadLimit),
      tool: toolVersion(),
      log: (line) => context.err(`${JSON.stringify(line)}\n`),
    });
    try {
      context.out(`veilgrid serves ${service.url} (stop it with Ctrl-C)\n`);
      if (demo) {
        const request = { name: "demo", role: "curator", oneTime: true, expiresDays: 1 };
        const { token } = createToken(service.store, request, new Date());
        context.out(`open ${service.url}/#code=${token} for a curator's token (once)\n`);
      }
      await aborted(context.work.signal);
      context.note("stopping: no new requests, jobs are interrupted, what is charged stays charged");
    } finally {
      await service[Symbol.asyncDispose]();
    }
  },
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
}

function gigabytes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = numberOption(text, "--upload-limit");
  if (!(value > 0 && value <= 1_000_000))
    throw new VeilgridError("PARAMETER_INVALID", `--upload-limit ${text} must be a number of GB above 0, such as 0.5`);
  return Math.floor(value * 2 ** 30);
}

function number(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const value = numberOption(text, flag);
  if (!Number.isInteger(value) || value < 0)
    throw new VeilgridError("PARAMETER_INVALID", `${flag} ${text} must be a whole number, 0 or more`);
  return value;
}
