/** Requests made from the service's own description, with what routes are not made for in every place: `http`. */
import type { SeededRandom } from "../../test/support/random.ts";
import {
  answerTrouble,
  ledgerTrouble,
  putAway,
  refusedIfSo,
  type ServiceAtBench,
  serviceAtBench,
} from "./http-answers.ts";
import { asInput, type FuzzTarget, oneOf } from "./target.ts";

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly queries: readonly string[];
  readonly body: Schema | undefined;
}

/** As data, so that it can be kept: `$dataset`, `$plan`, `$grid` and `$job` stand for some that exist. */
interface HttpCase {
  readonly caller: "curator" | "analyst" | "elsewhere" | "nobody" | "forger";
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const HOSTILE = [
  ...["", "0", "-1", "1e999", "NaN", "null", "true", "[]", "{}", '"', "'", "\\", "/", "..", "../../etc/passwd", "."],
  ...[
    "%",
    "%00",
    "%2e%2e%2f",
    "%zz",
    "%c0%ae",
    "%ff",
    "\u0000",
    "\ufeff",
    "\u202e",
    "\ud83d",
    "é",
    "😀",
    "a\r\nx-injected: 1",
  ],
  ...[
    "%0d%0ax-injected:%201",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "$(x)",
    "`",
    "<script>",
    "{plan}",
  ],
  ...["'; DROP TABLE tokens; --", "file:///etc/passwd", "postgres://a:hunter2@h/x", "~root", "CON", "x".repeat(300)],
  ...[
    "9".repeat(400),
    "y".repeat(5000),
    "buses.csv",
    "buses",
    "evil",
    "0,65",
    "0.5",
    "1/3",
    "mean,variance",
    "*",
    "*.csv",
  ],
];
const KNOWN = ["$dataset", "$plan", "$grid", "$job", "trams"];
const TYPES = [
  ...["application/json", "application/json; charset=utf-8", "application/json;charset=utf-16", "text/plain", ""],
  ...[
    "application/octet-stream",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "a/b; \u00e9",
  ],
];
const HEADERS: ReadonlyArray<readonly [string, string]> = [
  ["accept", "*/*"],
  ["accept-encoding", "gzip, br, identity;q=0"],
  ["if-none-match", '"x"'],
  ["x-forwarded-for", "127.0.0.1, $(x)"],
  ["x-http-method-override", "DELETE"],
  ["origin", "null"],
  ["host", "evil.example:99999"],
  ["content-length", "0"],
  ["content-encoding", "gzip"],
  ["cookie", "token=x"],
  ["expect", "100-continue"],
  ["range", "bytes=0-0"],
];

/** The routes that the service says it has. */
function operationsOf({ service }: ServiceAtBench): Operation[] {
  const { paths } = service.app.swagger() as unknown as {
    paths: Record<
      string,
      Record<
        string,
        {
          parameters?: ReadonlyArray<{ in: string; name: string }>;
          requestBody?: { content: Record<string, { schema: Schema }> };
        }
      >
    >;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      queries: parameters.filter((each) => each.in === "query").map(({ name }) => name),
      body: requestBody?.content["application/json"]?.schema,
    })),
  );
}

