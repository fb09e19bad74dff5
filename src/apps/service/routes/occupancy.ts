/** The counts of a surveyed dataset, for planning in a browser: who was where how often, without who. */
import { Type } from "typebox";
import { VeilgridError } from "../../../core/errors/index.ts";
import { hasAlready } from "../conditional.ts";
import { facts, type ServiceApp } from "../route.ts";
import { answerAs } from "../schemas.ts";
import type { ServiceParts } from "../service-options.ts";
import { openOccupancyFile } from "../survey.ts";
import { DatasetParams, datasetOf } from "./datasets.ts";

export function occupancyRoutes(app: ServiceApp, { store }: ServiceParts): void {
  app.get(
    "/v1/datasets/:dataset/occupancy",
    facts({
      access: "curator",
      tag: "datasets",
      name: "getOccupancy",
      summary:
        "Records per user and grid as the last survey counted them, users as numbers in the order of their names.",
      params: DatasetParams,
      answers: { 200: answerAs("user,grid,count", { "text/csv": Type.String() }) },
    }),
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
