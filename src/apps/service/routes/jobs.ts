/** Routes of jobs and plans: start a survey, plan, comparison or release; list, follow and cancel jobs. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { type TSchema, Type } from "typebox";
import { VeilgridError } from "../../../core/errors/index.ts";
import { ABOUT_OPTIONS, optionTexts, READING_OPTIONS } from "../../../core/options/index.ts";
import { planRequest } from "../../operations/index.ts";
import { checkDataset } from "../access.ts";
import { routesFor, type ServiceApp } from "../route.ts";
import type { JobRow, ServedDataset } from "../rows.ts";
import { answerAs, CompareOptionsBody, closed, Job, listOf, NewRelease, Plan, PlanOptionsBody } from "../schemas.ts";
import type { ServiceParts } from "../service-parts.ts";
import type { JobTask } from "../tasks.ts";
import { mayUse } from "../tokens.ts";
import { DatasetParams, datasetOf, planNamed } from "./datasets.ts";

const route = routesFor("curator", "jobs");
const planRoute = routesFor("curator", "plans");

const JobParams = Type.Object({ job: Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" }) });
const PlanParams = Type.Object({
  dataset: DatasetParams.properties.dataset,
  plan: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
const Nothing = closed({});

const starting = <Body extends TSchema>(body: Body) => ({ params: DatasetParams, body, answer: Job, status: 202 });

export function jobRoutes(app: ServiceApp, { store, jobs, ledgerPlace, ledgerHeadFile }: ServiceParts): void {
  const start = (
    reply: FastifyReply,
    { name }: ServedDataset,
    options: JobRow["wishes"],
    task: JobTask,
  ): FastifyReply => reply.code(202).send(jobs.start(name, options, task));

  app.post(
    "/v1/datasets/:dataset/survey",
    route("startSurvey", "Count records per user and grid, and summarise the counts.", starting(Nothing)),
    async (request, reply) => {
      const dataset = datasetOf(store, request.params.dataset);
      const { name, source, recipe } = dataset;
      const occupancyFile = store.occupancyFile(name);
      return start(reply, dataset, {}, { kind: "survey", source, recipe, occupancyFile });
    },
  );

  app.post(
    "/v1/datasets/:dataset/plans",
    route(
      "startPlan",
      "Choose what to keep and how much noise to add, from counts alone; spends nothing.",
      starting(PlanOptionsBody),
    ),
    async (request, reply) => {
      const dataset = datasetOf(store, request.params.dataset);
      const options = { ...ownOptions(dataset), ...request.body, records: dataset.recipe };
      // What can be refused without the data is refused now, not when its turn comes.
      planRequest(options);
      return start(reply, dataset, request.body, { kind: "plan", source: dataset.source, options });
    },
  );

  app.get(
    "/v1/datasets/:dataset/plans",
    planRoute("listPlans", "The plans of a dataset, newest first.", {
      params: DatasetParams,
      answer: listOf("plans", Plan),
    }),
    async (request) => ({ plans: store.plans(datasetOf(store, request.params.dataset).name) }),
  );

  app.get(
    "/v1/datasets/:dataset/plans/:plan",
    planRoute("getPlan", "One plan with its summary.", { params: PlanParams, answer: Plan }),
    async (request) => planNamed(store, request.params.plan, request.params.dataset),
  );

  app.post(
    "/v1/datasets/:dataset/compare",
    route(
      "startComparison",
      "Hold strategies, estimators, hexagon sizes and slots against each other; spends nothing.",
      starting(CompareOptionsBody),
    ),
    async (request, reply) => {
      const dataset = datasetOf(store, request.params.dataset);
      const { h3, slot, ...rest } = request.body;
      const records = { ...dataset.recipe, h3: h3 ?? dataset.recipe.h3, slot: slot ?? dataset.recipe.slot };
      const options = { ...ownOptions(dataset), unit: dataset.unit ?? undefined, ...rest, records };
      return start(reply, dataset, request.body, { kind: "compare", source: dataset.source, options });
    },
  );

  app.post(
    "/v1/datasets/:dataset/releases",
    route(
      "startRelease",
      "Charge the ledger and release every grid of a plan; the same key again gives the same bytes.",
      starting(NewRelease),
    ),
    async (request, reply) => {
      const dataset = datasetOf(store, request.params.dataset);
      const plan = request.body.plan ?? dataset.plan;
      if (plan === null || store.plan(plan, dataset.name) === undefined)
        throw new VeilgridError("NOT_FOUND", "the dataset has no such plan; make one, or name one");
      const key = request.body.key ?? (plan === dataset.plan ? dataset.key : null) ?? plan;
      const about = optionTexts(ABOUT_OPTIONS, request.body);
      const options = {
        ...about,
        ...{ plan: store.planFile(plan), ledger: ledgerPlace, headFile: ledgerHeadFile, dataset: dataset.name, key },
        records: optionTexts(READING_OPTIONS, dataset.recipe),
        // The head says so, whatever files lie around.
        ledgerIsCurrent: true,
      };
      return start(reply, dataset, { plan, key, ...about }, { kind: "release", source: dataset.source, options });
    },
  );

  app.get(
    "/v1/jobs",
    route("listJobs", "Jobs of the datasets that the token is made for, newest first, without their results.", {
      answer: listOf("jobs", Job),
    }),
    async (request) => ({
      jobs: store
        .jobs()
        .filter(({ dataset }) => mayUse(request.caller!, dataset))
        .map((job) => ({ ...job, result: null })),
    }),
  );

  const jobOf = (request: Parameters<typeof checkDataset>[0], id: string): JobRow => {
    const found = store.job(id);
    if (found === undefined) throw new VeilgridError("NOT_FOUND", "there is no such job");
    checkDataset(request, found.dataset);
    return found;
  };

  app.get(
    "/v1/jobs/:job",
    route("getJob", "One job, with its result once it is done.", { params: JobParams, answer: Job }),
    async (request) => shownTo(request, jobOf(request, request.params.job)),
  );

  app.delete(
    "/v1/jobs/:job",
    route(
      "cancelJob",
      "Cancel a job that waits or runs. A release that was charged is finished by the same request again.",
      { params: JobParams, answer: Job },
    ),
    async (request) => {
      const { id } = jobOf(request, request.params.job);
      await jobs.cancel(id);
      return shownTo(request, jobOf(request, id));
    },
  );

  app.get(
    "/v1/jobs/:job/events",
    route("followJob", "Server-sent events: state and progress until the job ends.", {
      params: JobParams,
      answer: answerAs("events", { "text/event-stream": Type.String() }),
    }),
    async (request, reply) => {
      const { id } = jobOf(request, request.params.job);
      reply.hijack();
      const gone = new AbortController();
      reply.raw.on("close", () => gone.abort());
      reply.headers({ "content-type": "text/event-stream", "cache-control": "no-store" });
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
      try {
        for await (const event of jobs.events(id, gone.signal))
          reply.raw.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`);
      } finally {
        reply.raw.end();
      }
    },
  );
}

function ownOptions({ bounds, statistics }: ServedDataset): { bounds: string; statistics?: string } {
  return statistics === null ? { bounds } : { bounds, statistics };
}

/** What a release found out about other datasets and ledgers is for those who may see all of them. */
function shownTo({ caller }: Pick<FastifyRequest, "caller">, job: JobRow): JobRow {
  if (job.kind !== "release" || caller!.datasets === null) return job;
  const { warnings, ...rest } = (job.result ?? {}) as { warnings?: readonly string[] };
  if (warnings === undefined || warnings.length === 0) return job;
  return { ...job, result: { ...rest, warnings: ["other datasets or ledgers may charge the same users"] } };
}
