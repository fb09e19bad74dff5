/** Files that may hold rows, in real processes: who may read them, and what is left of them after a kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { program, type Run, root, runNode, veilgridDone } from "./support/cli.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const RECORDS = ["--user", "who", "--value", "speed", "--by", "line"];
const PATIENCE_MS = 60_000;
let folder: string;
let env: { readonly TMPDIR: string };

beforeAll(async () => {
  folder = temporaryFolder();
  env = { TMPDIR: path.join(folder, "tmp") };
  await mkdir(env.TMPDIR);
  const rows = Array.from({ length: 600_000 }, (_, row) => `bus-${row % 300_000},line-${row % 997},${row},${row % 60}`);
  writeFileSync(path.join(folder, "large.csv"), `who,line,at,speed\n${rows.join("\n")}\n`);
  writeFileSync(path.join(folder, "small.csv"), "who,line,speed\nbus-1,a,57\nbus-2,a,31\nbus-2,b,12\n");
});

/** Paths of the files and folders below the folder for temporary files. */
const temporaryFiles = (): string[] =>
  readdirSync(env.TMPDIR, { recursive: true, encoding: "utf8" }).map((name) => path.join(env.TMPDIR, name));

/** The command with the umask, which a shell sets. */
function veilgridUnder(umask: string, args: readonly string[]): ChildProcess {
  return spawn("/bin/sh", ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath, program, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...env },
    stdio: "ignore",
  });
}

const ended = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once("exit", resolve));

const modeOf = (file: string): string => (statSync(path.resolve(folder, file)).mode & 0o777).toString(8);

/** A survey that has spilled rows and goes on. */
async function spilling(): Promise<ChildProcess> {
  const child = veilgridUnder("0", ["survey", "large.csv", ...RECORDS, "--dedupe", "at", "--memory", "80MB"]);
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(5)) {
    if (temporaryFiles().some((file) => file.endsWith(".tmp") && statSync(file).size > 0)) return child;
    if (child.exitCode !== null) break;
  }
  child.kill("SIGKILL");
  throw new Error("it did not spill");
}

test("spilled rows are for their owner only; another run leaves them alone until their process was killed", async () => {
  const child = await spilling();
  child.kill("SIGSTOP");
  await sleep(100); // for its threads to stop
  const spilled = temporaryFiles();
  for (const file of spilled)
    expect([file, modeOf(file)]).toEqual([file, statSync(file).isDirectory() ? "700" : "600"]);
  await veilgridDone(["survey", "small.csv", ...RECORDS], { in: folder, env });
  expect(temporaryFiles()).toEqual(spilled);
  const end = ended(child);
  child.kill("SIGKILL");
  await end;
  expect(temporaryFiles()).toEqual(spilled);
  await veilgridDone(["survey", "small.csv", ...RECORDS], { in: folder, env });
  expect(temporaryFiles()).toEqual([]);
});

test("processes that begin at once leave each other's folders alone", async () => {
  const rounds = `
    import { TemporaryFolder } from ${JSON.stringify(path.join(root, "dist", "data", "sources", "index.js"))};
    import { existsSync, writeFileSync } from "node:fs";
    for (let round = 0; round < 200; round++) {
      const folder = TemporaryFolder.make();
      writeFileSync(folder.path + "/rows", "");
      if (!existsSync(folder.path + "/lock")) throw new Error("removed by another");
      folder[Symbol.dispose]();
    }`;
  const run = (): Promise<Run> => runNode(["--input-type=module", "-e", rounds], { in: folder, env });
  expect(await Promise.all([run(), run(), run(), run()])).toEqual(Array(4).fill({ status: 0, stdout: "", stderr: "" }));
  expect(temporaryFiles()).toEqual([]);
});

test("files that were asked for are as the umask says; one that is replaced keeps its permissions", async () => {
  const records = ["small.csv", ...RECORDS];
  const run = async (...args: string[]): Promise<void> => {
    expect([args, await ended(veilgridUnder("027", args))]).toEqual([args, 0]);
  };
  await run("survey", ...records, "--out", "occupancy.csv");
  await run("simulate", "city", "--vehicles", "5", "--hours", "9-10", "--out", "city.parquet");
  await run("plan", ...records, "--upper", "60", "--epsilon", "1", "--strategy", "baseline", "--out", "plan.json");
  await run("ledger", "init", "--ledger", "ledger.db", "--dataset", "d", "--budget", "9", "--occupancy-is-public");
  const release = ["--plan", "plan.json", "--ledger", "ledger.db", "--dataset", "d", "--out", "results/"];
  await run("release", "small.csv", ...release);
  const files = ["occupancy.csv", "city.parquet", "plan.json", "results/statistics.csv", "results/statistics.parquet"];
  expect(files.map(modeOf)).toEqual(files.map(() => "640"));
  expect([modeOf("results"), modeOf("ledger.db")]).toEqual(["750", "600"]);

  chmodSync(path.join(folder, "plan.json"), 0o604);
  await run("plan", ...records, "--upper", "60", "--epsilon", "2", "--strategy", "baseline", "--out", "plan.json");
  expect(modeOf("plan.json")).toBe("604");
});
