/** A typed client of the service: one method per route, over whatever `fetch` there is. */
import { type Api, OPERATIONS } from "./api.ts";

const BYTES = "application/octet-stream";

export interface ClientOptions {
  /** Of the service: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** `vg_…`; public routes need none. */
  readonly token?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** What the service answered instead. */
export class ServiceFailure extends Error {
  readonly status: number;
  /** Of docs/errors.md. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "ServiceFailure";
    this.status = status;
    this.code = code;
  }
}

/** Arguments of any route: what its path, query and body take. */
export interface CallArguments {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export function createClient(options: ClientOptions): Api {
  const call = (name: keyof typeof OPERATIONS) => (given?: CallArguments) =>
    callRoute(options, OPERATIONS[name], given);
  const names = Object.keys(OPERATIONS) as Array<keyof typeof OPERATIONS>;
  return Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as Api;
}

async function callRoute(
  options: ClientOptions,
  route: readonly [method: string, path: string],
  given?: CallArguments,
): Promise<unknown> {
  return contentOf(await openRoute(options, route, given));
}

/** An answer whose body is still to be read; a refusal is thrown. */
export async function openRoute(
  { url, token, fetch: fetcher = fetch }: ClientOptions,
  [method, pattern]: readonly [method: string, path: string],
  { params = {}, query = {}, body, signal }: CallArguments = {},
): Promise<Response> {
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const asked = search.size === 0 ? path : `${path}?${search}`;
  const answer = await fetcher(new URL(asked, url), {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": areBytes(body) ? BYTES : "application/json" }),
    },
    ...(body === undefined ? {} : { body: areBytes(body) ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.ok) return answer;
  const content = await contentOf(answer);
  const { code = "INTERNAL", message = `status ${answer.status}` } =
    (content as { error?: { code?: string; message?: string } } | undefined)?.error ?? {};
  throw new ServiceFailure(answer.status, code, message);
}

async function contentOf(answer: Response): Promise<unknown> {
  return /json/.test(answer.headers.get("content-type") ?? "") ? answer.json() : answer.text();
}

function areBytes(body: unknown): body is Blob | ArrayBuffer {
  return body instanceof Blob || body instanceof ArrayBuffer || body instanceof Uint8Array;
}
