/** Renders the API as a page for people, and a page that stands in for a dashboard that was not built. */
import { escapeMarkup } from "../../publish/charts/index.ts";
import { pageText } from "../../publish/report/index.ts";

const STYLE = `
.operation{margin-bottom:14px}
.operation h3{margin:0 0 4px;font-family:var(--mono);font-size:.95rem;overflow-wrap:anywhere}
.method{display:inline-block;min-width:4.6em;color:var(--accent)}
.who{color:var(--ink-soft);font-size:.85rem;margin:0 0 6px}
`;

/** Stands at `/` where the dashboard was not built, which is in development only. */
export function landingPage(tool: string): Promise<string> {
  return pageText({
    title: "Veilgrid",
    tool,
    script: "",
    body: `<main><h1>Veilgrid</h1><p>The dashboard is not built here: <code>npm run build</code>.</p>
<p><a href="/docs">What the service can do</a> · <a href="/openapi.json">the same for programs</a> · <a href="/health">is it there?</a></p></main>`,
  });
}

/** What the page shows of an OpenAPI document. */
interface Operation extends Readonly<Partial<Record<"operationId" | "summary" | "description", string>>> {
  readonly tags?: readonly string[];
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string }>;
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> };
  readonly responses?: object;
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
${body === undefined ? "" : `<details><summary>Body</summary><pre>${JSON.stringify(body, null, 2).split("\n").map(escapeMarkup).join("\n")}</pre></details>`}
<p class="note">Answers: ${Object.keys(operation.responses ?? {})
    .map((status) => `<code>${escapeMarkup(status)}</code>`)
    .join(", ")}</p></div>`;
}
