/** The service's own pages: where to begin, and the API for people, made from its OpenAPI document. */
import { escapeMarkup } from "../../publish/charts/index.ts";
import { pageText } from "../../publish/report/index.ts";

const STYLE = `
.operation{margin-bottom:14px}
.operation h3{margin:0 0 4px;font-family:var(--mono);font-size:.95rem;overflow-wrap:anywhere}
.method{display:inline-block;min-width:4.6em;color:var(--accent)}
.who{color:var(--ink-soft);font-size:.85rem;margin:0 0 6px}
`;

/** Exchanges the code in the address for a token, once, and takes it out of the address. */
const LANDING_SCRIPT = `
const code = new URLSearchParams(location.hash.slice(1)).get("code");
if (code) {
  history.replaceState(null, "", location.pathname);
  fetch("/v1/session", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code }) })
    .then(async (answer) => [answer.ok, await answer.json()])
    .then(([ok, body]) => {
      document.getElementById(ok ? "token" : "refusal").textContent = ok ? body.token : body.error.message;
      document.getElementById(ok ? "got" : "refused").hidden = false;
    });
}`;

export function landingPage(tool: string): Promise<string> {
  return pageText({
    title: "Veilgrid",
    tool,
    script: LANDING_SCRIPT,
    asksServer: true,
    body: `<main><header><div><h1>Veilgrid</h1><p class="lead">Statistics per group, with a bound on what anyone can learn about any one person.</p></div></header>
<section id="got" hidden><h2>Your token</h2><p>It lasts a day and is shown once. Use it as <code>Authorization: Bearer …</code></p><pre id="token"></pre><p>For example: <code>curl -H "Authorization: Bearer TOKEN" http://…/v1/datasets</code></p></section>
<section id="refused" hidden><h2>No token</h2><p id="refusal"></p></section>
<section><p><a href="/docs">What the service can do</a> · <a href="/openapi.json">the same for programs</a> · <a href="/health">is it there?</a></p></section></main>`,
  });
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: ReadonlyArray<{
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: unknown;
  }>;
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> };
  readonly responses?: Readonly<Record<string, unknown>>;
}

interface Described {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export function apiPage(document: unknown, tool: string): Promise<string> {
  const { info, paths = {} } = document as Described;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? ""))];
  return pageText({
    title: `${info.title} ${info.version}: HTTP interface`,
    tool,
    script: "",
    style: STYLE,
    body: `<main><header><div><h1>HTTP interface</h1><p class="lead">${escapeMarkup(info.description ?? "")}</p></div></header>
<p>Tokens go into the header <code>Authorization: Bearer vg_…</code>. What goes wrong is answered with <code>{"error": {"code", "message"}}</code>. For programs: <a href="/openapi.json">openapi.json</a>.</p>
<nav aria-label="On this page">${tags.map((tag) => `<a href="#${escapeMarkup(tag)}">${escapeMarkup(tag)}</a>`).join("")}</nav>
${tags
  .map(
    (tag) =>
      `<section id="${escapeMarkup(tag)}"><h2>${escapeMarkup(tag)}</h2>${operations
        .filter(({ operation }) => (operation.tags?.[0] ?? "") === tag)
        .map(operationMarkup)
        .join("")}</section>`,
  )
  .join("\n")}</main>`,
  });
}

function operationMarkup({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  return `<div class="card operation" id="${escapeMarkup(operation.operationId ?? path)}"><h3><span class="method">${method.toUpperCase()}</span> ${escapeMarkup(path)}</h3>
<p class="who">${escapeMarkup(operation.description ?? "")}</p><p>${escapeMarkup(operation.summary ?? "")}</p>
${query.length === 0 ? "" : `<p class="note">Query: ${query.map(({ name }) => `<code>${escapeMarkup(name)}</code>`).join(", ")}</p>`}
${body === undefined ? "" : `<details><summary>Body</summary><pre>${escapeMarkupLines(JSON.stringify(body, null, 2))}</pre></details>`}
<p class="note">Answers: ${Object.keys(operation.responses ?? {})
    .map((status) => `<code>${escapeMarkup(status)}</code>`)
    .join(", ")}</p></div>`;
}

function escapeMarkupLines(text: string): string {
  return text.split("\n").map(escapeMarkup).join("\n");
}
