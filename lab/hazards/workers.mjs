/** Threads that die in the middle: those that release grids, those that do jobs, and those of an experiment. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { ended, refusedByService, serviceAccounts, withService } from "./service.mjs";

const ENDS = ["exit", "throw", "heap"];
/** So that a thread's heap is full soon; the service itself needs less. */
const nodeFlags = ["--max-old-space-size=96"];

/** The thread that releases grids dies; who asked is told to ask again, and gets one answer for one charge. */
export async function deadGridWorker({ tally, scene, template }) {
  for (const [index, at] of ["before reserve", "after reserve", "before commit", "after commit"].entries()) {
    const here = scene();
    const end = ENDS[index % ENDS.length];
    const what = `grid thread, ${end} ${at}`;
    const hazard = { at, what: end, once: here.at("once") };
    await withService(here, { template, hazard, nodeFlags }, async (served) => {
      const asked = await Promise.all([0, 1, 1].map((grid) => served.tryAsk(grid)));
      if (!existsSync(here.at("once"))) tally.problem(`${what}: did not happen`);
      const told = asked.filter(({ error }) => error !== undefined);
      if (told.length === 0) tally.problem(`${what}: nobody was told`);
      for (const { error } of told) refusedByService(error, { tally, what, status: [503], line: /ask again/ });
      const texts = await Promise.all([0, 1].map((grid) => served.ask(grid)));
      for (const [grid, text] of texts.entries()) {
        const before = [asked[0], asked[1], asked[2]].filter((_, place) => (place === 0 ? 0 : 1) === grid);
        if (before.some((each) => each.text !== undefined && each.text !== text)) tally.double(`${what}: two answers`);
        if ((await served.ask(grid)) !== text) tally.double(`${what}: two answers`);
      }
      await serviceAccounts(here, { ...served, released: 2, what });
      tally.injection("told to ask again, then answered");
    });
    here.remove();
  }
}

/** The thread of a release job dies; the job has failed, others go on, and the same job again finishes it. */
export async function deadJobWorker({ tally, scene, template }) {
  for (const [index, at] of ["after reserve", "before commit", "after commit"].entries()) {
    const here = scene();
    const end = ENDS[index % ENDS.length];
    const what = `job thread, ${end} ${at}`;
    const hazard = { at, what: end, once: here.at("once") };
    await withService(here, { template, hazard, nodeFlags }, async ({ curator, params, plan, grids, ...served }) => {
      const body = { plan, key: "job" };
      const [dying, other] = await Promise.all([
        curator.startRelease({ params, body }),
        curator.startSurvey({ params, body: {} }),
      ]);
      const [dead, survey] = await Promise.all([ended(curator, dying.id), ended(curator, other.id)]);
      if (dead.state !== "failed") tally.problem(`${what}: the job is ${dead.state}`);
      refusedByService(
        { ...dead.error, status: 500 },
        { tally, what, status: [500], line: /thread .* ended before it was done|memory/ },
      );
      if (survey.state !== "done") tally.problem(`${what}: another job is ${survey.state}: ${survey.error?.message}`);
      const again = await ended(curator, (await curator.startRelease({ params, body })).id);
      if (again.state !== "done") tally.loss(`${what}: the same job again is ${again.state}: ${again.error?.message}`);
      const spent = (await curator.getLedger({ params })).exact.loss;
      const third = await ended(curator, (await curator.startRelease({ params, body })).id);
      if (JSON.stringify(third.result?.rows) !== JSON.stringify(again.result?.rows))
        tally.double(`${what}: two answers`);
      if ((await curator.getLedger({ params })).exact.loss !== spent) tally.loss(`${what}: charged twice`);
      await serviceAccounts(here, { ...served, released: grids.length, what });
      tally.injection("failed in one line, then done");
    });
    here.remove();
  }
  await deadExperiment({ tally, here: scene() });
}

/** A thread of `reproduce` dies: one line, nobody waits for the other thread, no figures are left that are not whole, and the same command again works. */
async function deadExperiment({ tally, here }) {
  const args = [
    "reproduce",
    "synthetic",
    "--figures",
    "paper",
    "--draws",
    "1",
    "--workers",
    "2",
    "--out",
    here.at("figures/"),
  ];
  for (const end of ["exit", "heap"]) {
    const what = `reproduce, ${end} in a thread`;
    const run = await here.run(args, {
      nodeFlags,
      hazard: { at: "task", what: end, once: here.at(`once-${end}`), others: "hang" },
    });
    here.refused(run, { what, line: /worker .*(before its task was done|memory)/ });
    here.tidy(here.folder, what);
    if (
      existsSync(here.at("figures")) &&
      readdirSync(here.at("figures")).some((name) => readFileSync(here.at("figures", name)).length === 0)
    )
      tally.problem(`${what}: left an empty file`);
    tally.injection("refused in one line");
  }
  const run = await here.run(args);
  if (run.status !== 0) tally.problem(`reproduce does not work again: ${run.stderr}`);
  here.remove();
}
