/** Bytes that are nearly HTTP, over a socket: `http-bytes`. Each connection is answered in the service's form or closed, and the next is served. */
import { connect } from "node:net";
import type { SeededRandom } from "../../test/support/random.ts";
import {
  type Answer,
  answerTrouble,
  ledgerTrouble,
  putAway,
  refusedIfSo,
  type ServiceAtBench,
  serviceAtBench,
} from "./http-answers.ts";
import type { FuzzTarget } from "./target.ts";

export interface HttpBytesState extends ServiceAtBench {
  readonly port: number;
  /** Inputs for which what callers asked for before they left may still come to be: a question, a change by a curator. */
  afterQuestion: number;
  afterChange: number;
}

/** More than are tried while a release takes its time. */
const LINGERING = 500;

/** Longer than anything the service waits for on a connection that says it has sent all. */
const LONGEST_MS = 20_000;

/** Sends bytes in a few pieces, says that this is all, and takes what comes until the other end closes; undefined if it does not. */
function exchange(port: number, bytes: Buffer, random: SeededRandom): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = connect(port, "127.0.0.1");
    const timer = setTimeout(() => {
      socket.destroy();
      resolve(undefined);
    }, LONGEST_MS);
    const done = (): void => {
      clearTimeout(timer);
      resolve(Buffer.concat(received));
    };
    socket.on("data", (chunk) => received.push(chunk));
    // What was refused before it was read is reset.
    socket.on("error", () => undefined);
    socket.on("close", done);
    socket.setNoDelay(true);
    const cut = random.below(bytes.length + 1);
    socket.write(bytes.subarray(0, cut), () => socket.end(bytes.subarray(cut)));
  });
}

/** The answers one after another; undefined if the bytes are not that. */
function answersIn(bytes: Buffer): Answer[] | undefined {
  const answers: Answer[] = [];
  for (let rest = bytes.toString("latin1"); rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    const head = /^HTTP\/1\.1 (\d{3}) [A-Za-z' -]+\r\n/.exec(rest);
    if (end < 0 || head === null) return undefined;
    const headers = rest
      .slice(head[0].length, Math.max(end, head[0].length))
      .split("\r\n")
      .filter((line) => line !== "")
      .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
    if (headers.some(([, value]) => value === undefined)) return undefined;
    rest = rest.slice(end + 4);
    const status = Number(head[1]);
    if (status === 100) continue;
    const header = (wanted: string): string | undefined => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
    const taken =
      header("transfer-encoding") === "chunked" ? unchunked(rest) : upTo(rest, Number(header("content-length") ?? 0));
    if (taken === undefined) return undefined;
    answers.push({ status, headers, body: Buffer.from(taken.body, "latin1").toString("utf8") });
    rest = taken.rest;
  }
  return answers;
}

interface Taken {
  readonly body: string;
  readonly rest: string;
}

/** Of an answer to HEAD there is a length and no body: what follows is the next answer, or nothing. */
function upTo(text: string, length: number): Taken | undefined {
  if (text === "" || text.startsWith("HTTP/1.1 ")) return { body: "", rest: text };
  return text.length < length ? undefined : { body: text.slice(0, length), rest: text.slice(length) };
}

function unchunked(text: string): Taken | undefined {
  let body = "";
  for (let rest = text; ; ) {
    const size = /^([0-9a-f]+)\r\n/.exec(rest);
    if (size === null) return undefined;
    const length = Number.parseInt(size[1]!, 16);
    rest = rest.slice(size[0].length);
    if (rest.slice(length, length + 2) !== "\r\n") return undefined;
    body += rest.slice(0, length);
    rest = rest.slice(length + 2);
    if (length === 0) return { body, rest };
  }
}

async function bytesTrouble(state: HttpBytesState, input: Buffer, random: SeededRandom): Promise<string | undefined> {
  const { service, tokens } = state;
  const filled = input
    .toString("latin1")
    .replace(/\$(curator|analyst)/g, (_, role: "curator" | "analyst") => tokens[role])
    .replace(/\$dataset/g, service.dataset);
  const bytes = await exchange(state.port, Buffer.from(filled, "latin1"), random);
  if (bytes === undefined) return "is neither answered nor closed";
  const answers = answersIn(bytes);
  if (answers === undefined) return `is answered in no HTTP: ${JSON.stringify(bytes.toString("latin1").slice(0, 300))}`;
  const isCurator = filled.includes(tokens.curator);
  for (const answer of answers) {
    const trouble = answerTrouble(state, answer, isCurator);
    if (trouble !== undefined) return trouble;
  }
  const health = await service.app.inject({ url: "/health" });
  if (health.statusCode !== 200) return "the service is not well afterwards";
  const mayCharge = isCurator || filled.includes(tokens.analyst);
  state.afterQuestion = mayCharge && /POST .*grids/.test(filled) ? LINGERING : state.afterQuestion - 1;
  state.afterChange = isCurator && /POST .*datasets/.test(filled) ? LINGERING : state.afterChange - 1;
  const left = [
    ...(state.afterQuestion > 0 ? ["reserve", "commit"] : []),
    ...(state.afterChange > 0 ? ["raise", "void", "init"] : []),
  ];
  return (await ledgerTrouble(state, { mayCharge, left })) ?? refusedIfSo(answers);
}

export const httpBytes: FuzzTarget<HttpBytesState> = {
  prepare: async () => {
    const bench = await serviceAtBench();
    await bench.service.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = bench.service.app.server.address() as { port: number };
    return Object.assign(bench, { port, afterQuestion: 0, afterChange: 0 });
  },
  try: (input, state, random) => bytesTrouble(state, input, random),
  finish: putAway,
};
