/** What others release while a page is open: followed and told, but never shown to analysts by a page that nobody clicked on. */
import { expect, test } from "vitest";
import { createClient } from "../../src/apps/client/index.ts";
import { cardOf, makePlan, openPage, startDemo } from "./support/index.ts";

const params = { dataset: "city" };

/** Keeps both of the service's jobs busy, so that what is started next waits until they are cancelled. */
async function keepBusy(service: ReturnType<typeof createClient>): Promise<() => Promise<void>> {
  const losses = Array.from({ length: 40 }, (_, at) => String((at + 1) / 20)).join(",");
  const long = () => service.startComparison({ params, body: { loss: losses, statistics: "mean,variance" } });
  const jobs = [await long(), await long()];
  return async () => {
    for (const { id } of jobs) await service.cancelJob({ params: { job: id } });
  };
}

test("another curator's release is told on an open Release page, and analysts keep what they see", async () => {
  await using demo = await startDemo();
  const mine = await demo.token("curator");
  const hers = createClient({ url: demo.url, token: await demo.token("curator") });
  const { plan: before } = await hers.getDataset({ params });
  const plan = await makePlan(demo, mine, "0.4");
  expect(plan).not.toBe(before);
  await using analyst = await openPage({ demo, as: "analyst", at: "#/d/city/published" });
  await analyst.page.getByText("Nothing of this dataset is released yet.").waitFor();

  const letGo = await keepBusy(hers);
  const job = await hers.startRelease({ params, body: { plan } });
  await using visit = await openPage({ demo, as: { token: mine }, at: `#/d/city/release?plan=${plan}` });
  const { page } = visit;
  const changes: string[] = [];
  page.on("request", (request) => {
    if (!["GET", "HEAD"].includes(request.method())) changes.push(`${request.method()} ${request.url()}`);
  });
  await page.getByRole("button", { name: /^(Stop|Cancel)/ }).waitFor();
  expect((await hers.getJob({ params: { job: job.id } })).state).toBe("queued");
  await letGo();

  // Told as it is: released, and not what analysts see; to show it to them takes a click.
  await page.getByText("Analysts see another plan's numbers.").waitFor();
  expect(await page.getByRole("button", { name: "Show them these" }).isVisible()).toBe(true);
  expect((await hers.getJob({ params: { job: job.id } })).state).toBe("done");
  expect((await hers.getDataset({ params })).plan).toBe(before);
  expect(changes).toEqual([]);
  expect(
    await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("veilgrid-release"))),
  ).toEqual([]);
  await analyst.page.reload();
  await analyst.page.getByText("Nothing of this dataset is released yet.").waitFor();

  await page.getByRole("button", { name: "Show them these" }).click();
  await cardOf(page, "Table").waitFor();
  expect((await hers.getDataset({ params })).plan).toBe(plan);
  await visit.expectClean();
  await analyst.expectClean();
});
