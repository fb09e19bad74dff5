/** ClickHouse in process (chdb) behind as much of ClickHouse's HTTP interface as its client uses: a current server for tests, in one program. */
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

/** Of HTTP, not of queries. */
const NOT_SETTINGS = new Set([
  "query",
  "query_id",
  "database",
  "session_id",
  "session_timeout",
  "session_check",
  "wait_end_of_query",
]);

const [packageFolder, dataFolder] = process.argv.slice(2);
const { Session } = createRequire(path.join(packageFolder, "package.json"))("chdb");
const session = new Session(path.join(dataFolder, "data"));

let last = Promise.resolve();

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const url = new URL(request.url, "http://localhost");
    if (url.pathname === "/ping") {
      response.end("Ok.\n");
      return;
    }
    // One at a time: a connection of this engine runs one query.
    last = last.then(() => answer(url.searchParams, Buffer.concat(chunks), response));
  });
});

async function answer(parameters, body, response) {
  const settings = [...parameters].filter(([name]) => !NOT_SETTINGS.has(name) && !name.startsWith("param_"));
  const bound = Object.fromEntries(
    [...parameters]
      .filter(([name]) => name.startsWith("param_"))
      .map(([name, value]) => [name.slice(6), unescaped(value)]),
  );
  const names = settings.map(([name]) => name);
  try {
    if (parameters.has("database")) await session.queryAsync(`USE ${identifier(parameters.get("database"))}`);
    if (settings.length > 0)
      await session.queryAsync(`SET ${settings.map(([name, value]) => `${name} = ${text(value)}`).join(", ")}`);
    const sql = parameters.get("query") ?? body.toString();
    const isInsert = parameters.has("query") && body.length > 0;
    const bytes = isInsert ? await insert(sql, body) : (await run(sql, bound)).bytes();
    response.writeHead(200, {
      "X-ClickHouse-Query-Id": parameters.get("query_id") ?? randomUUID(),
      "X-ClickHouse-Summary": "{}",
    });
    response.end(bytes);
  } catch (error) {
    const message = error.message.replace(/^.*?(?=Code: \d+)/s, "");
    const code = /^Code: (\d+)/.exec(message)?.[1] ?? "1002";
    response.writeHead(500, { "X-ClickHouse-Exception-Code": code });
    response.end(message);
  } finally {
    if (names.length > 0)
      await session.queryAsync(`SET ${names.map((name) => `${name} = DEFAULT`).join(", ")}`).catch(() => undefined);
  }
}

function run(sql, bound) {
  const options = { format: "TabSeparated" };
  return Object.keys(bound).length === 0
    ? session.queryAsync(sql, options)
    : session.queryBindAsync(sql, bound, options);
}

/** `INSERT INTO … FORMAT Native` with the data after it. */
async function insert(sql, body) {
  const file = path.join(dataFolder, `${randomUUID()}.data`);
  writeFileSync(file, body);
  try {
    const [, into, format] = /^(.*)\sFORMAT\s+(\w+)\s*$/is.exec(sql);
    await session.queryAsync(`${into} FROM INFILE ${text(file)} FORMAT ${format}`);
    return new Uint8Array();
  } finally {
    rmSync(file);
  }
}

/** Over HTTP parameters are written as in tab-separated files. */
function unescaped(value) {
  const meant = { t: "\t", n: "\n", r: "\r", 0: "\0", b: "\b", f: "\f" };
  return value.replace(/\\(.)/gs, (_, character) => meant[character] ?? character);
}

function text(value) {
  return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function identifier(name) {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

server.keepAliveTimeout = 30_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit(0));
