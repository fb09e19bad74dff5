/** The demo as README prints it, without --state: everything works from the folder that it makes where it is started. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createClient, jobEvents } from "../../src/apps/client/index.ts";
import { root } from "../support/cli.ts";
import { serveDemo } from "../support/serve-demo.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const STATE = "veilgrid-demo";
const params = { dataset: "city" };

test("it is surveyed again, planned, released and published, and found again where its folder is moved", async () => {
  const folder = temporaryFolder();
  const demo = await serveDemo({ in: folder });
  try {
    expect(readdirSync(folder)).toEqual([STATE]);
    const { url, code } = demo;
    const { token } = await createClient({ url }).redeemCode({ body: { code } });
    const client = createClient({ url, token });
    const done = async (started: Promise<{ id: string }>): Promise<unknown> => {
      const { id } = await started;
      for await (const _ of jobEvents({ url, token }, id));
      const { state, result, error } = await client.getJob({ params: { job: id } });
      expect({ state, error }).toEqual({ state: "done", error: null });
      return result;
    };
    await done(client.startSurvey({ params, body: {} }));
    const { plan } = (await done(client.startPlan({ params, body: { loss: "0.5" } }))) as { plan: string };
    const { key } = (await done(client.startRelease({ params, body: { plan } }))) as { key: string };
    await client.changeDataset({ params, body: { plan, key } });
    const { grids } = await client.listGrids({ params });
    expect(grids.length).toBeGreaterThan(0);
    expect(grids.filter(({ released }) => !released)).toEqual([]);
    expectPrivate(path.join(folder, STATE));
  } finally {
    await demo.stop();
  }
  const moved = temporaryFolder();
  renameSync(path.join(folder, STATE), path.join(moved, STATE));
  const again = await serveDemo({ in: moved });
  try {
    const { url, code } = again;
    const { token } = await createClient({ url }).redeemCode({ body: { code } });
    const client = createClient({ url, token });
    const { id } = await client.startSurvey({ params, body: {} });
    for await (const _ of jobEvents({ url, token }, id));
    expect(await client.getJob({ params: { job: id } })).toMatchObject({ state: "done", error: null });
  } finally {
    await again.stop();
  }
});

/** Every folder is 0700 and every file 0600, also the lock and its journal. */
function expectPrivate(state: string): void {
  const entries = readdirSync(state, { recursive: true, withFileTypes: true });
  expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(["serving.lock", "city.parquet", "city.csv"]));
  const places = [state, ...entries.map(({ parentPath, name }) => path.join(parentPath, name))];
  const others = places.filter((place) => (statSync(place).mode & 0o077) !== 0);
  expect(others.map((place) => path.relative(state, place))).toEqual([]);
}

test("the pages that print it say where its state lies, and a clone ignores the folder", () => {
  for (const page of ["README.md", "docs/dashboard.md", "docs/service.md"])
    expect(readFileSync(path.join(root, page), "utf8")).toContain(`\`${STATE}/\``);
  expect(spawnSync("git", ["check-ignore", "-q", `${STATE}/service.db`], { cwd: root }).status).toBe(0);
});
