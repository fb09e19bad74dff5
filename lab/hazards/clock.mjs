/** The wall clock jumps by years, to either side: between the steps of a release, between releases, and between requests to a service. */
import { readFileSync } from "node:fs";
import { createClient, ServiceFailure } from "#apps/client";
import { ledgerShow } from "#apps/operations";
import { serviceAccounts, withService } from "./service.mjs";

const YEAR_MS = 365.25 * 86_400_000;
const JUMPS = [-20, -1, 1, 30];

export async function clockJumps({ tally, scene, template }) {
  const here = scene();
  // Within a release: whatever the clock says when it commits, the key is that of its beginning, and the charge is one.
  for (const [index, years] of JUMPS.entries()) {
    const at = ["before reserve", "after reserve", "before commit", "after commit"][index];
    const key = `k${index}-{yyyy}-{mm}-{dd}`;
    const what = `clock jumps ${years} years ${at}`;
    const out = here.at(`out-${index}/`);
    const today = dated(key, 0);
    const hazard = { at, what: "clock", milliseconds: years * YEAR_MS };
    const run = await here.run(here.releaseFlags(key, out), { hazard });
    if (run.status !== 0) tally.problem(`${what}: ${run.stderr}`);
    if (![today, dated(key, 0)].includes((await keysOf(here)).at(-1))) tally.problem(`${what}: under another key`);
    tally.injection("released once");
    await here.worksAgain((await keysOf(here)).at(-1), { what, before: here.disclosed(out) });
  }
  // Between releases: a template gives another key in another year, and the same key, bytes and no charge once the clock is back.
  const first = await onceIn(here, 0, tally);
  for (const years of JUMPS) {
    await onceIn(here, years, tally);
    const again = await onceIn(here, 0, tally);
    if (!again.equals(first)) tally.double(`clock jumps ${years} years and back: another answer`);
    tally.injection("released once in each year");
  }
  await pendingAcross(here, tally);
  await here.accounts("clock jumps");
  here.remove();
  await service({ tally, scene, template });
}

function dated(key, years) {
  const [yyyy, mm, dd] = new Date(Date.now() + years * YEAR_MS).toISOString().slice(0, 10).split("-");
  return key.replace("{yyyy}", yyyy).replace("{mm}", mm).replace("{dd}", dd);
}

async function keysOf(here) {
  const [{ releases }] = await ledgerShow({ ledger: here.ledger, dataset: "d" });
  return releases.map(({ key }) => key);
}

async function onceIn(here, years, tally) {
  const out = here.at(`year-${years}/`);
  const hazard = { at: "start", what: "clock", milliseconds: years * YEAR_MS };
  const run = await here.run(here.releaseFlags("yearly-{yyyy}", out), { hazard });
  if (run.status !== 0) tally.problem(`released in year ${years}: ${run.stderr}`);
  here.keys.add(dated("yearly-{yyyy}", years));
  return readFileSync(`${out}result.json`);
}

/** Charged in one year, cut short, and finished in an earlier one. */
async function pendingAcross(here, tally) {
  const what = "charged, then the clock goes back";
  const killed = await here.run(here.releaseFlags("across"), { hazard: { at: "after reserve", what: "kill" } });
  if (killed.signal !== "SIGKILL") tally.problem(`${what}: not killed`);
  const hazard = { at: "start", what: "clock", milliseconds: -20 * YEAR_MS };
  const resume = ["ledger", "resume", ...here.releaseFlags("across").slice(1)];
  const run = await here.run(resume, { hazard });
  if (run.status !== 0) tally.loss(`${what}: ${run.stderr}`);
  tally.injection("resumed");
  await here.worksAgain("across", { what, before: here.disclosed(here.at("out-across/")) });
}

/** Requests before and after a jump: answers stay, charges stay. */
async function service({ tally, scene, template }) {
  for (const years of [-20, 30]) {
    const here = scene();
    const what = `service, clock jumps ${years} years`;
    const milliseconds = years * YEAR_MS;
    // In the thread that releases, in the middle of it; and in the service itself, when the ledger is first looked at.
    const hazard = ["before commit", "before show"].map((at) => ({ at, what: "clock", milliseconds }));
    await withService(here, { template, hazard }, async (served) => {
      const first = await served.ask(0);
      const spent = await served.spent();
      if ((await served.ask(0)) !== first) tally.double(`${what}: another answer`);
      if ((await served.spent()) !== spent) tally.loss(`${what}: charged twice`);
      await Promise.all([1, 2, 2].map((grid) => served.ask(grid)));
      await serviceAccounts(here, { ...served, released: 3, what });
    });
    tally.injection("answered the same");
    here.remove();
  }
  await expiry({ tally, scene, template });
}

/** A token of one day is good today, refused in years, and good again once the clock is right: no state is spoilt by the jump. */
async function expiry({ tally, scene, template }) {
  const here = scene();
  for (const [years, allowed] of [
    [30, false],
    [-20, true],
    [0, true],
  ]) {
    const hazard = { at: "start", what: "clock", milliseconds: years * YEAR_MS };
    const answer = await withService(here, { template, hazard }, ({ url }) =>
      createClient({ url, token: template.service.oneDay }).listPublished(),
    ).then(
      () => true,
      (error) => {
        if (!(error instanceof ServiceFailure) || error.status !== 401) throw error;
        return false;
      },
    );
    if (answer !== allowed) tally.problem(`a token of one day, in year ${years}: ${answer ? "let in" : "refused"}`);
    tally.injection(allowed ? "token let in" : "token refused");
  }
  here.remove();
}
