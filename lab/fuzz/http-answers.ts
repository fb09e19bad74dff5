/** What an answer of the service must be, whatever was asked, and what may have become of the ledger. */
import { statSync } from "node:fs";
import path from "node:path";
import type { LogLine } from "../../src/apps/service/service-parts.ts";
import { ERRORS, type ErrorCode, VeilgridError } from "../../src/core/errors/index.ts";
import { type Ledger, openLedgerFile } from "../../src/publish/ledger/index.ts";
import { type TestService, testService } from "../../test/support/service.ts";

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: string;
}

export interface ServiceAtBench {
  readonly service: TestService;
  readonly ledger: Ledger;
  readonly tokens: Readonly<Record<"curator" | "analyst" | "elsewhere", string>>;
  /** Of the ledger's file when it was last looked at. */
  ledgerChanged: bigint;
  /** Lines of the audit trails by dataset. */
  trails: Map<string, string[]>;
}

export async function serviceAtBench(): Promise<ServiceAtBench> {
  const service = await testService();
  const place = ledgerPlace(service);
  const bench = {
    service,
    ledger: await openLedgerFile(place, { readOnly: true }),
    tokens: {
      curator: service.token("curator"),
      analyst: service.token("analyst", [service.dataset]),
      elsewhere: service.token("curator", ["trams"]),
    },
    ledgerChanged: statSync(place, { bigint: true }).mtimeNs,
    trails: new Map(),
  };
  bench.trails = await trailsOf(bench.ledger);
  return bench;
}

export async function putAway({ service, ledger }: ServiceAtBench): Promise<void> {
  await ledger[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
}

function ledgerPlace({ store }: TestService): string {
  return path.join(store.folder, "ledger.db");
}

async function trailsOf(ledger: Ledger): Promise<Map<string, string[]>> {
  const standings = await ledger.show();
  return new Map(standings.map(({ dataset, trail }) => [dataset, trail.map(({ kind, what }) => `${kind} ${what}`)]));
}

/** Names in capitals and low, as they come over the wire. */
const HEADERS = new Set([
  ...["content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy", "cache-control"],
  ...["cross-origin-resource-policy", "cross-origin-opener-policy", "content-type", "content-length", "date", "vary"],
  ...["connection", "keep-alive", "transfer-encoding", "www-authenticate", "retry-after", "etag", "content-encoding"],
  ...["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "content-disposition"],
]);

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const INSIDES = /node_modules|\bat .*\.[jt]s\b|\.[jt]s:\d+|root:x|\bError:|SQLITE|libsql|HPE_/;

/** What is wrong with one answer; undefined if nothing is. */
export function answerTrouble({ service }: ServiceAtBench, answer: Answer, isCurator: boolean): string | undefined {
  const { status, headers, body } = answer;
  for (const [name, value] of headers) {
    if (!HEADERS.has(name.toLowerCase())) return `has a header ${JSON.stringify(name)}`;
    if (CONTROLS.test(value)) return `has control characters in its header ${name}`;
  }
  const header = (wanted: string): string => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";
  const isJson = /^application\/json\b/.test(header("content-type"));
  if (header("x-content-type-options") !== "nosniff") return `${status}: may be sniffed`;
  const paths = [service.folder, process.cwd()];
  if ((status >= 400 || !isCurator) && paths.some((each) => body.includes(each)))
    return `${status}: tells where files lie`;
  if (status < 400) {
    if (![200, 201, 202, 204, 304].includes(status)) return `answers with ${status}`;
    return isJson && !isParsed(body) ? `${status}: is no JSON` : undefined;
  }
  // The answer to HEAD has no body.
  if (isJson && body === "" && status < 500) return undefined;
  if (!isJson || !isParsed(body)) return `${status}: refuses, but not in JSON: ${JSON.stringify(body.slice(0, 200))}`;
  const { error, ...rest } = JSON.parse(body) as { error?: { code?: string; message?: string } };
  const entry = ERRORS[error?.code as ErrorCode] as (typeof ERRORS)[ErrorCode] | undefined;
  if (entry === undefined || Object.keys(rest).length > 0 || Object.keys(error!).sort().join() !== "code,message")
    return `${status}: refuses in another form: ${body.slice(0, 200)}`;
  if (entry.httpStatus !== status) return `${error!.code} comes with ${status}`;
  if (status >= 500 && error!.code !== "BUSY") return `fails: ${body}`;
  const message = error!.message!;
  if (CONTROLS.test(message) || message.length > 1000 || message.length === 0) return `is no clear line: ${body}`;
  return INSIDES.test(message) ? `tells of its insides: ${body}` : undefined;
}

/** So that it is counted: answers that are all refusals. */
export function refusedIfSo(answers: readonly Answer[]): undefined {
  if (answers.length === 0 || answers.some(({ status }) => status < 400)) return;
  const { error } = JSON.parse(answers[0]!.body || "{}") as { error?: { code: ErrorCode; message: string } };
  throw new VeilgridError(error?.code ?? "PARAMETER_INVALID", error?.message ?? "refused");
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Which route may leave which line in the ledger. */
const MAY_LEAVE: Readonly<Record<string, readonly string[]>> = {
  "POST /v1/published/:dataset/grids/:grid": ["reserve", "commit"],
  "POST /v1/datasets/:dataset/ledger/raise": ["raise"],
  "POST /v1/datasets/:dataset/ledger/void": ["void"],
  "POST /v1/datasets": ["init"],
};

/** Whatever is new in the ledger was asked for by someone who may, on the route for it, and answered; or by someone who has left since. */
export async function ledgerTrouble(
  bench: ServiceAtBench,
  { mayCharge, left = [] }: { readonly mayCharge: boolean; readonly left?: readonly string[] },
): Promise<string | undefined> {
  const logged: LogLine[] = bench.service.logged.splice(0);
  const { mtimeNs } = statSync(ledgerPlace(bench.service), { bigint: true });
  if (mtimeNs === bench.ledgerChanged) return undefined;
  const trails = await trailsOf(bench.ledger);
  const before = bench.trails;
  bench.ledgerChanged = mtimeNs;
  bench.trails = trails;
  const allowed = new Set(
    logged.flatMap(({ method, route, status, token }) =>
      Number(status) < 300 && token !== null ? (MAY_LEAVE[`${method} ${route}`] ?? []) : [],
    ),
  );
  for (const [dataset, lines] of trails) {
    const known = before.get(dataset) ?? [];
    if (known.some((line, index) => lines[index] !== line)) return "the ledger's past has changed";
    for (const line of lines.slice(known.length)) {
      const kind = line.split(" ")[0]!;
      if (!(mayCharge && allowed.has(kind)) && !left.includes(kind))
        return `the ledger has a new line that nobody may have asked for: ${line}`;
    }
  }
  return undefined;
}
