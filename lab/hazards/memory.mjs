/** No memory: for the engine, before and after the charge and with no room to spill to, and for the runtime itself. */
import { smallDisk, whyNot } from "./disks.mjs";

/** What the runtime needs to start, and little more. */
const HEAP_MB = 64;

export async function noMemory({ tally, scene, folder }) {
  const here = scene();
  // From the start: nothing is charged.
  const flags = [...here.releaseFlags("k0"), "--memory", "1MB"];
  here.refused(await here.run(flags), {
    what: "1 MB for the engine",
    line: /memory does not suffice; give it more with --memory/,
  });
  if ((await here.standing("k0")) !== undefined) tally.loss("1 MB for the engine: charged");
  tally.injection("refused in one line");
  // Once it is charged: that is said, and it is finished when there is memory.
  const starved = await here.run(here.releaseFlags("k0"), { hazard: { at: "after reserve", what: "starve" } });
  here.refused(starved, { what: "no memory for totals", line: /memory does not suffice.*charged and pending/ });
  tally.injection("said to be pending, then finished");
  await here.worksAgain("k0", { what: "no memory for totals", before: here.disclosed(here.at("out-k0/")) });
  for (const [index, at] of ["before reserve", "after reserve", "before commit", "after commit"].entries()) {
    const key = `heap${index}`;
    const what = `the runtime's heap is full ${at}`;
    const nodeFlags = [`--max-old-space-size=${HEAP_MB}`];
    const run = await here.run(here.releaseFlags(key), { nodeFlags, hazard: { at, what: "heap" } });
    // The runtime has no memory left to run a line of ours: its own words come out.
    if (run.signal !== "SIGABRT" || !/heap out of memory/.test(run.stderr))
      tally.problem(`${what}: ${run.signal} ${run.stderr.slice(0, 200)}`);
    tally.injection("ended by the runtime, then finished");
    await here.worksAgain(key, { what, before: here.disclosed(here.at(`out-${key}/`)) });
  }
  await here.accounts("no memory");
  here.remove();
  await noTemporaryFiles({ tally, scene, folder });
}

/** The folder for temporary files is full, with and without memory enough to do without; and a Parquet file is made in it. */
async function noTemporaryFiles({ tally, scene, folder }) {
  const disk = smallDisk(folder, 100_000);
  if (disk === undefined) return tally.skip(whyNot());
  const here = scene();
  disk.fill();
  const env = { TMPDIR: disk.place };
  const starved = await here.run(here.releaseFlags("spill"), { env, hazard: { at: "after reserve", what: "starve" } });
  here.refused(starved, {
    what: "no memory, no room to spill",
    line: /(memory does not suffice|no room left).*charged and pending/,
  });
  tally.injection("said to be pending, then finished");
  const parquet = [...here.releaseFlags("spill", here.at("out.parquet"))];
  const run = await here.run(parquet, { env });
  here.refused(run, {
    what: "no room to make a Parquet file",
    line: /no temporary files.*charged and committed.*at no cost/,
  });
  here.tidy(here.folder, "no room to make a Parquet file");
  tally.injection("committed, written later");
  disk.makeRoom();
  if ((await here.run(parquet, { env })).status !== 0)
    tally.loss("no room to make a Parquet file: does not work again");
  await here.worksAgain("spill", { what: "no room for temporary files" });
  await here.accounts("no room for temporary files");
  disk.remove();
  here.remove();
}