class RequestMaker {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  make(operations: readonly Operation[]): HttpCase {
    const operation = oneOf(this.#random, operations);
    const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    const method = this.#seldom(12) ? oneOf(this.#random, methods) : operation.method;
    const hasBody = (method !== "GET" && method !== "HEAD") || this.#seldom(20);
    const headers = Object.fromEntries([
      ...(this.#seldom(4) ? [oneOf(this.#random, HEADERS)] : []),
      ...(hasBody ? [["content-type", this.#seldom(10) ? oneOf(this.#random, TYPES) : "application/json"]] : []),
    ]) as Record<string, string>;
    return {
      caller: oneOf(this.#random, [
        "curator",
        "curator",
        "curator",
        "analyst",
        "analyst",
        "elsewhere",
        "nobody",
        "forger",
      ]),
      method,
      url: this.#url(operation),
      headers,
      body: hasBody ? this.#body(operation.body) : null,
    };
  }

  #seldom(of: number): boolean {
    return this.#random.below(of) === 0;
  }

  #text(): string {
    return this.#seldom(3) ? oneOf(this.#random, KNOWN) : oneOf(this.#random, HOSTILE);
  }

  /** In a path or a query: encoded as it should be, or as it comes. */
  #piece(text: string): string {
    if (this.#seldom(6)) return text;
    return text.startsWith("$") ? text : encodeURIComponent(text.toWellFormed());
  }

  #url({ path, queries }: Operation): string {
    let url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      this.#seldom(3) ? this.#piece(this.#text()) : KNOWN.includes(`$${name}`) ? `$${name}` : this.#piece(this.#text()),
    );
    if (this.#seldom(25))
      url = url.replace(/\/(?=[^/]*$)/, oneOf(this.#random, ["//", "/./", "/../", "/%2e%2e/", "\\"]));
    const asked = queries.filter(() => !this.#seldom(3));
    if (this.#seldom(12)) asked.push(oneOf(this.#random, ["x", "__proto__", "name[]", "%"]));
    if (asked.length === 0) return url;
    const value = (name: string): string => oneOf(this.#random, USUAL.get(name) ?? HOSTILE);
    return `${url}?${asked.map((name) => `${name}=${this.#piece(this.#seldom(3) ? this.#text() : value(name))}`).join("&")}`;
  }

  #body(schema: Schema | undefined): string {
    if (this.#seldom(30)) return "z".repeat(1 + this.#random.below(70_000));
    if (this.#seldom(30)) return `${"[".repeat(5000)}${"]".repeat(5000)}`;
    const text = JSON.stringify(schema === undefined ? this.#any(2) : this.#of(schema, "", 0));
    if (!this.#seldom(8)) return text;
    const at = this.#random.below(text.length + 1);
    return oneOf(this.#random, [
      text.slice(0, at),
      `${text.slice(0, at)}${this.#text()}${text.slice(at)}`,
      `${text}${text}`,
      text.replace("{", '{"__proto__":{"admin":true},'),
      `\ufeff${text}`,
    ]);
  }

  /** Of the schema mostly; now and then of another type, with fields too many or too few. */
  #of(schema: Schema, name: string, depth: number): unknown {
    if (this.#seldom(14)) return this.#any(2);
    if (schema.const !== undefined) return schema.const;
    if (schema.anyOf !== undefined) return this.#of(oneOf(this.#random, schema.anyOf), name, depth);
    if (schema.properties !== undefined) {
      const fields = Object.entries(schema.properties).filter(() => !this.#seldom(depth === 0 ? 4 : 2));
      const made = fields.map(([field, each]) => [field, this.#of(each, field, depth + 1)] as const);
      return Object.fromEntries(this.#seldom(15) ? [...made, ["extra", this.#any(1)]] : made);
    }
    if (schema.type === "boolean") return this.#seldom(2);
    if (schema.type === "integer" || schema.type === "number") return this.#random.below(100);
    return this.#seldom(4) ? this.#text() : oneOf(this.#random, USUAL.get(name) ?? ["0.5", "mean", "$plan"]);
  }

  #any(depth: number): unknown {
    const draw = this.#random.below(depth > 0 ? 8 : 6);
    if (draw === 6) return Array.from({ length: this.#random.below(4) }, () => this.#any(depth - 1));
    if (draw === 7) return { [this.#text()]: this.#any(depth - 1) };
    return [null, true, -0.5, 1e300, this.#text(), ""][draw];
  }
}

/** What fields and queries usually hold. */
const USUAL: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    name: ["evil", "trams", "buses", "more.csv"],
    source: ["buses.csv", "nothing.csv", "../data/buses.csv"],
    user: ["bus", "stop"],
    value: ["speed", "bus"],
    by: ["stop", "stop,bus", "line"],
    bounds: ["0,65", "65,0", "0,0"],
    statistics: ["mean", "mean,variance", "share:50"],
    budget: ["1", "20", "25", "0.5"],
    reason: ["a second year"],
    plan: ["$plan", "0".repeat(64)],
    key: ["$plan", "march"],
    loss: ["1", "0.5,1", "2/52"],
    error: ["100", "mean=2"],
    epsilon: ["1", "0.1,1"],
    strategy: ["frontier", "baseline", "clip-user"],
    format: ["csv", "json", "geojson", "html"],
    confidence: ["0.9", ".99", "0.0", "1"],
    h3: ["7", "7,8", "99"],
    slot: ["1h", "1d", "0h"],
    tz: ["UTC", "Europe/Vienna", "Nowhere"],
    code: ["vg_aaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
  }),
);

export interface HttpState extends ServiceAtBench {
  readonly operations: readonly Operation[];
}

async function requestTrouble(state: HttpState, request: HttpCase): Promise<string | undefined> {
  const { service, tokens } = state;
  const known: Readonly<Record<string, string>> = {
    $dataset: service.dataset,
    $plan: service.plan,
    $grid: encodeURIComponent(service.grids[request.url.length % service.grids.length]!),
    $job: service.store.jobs()[0]?.id ?? "none",
  };
  const filled = (text: string): string => text.replace(/\$(dataset|plan|grid|job)/g, (name) => known[name]!);
  const token =
    request.caller === "forger"
      ? `${tokens.curator.slice(0, -4)}AAAA`
      : request.caller === "nobody"
        ? undefined
        : tokens[request.caller];
  const answer = await within(20_000, () =>
    service.app.inject({
      method: request.method as "GET",
      url: filled(request.url),
      headers: { ...request.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(request.body === null ? {} : { payload: filled(request.body) }),
    }),
  );
  if (answer === undefined) return "is not answered";
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
  const isCurator = request.caller === "curator" || request.caller === "elsewhere";
  const told = { status: answer.statusCode, headers, body: answer.body };
  const trouble =
    answerTrouble(state, told, isCurator) ??
    (await ledgerTrouble(state, { mayCharge: request.caller !== "nobody" && request.caller !== "forger" }));
  return trouble ?? refusedIfSo([told]);
}

async function within<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

export const http: FuzzTarget<HttpState> = {
  prepare: async () => {
    const bench = await serviceAtBench();
    return Object.assign(bench, { operations: operationsOf(bench) });
  },
  generate: (random, _, { operations }) => asInput(new RequestMaker(random).make(operations)),
  try: (input, state) => requestTrouble(state, JSON.parse(input.toString("utf8")) as HttpCase),
  finish: putAway,
};
