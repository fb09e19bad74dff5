/** Writes src/apps/client/api.ts from the service's OpenAPI document: `npm run client`; with --check only says whether it is as it should be. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../dist/apps/service/openapi.js";

const file = fileURLToPath(new URL("../src/apps/client/api.ts", import.meta.url));
/** Types that have a name, by it. */
const named = new Map();
// Twice: what was broken over lines at first may fit into one afterwards.
const text = formatted(formatted(apiText(await openApiDocument("veilgrid"))));
if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") === text) console.log("src/apps/client/api.ts is that of the routes");
  else {
    console.error("src/apps/client/api.ts is not that of the routes; make it anew with: npm run client");
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
}

/** As lint wants it. */
function formatted(source) {
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const run = spawnSync(process.execPath, [biome, "format", "--stdin-file-path=src/apps/client/api.ts"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    input: source,
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`formatting failed: ${run.stderr}`);
  return run.stdout;
}

function apiText({ paths }) {
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .sort((left, right) => (left.operation.operationId < right.operation.operationId ? -1 : 1));
  const methods = operations.map(({ operation }) => methodText(operation)).join("\n");
  const types = [...named].sort(([left], [right]) => (left < right ? -1 : 1));
  return `/** Every route of the service, typed; made by scripts/generate-client.mjs, not by hand. */

export interface Api {
${methods}
}

${types.map(([name, text]) => `export type ${name} = ${text};\n`).join("\n")}

/** Method and path by name. */
export const OPERATIONS = {
${operations.map(({ path, method, operation }) => `  ${operation.operationId}: ["${method.toUpperCase()}", "${path}"],`).join("\n")}
} as const;
`;
}

function methodText({ operationId, summary, parameters = [], requestBody, responses }) {
  const body = requestBody?.content?.["application/json"]?.schema;
  const given = ["path", "query"].flatMap((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return [];
    const fields = own.map(
      ({ name, required, schema }) =>
        `readonly ${name}${required ? "" : "?"}: ${typeOf(schema)}${required ? "" : " | undefined"}`,
    );
    const optional = own.every(({ required }) => !required);
    return [
      `readonly ${place === "path" ? "params" : "query"}${optional ? "?" : ""}: { ${fields.join("; ")} }${optional ? " | undefined" : ""}`,
    ];
  });
  if (body !== undefined) given.push(`readonly body: ${typeOf(body)}`);
  if (requestBody?.content?.["application/octet-stream"] !== undefined)
    given.push("readonly body: Blob | ArrayBuffer | Uint8Array");
  given.push("readonly signal?: AbortSignal | undefined");
  const optional = given.every((field) => /^readonly \w+\?/.test(field));
  const [answer] = Object.entries(responses).filter(([status]) => /^2\d\d$/.test(status));
  const schema = { anyOf: Object.values(answer[1].content ?? {}).map((each) => each.schema ?? {}) };
  return `  /** ${summary} */\n  ${operationId}(given${optional ? "?" : ""}: { ${given.join("; ")} }): Promise<${typeOf(schema)}>;`;
}

/** A JSON schema as a type; one with a title is called by it. */
function typeOf(schema) {
  if (schema.title === undefined) return shapeOf(schema);
  const shape = shapeOf(schema);
  if (named.has(schema.title) && named.get(schema.title) !== shape)
    throw new Error(`two schemas are called ${schema.title}`);
  named.set(schema.title, shape);
  return schema.title;
}

function shapeOf(schema) {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return [...new Set(several.map(typeOf))].join(" | ");
  if (schema.type === "array") return `Array<${typeOf(schema.items ?? {})}>`;
  if (schema.type === "object") {
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties ?? {}).map(
      ([name, each]) =>
        `${name}${required.has(name) ? "" : "?"}: ${typeOf(each)}${required.has(name) ? "" : " | undefined"}`,
    );
    const others = schema.additionalProperties;
    if (fields.length === 0 && typeof others === "object") return `Record<string, ${typeOf(others)}>`;
    return fields.length === 0 ? "Record<string, never>" : `{ ${fields.join("; ")} }`;
  }
  return (
    { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" }[schema.type] ??
    "unknown"
  );
}
