/** The disk of a running service fills up: it says so, charges nothing that it does not finish, and goes on once there is room. */
import { smallDisk, whyNot } from "./disks.mjs";
import { ended, refusedByService, serviceAccounts, withService } from "./service.mjs";

const PAGE = 4096;

export async function fullState({ folder, tally, scene, template, random }) {
  const disk = smallDisk(folder, 4_000_000);
  if (disk === undefined) return tally.skip(whyNot());
  const here = scene();
  await withService(here, { template, state: disk.at("state") }, async (served) => {
    const { curator, params, plan } = served;
    const first = await served.ask(0);
    for (const [index, pages] of [0, 1, 3, 2 + random.below(10)].entries()) {
      const what = `full state, but for ${pages} pages`;
      disk.fill(pages * PAGE);
      const asked = await served.tryAsk(1 + index);
      if (asked.error !== undefined)
        refusedByService(asked.error, { tally, what, status: [503], line: /full|ledger cannot be/ });
      if ((await served.ask(0)) !== first) tally.double(`${what}: what is committed is another`);
      const job = await curator.startRelease({ params, body: { plan, key: `job${index}` } }).then(
        ({ id }) => ended(curator, id),
        (error) => ({ state: "failed", error: { ...error, message: error.message } }),
      );
      if (job.state !== "done")
        refusedByService({ ...job.error, status: 503 }, { tally, what, status: [503], line: /full/ });
      tally.injection(asked.error === undefined && job.state === "done" ? "had room enough" : "refused in one line");
      disk.makeRoom();
      const text = await served.ask(1 + index);
      if (asked.text !== undefined && asked.text !== text) tally.double(`${what}: two answers`);
      const again = await ended(
        curator,
        (await curator.startRelease({ params, body: { plan, key: `job${index}` } })).id,
      );
      if (again.state !== "done") tally.loss(`${what}: the job again is ${again.state}: ${again.error?.message}`);
    }
    // The first grid, one more each time, and every grid under the key of each job.
    const released = 5 + 4 * served.grids.length;
    await serviceAccounts(here, { ...served, released, what: "full state" });
  });
  disk.remove();
  here.remove();
}
