/** Plans and releases made behind the page's back, for tests that begin where something is released. */
import { setTimeout } from "node:timers/promises";
import { createClient } from "../../../src/apps/client/index.ts";
import type { Demo } from "./demo.ts";

/** Of the dataset `city`; its hash. */
export async function makePlan({ url }: Pick<Demo, "url">, token: string, loss: string): Promise<string> {
  const service = createClient({ url, token });
  const job = await service.startPlan({ params: { dataset: "city" }, body: { statistics: "mean", loss } });
  return ((await ended(service, job.id)) as { plan: string }).plan;
}

/** As the Release page does it: released, then shown to analysts. */
export async function releasePlan({ url }: Pick<Demo, "url">, token: string, plan: string): Promise<void> {
  const service = createClient({ url, token });
  const params = { dataset: "city" };
  const job = await service.startRelease({ params, body: { plan } });
  const { key } = (await ended(service, job.id)) as { key: string };
  await service.changeDataset({ params, body: { plan, key } });
}

async function ended(service: ReturnType<typeof createClient>, job: string): Promise<unknown> {
  for (;;) {
    const { state, result, error } = await service.getJob({ params: { job } });
    if (state === "done") return result;
    if (state !== "queued" && state !== "running") throw new Error(`job ${state}: ${error?.message}`);
    await setTimeout(100);
  }
}
