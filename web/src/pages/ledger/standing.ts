/** Describes the state of a dataset's budget as the service answers it; the heaviest users' names are never shown. */
import type { Standing } from "../../../../src/apps/client/index.ts";
import type { Service } from "../../session.ts";

export type { Standing } from "../../../../src/apps/client/index.ts";
export type ReleaseStanding = Standing["releases"][number];
export type TrailLine = Standing["trail"][number];
export type LossBin = Standing["distribution"][number];

export function askStanding(service: Service, dataset: string, signal?: AbortSignal): Promise<Standing> {
  return service.getLedger({ params: { dataset }, signal });
}
