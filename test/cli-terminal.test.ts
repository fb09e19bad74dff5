/** Standard output of the built command: what steers a terminal is escaped on one, and every byte is as it is elsewhere. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { program, type Run, runNode, veilgridDone } from "./support/cli.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** Node.js tells a terminal by this property; the rest is the command's own way out. */
const ON_TERMINAL = ["--import", "data:text/javascript,process.stdout.isTTY=true", program];

const RECORDS = ["--user", "who", "--value", "speed", "--by", "line"];
const PLAN = ["--upper", "9", "--epsilon", "1", "--strategy", "baseline", "--out", "plan.json"];
const RELEASE = ["release", "records.csv", "--plan", "plan.json", "--ledger", "ledger.db", "--dataset", "d"];

test("a release's CSV", async () => {
  const folder = temporaryFolder();
  const veilgrid = (...args: string[]): Promise<Run> => veilgridDone(args, { in: folder });
  const lines = ["\u001b[2J\u001b]0;title\u0007", "\u009b31m\u202etxt.exe", "tab\tbed", "two\nlines", "Zürich 日本"];
  const rows = lines.flatMap((line) => [1, 2, 3].map((user) => `u${user},"${line}",${user}`));
  writeFileSync(path.join(folder, "records.csv"), `who,line,speed\n${rows.join("\n")}\n`);
  await veilgrid("plan", "records.csv", ...RECORDS, ...PLAN);
  await veilgrid(
    "ledger",
    "init",
    "--ledger",
    "ledger.db",
    "--dataset",
    "d",
    "--budget",
    "99",
    "--occupancy-is-public",
  );
  const { stdout: bytes } = await veilgrid(...RELEASE);
  for (const line of lines) expect(bytes).toContain(line);
  // The same key gives the same bytes again.
  const { stdout: shown } = await runNode([...ON_TERMINAL, ...RELEASE], { in: folder });
  expect(shown).toBe(
    bytes.replaceAll(lines[0]!, "\\u001b[2J\\u001b]0;title\\u0007").replaceAll(lines[1]!, "\\u009b31m\\u202etxt.exe"),
  );
});

test("an array in many pieces", async () => {
  const synthetic = ["simulate", "synthetic", "--grids", "13"];
  const folder = temporaryFolder();
  const { stdout: bytes } = await veilgridDone(synthetic, { in: folder });
  expect(bytes.length).toBeGreaterThan(1 << 17);
  expect((await runNode([...ON_TERMINAL, ...synthetic], { in: folder })).stdout).toBe(bytes);
});
