/** Routes of budgets: show, raise, give up what was never finished, verify. */

import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { parseDecimal } from "../../../core/arithmetic/index.ts";
import { standingFacts } from "../../../publish/report/index.ts";
import { checkAllDatasets } from "../access.ts";
import { Standing, Verification } from "../published-schemas.ts";
import { routesFor, type ServiceApp } from "../route.ts";
import { closed } from "../schemas.ts";
import type { ServiceParts } from "../service-parts.ts";
import { DatasetParams, datasetOf } from "./datasets.ts";

const route = routesFor("curator", "ledger");

const Raise = closed({
  budget: Type.String({ pattern: "^\\d{1,30}(\\.\\d{1,30})?$" }),
  reason: Type.String({ minLength: 1, maxLength: 400 }),
});
const Void = closed({ key: Type.String({ minLength: 1, maxLength: 200 }) });
const JSON_TYPE = "application/json; charset=utf-8";

export function ledgerRoutes(app: ServiceApp, { store, ledger }: ServiceParts): void {
  /** As ready text: exact numbers say themselves how they are written. */
  const sendStanding = async (reply: FastifyReply, dataset: string): Promise<FastifyReply> => {
    const [found] = await ledger.show({ dataset: datasetOf(store, dataset).name });
    return reply.type(JSON_TYPE).send(JSON.stringify(standingFacts(found!)));
  };

  app.get(
    "/v1/datasets/:dataset/ledger",
    route("getLedger", "Budget, what was spent by whom, releases and the audit trail.", {
      params: DatasetParams,
      answer: Standing,
    }),
    async (request, reply) => sendStanding(reply, request.params.dataset),
  );

  app.post(
    "/v1/datasets/:dataset/ledger/raise",
    route("raiseBudget", "Raise the budget, and record why.", { params: DatasetParams, body: Raise, answer: Standing }),
    async (request, reply) => {
      const { dataset } = request.params;
      datasetOf(store, dataset);
      await ledger.raise({ dataset, budget: parseDecimal(request.body.budget, "budget"), reason: request.body.reason });
      return sendStanding(reply, dataset);
    },
  );

  app.post(
    "/v1/datasets/:dataset/ledger/void",
    route("voidRelease", "Give up what was charged under a key and never committed, and refund it.", {
      params: DatasetParams,
      body: Void,
      answer: Type.Object({ parts: Type.Array(Type.String()), kept: Type.Array(Type.String()) }),
    }),
    async (request) => {
      const { name } = datasetOf(store, request.params.dataset);
      const { parts, kept } = await ledger.void({ dataset: name, key: request.body.key });
      return { parts: [...parts], kept: [...kept] };
    },
  );

  app.get(
    "/v1/ledger/verify",
    route("verifyLedger", "Work out every balance again from the journal.", { answer: Verification }),
    async (request, reply) => {
      checkAllDatasets(request);
      return reply.type(JSON_TYPE).send(JSON.stringify(await ledger.verify()));
    },
  );
}
