/** Routes of datasets: register one, choose its plan, read its counts. */

import { Type } from "typebox";
import { parseDecimal } from "../../../core/arithmetic/index.ts";
import { VeilgridError } from "../../../core/errors/index.ts";
import { parseRecipe } from "../../../data/partition/index.ts";
import { isLedgerAddress } from "../../../publish/ledger/index.ts";
import { planRequest } from "../../operations/index.ts";
import { checkDataset } from "../access.ts";
import { shownSource } from "../hide-folders.ts";
import { hasAlready, routesFor, type ServiceApp } from "../route.ts";
import type { PlanRow, ServedDataset } from "../rows.ts";
import { answerAs, Dataset, DatasetName, DatasetSettings, listOf, NewDataset } from "../schemas.ts";
import type { ServiceParts } from "../service-parts.ts";
import { openOccupancyFile, surveyedAt, surveyNotes } from "../survey.ts";
import { mayUse } from "../tokens.ts";

const route = routesFor("curator", "datasets");

export const DatasetParams = Type.Object({ dataset: DatasetName });

export function datasetRoutes(app: ServiceApp, { store, ledger, ledgerPlace, folders, now }: ServiceParts): void {
  app.post(
    "/v1/datasets",
    route("registerDataset", "Register a source of records with its recipe, bounds and budget.", {
      body: NewDataset,
      answer: Dataset,
      status: 201,
    }),
    async (request, reply) => {
      const { name, source, recipe, bounds, statistics, unit, budget, onlyReleased } = request.body;
      checkDataset(request, name);
      if (store.dataset(name) !== undefined)
        throw new VeilgridError("DATASET_EXISTS", `the service has a dataset '${name}' already; name another`);
      planRequest({ bounds, statistics, strategy: "baseline", epsilon: "1" });
      parseRecipe(recipe);
      const resolved = await folders.resolve(source);
      const row: ServedDataset = {
        name,
        source: resolved,
        recipe,
        bounds,
        statistics: statistics ?? null,
        unit: unit ?? null,
        plan: null,
        key: null,
        onlyReleased: onlyReleased ?? false,
        created: now().toISOString(),
      };
      await makeBudget(name, budget);
      store.putDataset(row);
      return reply.code(201).send(shown(store, row));
    },
  );

  /** A budget that an earlier attempt made and nobody has used is taken as it is; where nodes share the ledger, also one that is in use. */
  async function makeBudget(name: string, text: string): Promise<void> {
    const budget = parseDecimal(text, "budget");
    const known = (await ledger.datasets()).find(({ dataset }) => dataset === name);
    if (known?.budget.compare(budget) === 0) {
      if (isLedgerAddress(ledgerPlace) || (await ledger.firstHeader(name)) === undefined) return;
    }
    if (known !== undefined && isLedgerAddress(ledgerPlace))
      throw new VeilgridError(
        "LEDGER_CONFLICT",
        `the ledger has a dataset '${name}' with the budget ${known.budget}; give that one to serve it from here as well, or name another`,
      );
    await ledger.init({ dataset: name, budget, occupancyIsPublic: true });
  }

  app.get(
    "/v1/datasets",
    route("listDatasets", "The datasets that the token is made for.", { answer: listOf("datasets", Dataset) }),
    async (request) => ({
      datasets: store
        .datasets()
        .filter(({ name }) => mayUse(request.caller!, name))
        .map((row) => shown(store, row)),
    }),
  );

  app.get(
    "/v1/datasets/:dataset",
    route("getDataset", "One dataset.", { params: DatasetParams, answer: Dataset }),
    async (request) => shown(store, datasetOf(store, request.params.dataset)),
  );

  app.patch(
    "/v1/datasets/:dataset",
    route(
      "changeDataset",
      "Choose the plan that analysts' questions are answered under, and whether only what is released is given out.",
      { params: DatasetParams, body: DatasetSettings, answer: Dataset },
    ),
    async (request) => {
      const { dataset } = request.params;
      const { plan, key, onlyReleased } = request.body;
      const { plan: before } = datasetOf(store, dataset);
      if (plan !== undefined) planNamed(store, plan, dataset);
      if (key !== undefined && (plan ?? before) === null)
        throw new VeilgridError("PARAMETER_INVALID", "a key needs a plan");
      store.updateDataset(dataset, {
        ...(plan === undefined ? {} : { plan, key: key ?? plan }),
        ...(key === undefined ? {} : { key }),
        ...(onlyReleased === undefined ? {} : { onlyReleased }),
      });
      return shown(store, datasetOf(store, dataset));
    },
  );

  app.get(
    "/v1/datasets/:dataset/occupancy",
    route(
      "getOccupancy",
      "Records per user and grid as the last survey counted them, users as numbers in the order of their names.",
      { params: DatasetParams, answer: answerAs("user,grid,count", { "text/csv": Type.String() }) },
    ),
    async (request, reply) => {
      const { name } = datasetOf(store, request.params.dataset);
      const found = await openOccupancyFile(store.occupancyFile(name));
      if (found === undefined)
        throw new VeilgridError("NOT_FOUND", "there are no counts of this dataset yet; survey it first");
      const { handle, bytes, etag } = found;
      reply.headers({ etag, "cache-control": "private, no-cache" });
      if (hasAlready(request.headers["if-none-match"], etag)) {
        await handle.close();
        return reply.code(304).send();
      }
      return reply.type("text/csv; charset=utf-8").header("content-length", bytes).send(handle.createReadStream());
    },
  );
}

export function datasetOf(store: ServiceParts["store"], name: string): ServedDataset {
  const found = store.dataset(name);
  if (found === undefined) throw new VeilgridError("NOT_FOUND", "there is no such dataset");
  return found;
}

export function planNamed(store: ServiceParts["store"], hash: string, dataset: string): PlanRow {
  const found = store.plan(hash, dataset);
  if (found === undefined) throw new VeilgridError("NOT_FOUND", "the dataset has no such plan");
  return found;
}

/** Where the file lies is the service's business. */
function shown(store: ServiceParts["store"], row: ServedDataset) {
  const file = store.occupancyFile(row.name);
  const surveyed = surveyedAt(file)?.toISOString() ?? null;
  return { ...row, source: shownSource(row.source), surveyed, ...surveyNotes(file) };
}
