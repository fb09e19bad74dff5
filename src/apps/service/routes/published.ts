/** Routes for analysts: released statistics, their dictionary and privacy statement, and questions for single grids. */
import type { FastifyReply } from "fastify";
import { type Static, Type } from "typebox";
import { parseDecimal, type Rational } from "../../../core/arithmetic/index.ts";
import { VeilgridError } from "../../../core/errors/index.ts";
import { type ReleaseResult, readResult, resultText } from "../../../publish/release/index.ts";
import { releaseRenderers } from "../../../publish/report/index.ts";
import { isPlanned } from "../grid-answers.ts";
import { Released, ReleasedGeoJson } from "../published-schemas.ts";
import { routesFor, type ServiceApp } from "../route.ts";
import { answerAs, closed, DatasetName, listOf, oneOf, PublishedDataset, PublishedGrid } from "../schemas.ts";
import type { ServiceParts } from "../service-parts.ts";
import { mayUse } from "../tokens.ts";
import { DatasetParams, datasetOf } from "./datasets.ts";

const route = routesFor("analyst", "published");

const FORMATS = {
  csv: { type: "text/csv; charset=utf-8", render: "releaseCsv" },
  json: { type: "application/json; charset=utf-8", render: "releaseJson" },
  geojson: { type: "application/geo+json; charset=utf-8", render: "releaseGeoJson" },
  html: { type: "text/html; charset=utf-8", render: "releaseHtml" },
} as const;
type Format = keyof typeof FORMATS;

const GridParams = Type.Object({
  dataset: DatasetName,
  grid: Type.String({ minLength: 1, maxLength: 1000, description: "percent-encoded, as every part of a path" }),
});
const Confidence = Type.Optional(
  Type.String({ pattern: "^0?\\.\\d{1,9}$", description: "of the intervals (default: 0.95)" }),
);
const GridQuery = closed({ confidence: Confidence });
const ResultsQuery = closed({
  confidence: Confidence,
  format: Type.Optional(oneOf(...(Object.keys(FORMATS) as Format[]))),
});

const DOCUMENTS = [
  [
    "statement",
    "getStatement",
    "The privacy statement: what is protected, what is not, and the loss in words.",
    "privacyStatement",
  ],
  ["dictionary", "getDictionary", "What the columns mean.", "dataDictionary"],
] as const;

export function publishedRoutes(app: ServiceApp, { store, answers }: ServiceParts): void {
  const resultOf = async (name: string): Promise<ReleaseResult> => {
    const dataset = datasetOf(store, name);
    const found = isPlanned(dataset)
      ? await answers.released(dataset, (await answers.planOf(dataset)).grids)
      : undefined;
    if (found === undefined || found.texts.size === 0)
      throw new VeilgridError("NOT_RELEASED", "nothing of this dataset is released yet");
    return readResult(resultText(found.header, [...found.texts.values()]));
  };

  app.get(
    "/v1/published",
    route("listPublished", "Datasets with a plan, and how much of each is released.", {
      answer: listOf("datasets", PublishedDataset),
    }),
    async (request) => {
      const datasets = [];
      for (const dataset of store.datasets()) {
        if (!isPlanned(dataset) || !mayUse(request.caller!, dataset.name)) continue;
        const plan = await answers.planOf(dataset);
        datasets.push({
          name: dataset.name,
          unit: dataset.unit,
          statistics: plan.objective.statistics.map(({ key }) => key),
          grids: plan.grids.length,
          released: (await answers.released(dataset, plan.grids))?.texts.size ?? 0,
          onlyReleased: dataset.onlyReleased,
        });
      }
      return { datasets };
    },
  );

  app.get(
    "/v1/published/:dataset/grids",
    route("listGrids", "The grids that can be asked for, and which are released.", {
      params: DatasetParams,
      answer: listOf("grids", PublishedGrid),
    }),
    async (request) => {
      const dataset = datasetOf(store, request.params.dataset);
      if (!isPlanned(dataset)) return { grids: [] };
      const { grids } = await answers.planOf(dataset);
      const found = await answers.released(dataset, grids);
      return { grids: grids.map((grid) => ({ grid, released: found?.texts.has(grid) ?? false })) };
    },
  );

  const sendGrid = async (
    reply: FastifyReply,
    { params, query }: { params: Static<typeof GridParams>; query: Static<typeof GridQuery> },
    { onlyReleased }: { readonly onlyReleased: boolean },
  ): Promise<FastifyReply> => {
    const dataset = datasetOf(store, params.dataset);
    // Refused before anything can be spent.
    const options = optionsOf(query.confidence);
    const text = await answers.ask(dataset, params.grid, { onlyReleased: onlyReleased || dataset.onlyReleased });
    return reply.type(FORMATS.json.type).send((await releaseRenderers()).releaseJson(readResult(text), options));
  };
  const oneGrid = { params: GridParams, querystring: GridQuery, answer: Released };

  app.get(
    "/v1/published/:dataset/grids/:grid",
    route("getGrid", "A grid that is released. Never spends anything.", oneGrid),
    async (request, reply) => sendGrid(reply, request, { onlyReleased: true }),
  );

  app.post(
    "/v1/published/:dataset/grids/:grid",
    route(
      "askGrid",
      "Ask for a grid: the first question releases and charges it, every later one gets the same answer.",
      oneGrid,
    ),
    async (request, reply) => sendGrid(reply, request, { onlyReleased: false }),
  );

  app.get(
    "/v1/published/:dataset/results",
    route("getResults", "All released grids as CSV, JSON, GeoJSON or a report.", {
      params: DatasetParams,
      querystring: ResultsQuery,
      answer: answerAs("as the files of a release", {
        "application/json": Released,
        "application/geo+json": ReleasedGeoJson,
        "text/csv": Type.String(),
        "text/html": Type.String(),
      }),
    }),
    async (request, reply) => {
      const { format = "json", confidence } = request.query;
      const { type, render } = FORMATS[format];
      const result = await resultOf(request.params.dataset);
      const text = (await releaseRenderers())[render](result, optionsOf(confidence));
      // The report brings its own script, and a policy that allows no other.
      if (format === "html") reply.removeHeader("content-security-policy");
      return reply.type(type).send(text);
    },
  );

  for (const [path, name, summary, render] of DOCUMENTS)
    app.get(
      `/v1/published/:dataset/${path}`,
      route(name, summary, { params: DatasetParams, answer: answerAs("Markdown", { "text/markdown": Type.String() }) }),
      async (request, reply) =>
        reply
          .type("text/markdown; charset=utf-8")
          .send((await releaseRenderers())[render](await resultOf(request.params.dataset))),
    );
}

function optionsOf(text: string | undefined): { confidence?: Rational } {
  if (text === undefined) return {};
  const confidence = parseDecimal(text, "confidence");
  if (confidence.sign() <= 0) throw new VeilgridError("PARAMETER_INVALID", "confidence must lie between 0 and 1");
  return { confidence };
}
