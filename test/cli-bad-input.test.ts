/** Bad input to the built command: one clear line, exit status 1 or 2, nothing on standard output and nothing written. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { veilgrid } from "./support/cli.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const ROWS = "ada,north,3\nada,south,1\nben,north,2\ncy,south,4\n";
const GOOD = `user,grid,count\n${ROWS}`;
const ESCAPES = "\u001b[31mred\u001b]0;title\u0007\u009b2J\u202e\r";

/** Control characters other than the newline that ends a line, and what reorders text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be printed
const RAW_CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Runs in a folder that holds good.csv and `files`; expects a refusal that matches `message` and changes nothing. */
async function expectRefusal(
  args: readonly string[],
  refusal: { status: 1 | 2; message: RegExp; files?: Readonly<Record<string, string | Uint8Array>>; input?: string },
): Promise<void> {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "folder"));
  for (const [name, content] of Object.entries({ "good.csv": GOOD, ...refusal.files }))
    writeFileSync(path.join(folder, name), content);
  const before = readdirSync(folder, { recursive: true });

  const { status, stdout, stderr } = await veilgrid(args, {
    in: folder,
    ...(refusal.input === undefined ? {} : { input: refusal.input }),
  });

  expect(stderr).toMatch(/^veilgrid: [^\n]+\n$/);
  expect(stderr).toMatch(refusal.message);
  expect(stderr).not.toMatch(RAW_CONTROLS);
  expect(stderr).not.toContain("this should not happen");
  expect(stdout).toBe("");
  expect(status).toBe(refusal.status);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
}

test("a good file passes where the bad ones below fail", async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "good.csv"), GOOD);
  const flags = ["--upper", "65", "--epsilon", "1", "--out", "plan.json"];
  const { status, stderr } = await veilgrid(["plan", "good.csv", ...flags], { in: folder });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(readdirSync(folder).sort()).toEqual(["good.csv", "plan.json"]);
});

describe.concurrent("an occupancy file", () => {
  const header = "user,grid,count\n";
  test.each<[what: string, content: string | Uint8Array, message: RegExp]>([
    ["that is empty", "", /bad\.csv: the file is empty; expected the header user,grid,count/],
    ["with blank lines only", "\n\n\n", /the file is empty/],
    ["with a header only", header, /no row has a count above 0/],
    ["with zero counts only", `${header}ada,north,0\n`, /no row has a count above 0/],
    [
      "with another header",
      `name,place,count\n${ROWS}`,
      /the first row is not the header user,grid,count: no column is called user or grid;/,
    ],
    [
      "without a header",
      ROWS,
      /the first row is not the header user,grid,count: no column is called user or grid or count;/,
    ],
    ["with a column too many", "user,grid,count,speed\na,b,1,50\n", /the header user,grid,count: it has 4 columns;/],
    [
      "with one column named twice",
      "user,user,count\na,b,1\n",
      /the header user,grid,count: no column is called grid;/,
    ],
    ["with a negative count", `${header}ada,north,3\nben,north,-2\n`, /row 2 \(line 3\).*'-2' is negative/],
    ["with a fractional count", `${header}ada,north,2.5\n`, /row 1 \(line 2\).*'2\.5' is a fraction/],
    ["with a count in words", `${header}ada,north,three\n`, /row 1 \(line 2\).*'three' is not a number/],
    ["with a count in hexadecimal", `${header}ada,north,0x10\n`, /'0x10' is not a number/],
    ["with a count with exponent", `${header}ada,north,1e3\n`, /'1e3' is not a number/],
    ["with a count that is NaN", `${header}ada,north,NaN\n`, /'NaN' is not a number/],
    ["with an empty count", `${header}ada,north,\n`, /row 1 \(line 2\).*count '' is not a number/],
    ["with a huge count", `${header}ada,north,4294967296\n`, /'4294967296' is above 4294967295/],
    ["with an endless count", `${header}ada,north,${"9".repeat(5000)}\n`, /is above 4294967295/],
    ["whose repeated rows add up too far", `${header}ada,north,4294967295\nada,north,1\n`, /add up to more than 429/],
    ["with a field missing", `${header}ada,north,3\nben,north\n`, /row 2 \(line 3\): 2 fields .*needs 3/],
    ["with a field too many", `${header}ada,north,3,4\n`, /row 1 \(line 2\): 4 fields/],
    [
      "with semicolons",
      "user;grid;count\nada;north;3\n",
      /the header user,grid,count: no column is called user or grid or count;/,
    ],
    ["with an open quotation mark", `${header}"ada,north,3\n`, /quotation mark/],
    ["with text after a quotation mark", `${header}"ada"x,north,3\n`, /quotation mark/],
    ["that is not UTF-8", Buffer.from(`${header}\xe9,north,3\n`, "latin1"), /row 1 \(line 2\).*UTF-8/],
    ["that is UTF-16", Buffer.from(`\ufeff${GOOD}`, "utf16le"), /the first row is not the header user,grid,count: /],
    [
      "that is binary",
      Uint8Array.from({ length: 5000 }, (_, at) => (at * 151) % 256),
      /bad\.csv: the first row is not the header/,
    ],
    ["that is a gzip cut short", gzipSync(GOOD).subarray(0, 30), /'bad\.csv': the gzip file ends early/],
    ["that is a gzip of two bytes", Uint8Array.of(0x1f, 0x8b), /'bad\.csv': the gzip file ends early/],
    ["that is a damaged gzip", damaged(gzipSync(GOOD)), /'bad\.csv': the gzip data is damaged/],
    ["with an escape sequence in its header", `user,grid,${ESCAPES}\n`, /no column is called count;/],
    ["with an escape sequence as count", `${header}ada,north,${ESCAPES}\n`, /count '\\u001b\[31mred/],
  ])("%s is refused", async (_, content, message) => {
    const plan = ["plan", "bad.csv", "--upper", "65", "--epsilon", "1", "--out", "plan.json"];
    await expectRefusal(plan, { status: 1, message, files: { "bad.csv": content } });
  });

  test.each([
    ["prose", "Jane Doe, born in 1970\nowes 4711 to John\n"],
    ["one line", "Jane Doe owes 4711\n"],
    ["JSON lines", '{"name":"Jane Doe","owes":4711}\n'],
    ["an open quotation mark", '"Jane Doe, born in 1970\nowes 4711\n'],
  ])("that is none but %s: nothing of it is quoted", async (_, content) => {
    const message = /^(?!.*(Jane|Doe|4711|1970)).* the first row is not the header user,grid,count: /;
    for (const command of [["plan", "--loss", "1"], ["compare"]])
      await expectRefusal([...command, "secret.txt", "--upper", "65"], {
        ...{ status: 1, message },
        files: { "secret.txt": content },
      });
  });

  test.each<[what: string, name: string, message: RegExp]>([
    ["does not exist", "missing.csv", /'missing\.csv' does not exist/],
    ["is a folder", "folder", /'folder' is a folder/],
    ["lies inside a file", "good.csv/more.csv", /'good\.csv\/more\.csv' /],
    ["has an escape sequence for a name", "\u001b[31m.csv", /'\\u001b\[31m\.csv' does not exist/],
  ])("that %s is refused by survey and plan", async (_, name, message) => {
    await expectRefusal(["survey", name, "--out", "o.csv"], { status: 1, message });
    const plan = ["plan", name, "--upper", "65", "--epsilon", "1", "--out", "plan.json"];
    await expectRefusal(plan, { status: 1, message });
  });

  test("on standard input is refused under that name", async () => {
    const input = `${header}ada,north,-1\n`;
    const message = /standard input: row 1 \(line 2\).*'-1' is negative/;
    await expectRefusal(["survey", "-"], { status: 1, message, input });
    await expectRefusal(["survey", "-"], { status: 1, input: "", message: /standard input: the file is empty/ });
  });
});

describe.concurrent("plan", () => {
  const upper = ["--upper", "65"];
  const epsilon = ["--epsilon", "1"];
  const both = [...upper, ...epsilon];
  const clipUser = ["--strategy", "clip-user"];
  test.each<[flags: string[], message: RegExp, status?: 1 | 2]>([
    [epsilon, /--bounds a,b is missing/],
    [["--bounds", "0,65", ...both], /--bounds and --upper say the same thing/],
    [["--bounds", "65,0", ...epsilon], /bounds 65,0: the lower bound must lie below/],
    [["--bounds", "5,5", ...epsilon], /bounds 5,5: the lower bound must lie below/],
    [["--bounds", "0,fast", ...epsilon], /--bounds 'fast' is not a decimal number/],
    [["--bounds", "0", ...epsilon], /--bounds '0' is not two numbers/],
    [["--bounds", "0,1,2", ...epsilon], /--bounds '0,1,2' is not two numbers/],
    [["--bounds", "", ...epsilon], /--bounds '' is not two numbers/],
    [["--bounds", "0,1e200", ...epsilon], /bounds must lie within ±1e100/],
    [["--upper", "0", ...epsilon], /the lower bound must lie below/],
    [["--upper", "-1", ...epsilon], /the lower bound must lie below/],
    [["--upper", "Infinity", ...epsilon], /--upper 'Infinity' is not a decimal number/],
    [[...upper, ...clipUser], /--epsilon is missing/],
    [upper, /nothing to aim for: give one of --loss/],
    [[...both, "--loss", "1"], /two aims at once: give one of --loss/],
    [[...upper, "--loss", "0"], /--loss 0 must be above 0/],
    [[...upper, "--loss", "much"], /--loss 'much' is not a number such as 0\.5, .* or one of careful, common, loose/],
    [[...upper, "--loss", "2/0"], /--loss '2\/0' is not a number such as 0\.5, a budget over a number of releases/],
    [[...upper, "--error", "50"], /--error '50' for several statistics needs a metric: .* --error mean=2,sd=5/],
    [
      [...both, "--error-bound", "5"],
      /--error-bound goes with --strategy clip-user or clip-user-optimal, not frontier/,
    ],
    [[...both, "--split", "best"], /--split goes with --strategy baseline/],
    [[...both, "--estimator", "middle"], /--estimator 'middle' is unknown; use kept or centred/],
    [[...both, ...clipUser, "--estimator", "centred"], /--estimator centred goes with --strategy frontier/],
    [[...both, "--time-limit", "soon"], /--time-limit 'soon' must be a whole number/],
    [[...upper, "--loss", "1e-9", "--estimator", "kept"], /buys nothing better than midpoints in any grid/],
    [[...upper, "--epsilon", "0"], /--epsilon 0 must be above 0/],
    [[...upper, "--epsilon", "abc"], /--epsilon 'abc' is not a decimal number/],
    [[...upper, "--epsilon", "1e400"], /--epsilon .* protects nothing/],
    [[...upper, "--epsilon", "1e-18"], /too small to divide by 2/],
    [[...upper, "--epsilon", ESCAPES], /--epsilon '\\u001b\[31mred/],
    [[...both, ...clipUser, "--error-bound", "0.5"], /error bound 0\.5 lies below .* grid 'south'/, 1],
    [[...both, ...clipUser, "--error-bound", "0"], /--error-bound '0' must be above 0/],
    [[...both, ...clipUser, "--error-bound", "low"], /--error-bound 'low' is not a decimal number/],
    [[...both, "--strategy", "frontal"], /--strategy 'frontal' is unknown; use /],
    [[...both, "--metric", "max"], /--metric 'max' is unknown; use sum or relative/],
    [[...both, ...clipUser, "--split", "odd"], /--split 'odd' is unknown; use even or best/],
    [[...both, "--statistics", "median"], /--statistics 'median' is unknown; use mean, variance/],
    [[...both, "--statistics", "mean,mean"], /--statistics names 'mean' twice/],
    [[...both, "--statistics", "share"], /--statistics 'share' is unknown/],
    [[...both, "--weights", "sum=1"], /--weights 'sum=1' names no chosen statistic; chosen: mean, variance/],
    [[...both, "--weights", "mean=1"], /--weights goes with --metric sum; the relative metric, the default for/],
    [[...both, "--weights", "mean=1", "--metric", "relative"], /--weights goes with --metric sum/],
    [[...both, "--step", "7"], /--step 7 must divide the width 65/],
    [[...both, "--strategy", "baseline", "--error-bound", "5"], /--error-bound goes with --strategy clip-user/],
    [[...both, "--strategy", "baseline", "--protect-lowest"], /--protect-lowest goes with --strategy clip-user/],
    [[...both, "--strategy", "baseline", "--whole-stages"], /--whole-stages goes with --strategy clip-user/],
    [[...both, "--rows", "-1"], /--rows '-1' is not a whole number/],
    [[...both, "--fast"], /unknown option '--fast'/],
    [[...both, "--jsn"], /unknown option '--jsn' \(Did you mean --json\?\)/],
    [[...both, "other.csv"], /too many arguments/],
  ])("%j is refused", async (flags, message, status = 2) => {
    await expectRefusal(["plan", "good.csv", ...flags, "--out", "plan.json"], { status, message });
  });

  test.each<[flags: string[], message: RegExp]>([
    [[...upper, "--epsilon", "0"], /--epsilon 0 must be above 0/],
    [[...both, "--step", "7"], /--step 7 must divide/],
    [[...upper, "--error", "50"], /--error '50' for several statistics needs a metric/],
    [[...both, "--statistics", "median"], /'median' is unknown/],
    [[...both, "--rows", "x"], /--rows 'x'/],
  ])("%j is refused before the source is opened", async (flags, message) => {
    await expectRefusal(["plan", "missing.csv", ...flags], { status: 2, message });
  });

  test("a flag without its value is refused", () =>
    expectRefusal(["plan", "good.csv", "--epsilon"], { status: 2, message: /'--epsilon <number>' argument missing/ }));

  test("without a source is refused", () =>
    expectRefusal(["plan", ...both], { status: 2, message: /missing required argument 'source'/ }));
});

describe.concurrent("compare", () => {
  const upper = ["--upper", "65"];
  test.each<[flags: string[], message: RegExp]>([
    [[], /--bounds a,b is missing/],
    [[...upper, "--loss", "1", "--error", "5"], /--loss and --error are two ways to choose the points/],
    [[...upper, "--loss", "1", "--epsilon", "1"], /--loss and --epsilon are two ways/],
    [[...upper, "--loss", "0.5,,1"], /--loss '0\.5,,1': write a list as 0\.5,1,2/],
    [[...upper, "--loss", ""], /--loss '': write a list/],
    [[...upper, "--loss", "0.5,lots"], /--loss 'lots' is not a number such as 0\.5/],
    [[...upper, "--loss", "1,0"], /--loss 0 must be above 0/],
    [[...upper, "--loss", Array.from({ length: 41 }, (_, at) => at + 1).join()], /--loss has 41 entries/],
    [[...upper, "--error", "mean=2"], /compare takes errors in the metric/],
    [[...upper, "--error", "-3"], /--error '-3' must be above 0/],
    [[...upper, "--error", "50,100"], /--error '50,100' for several statistics needs a metric/],
    [[...upper, "--epsilon", "0"], /--epsilon 0 must be above 0/],
    [[...upper, "--strategies", "baseline,frontal"], /--strategies 'frontal' is unknown; use /],
    [[...upper, "--strategies", ESCAPES], /--strategies '\\u001b\[31mred/],
    [[...upper, "--estimator", "middle"], /--estimator 'middle' is unknown; use kept or centred/],
    [[...upper, "--statistics", "median"], /--statistics 'median' is unknown/],
    [[...upper, "--h3", "7,,8"], /--h3 '7,,8': write a list/],
    [[...upper, "--budget", "2"], /--budget and --releases go together/],
    [[...upper, "--budget", "2", "--releases", "0"], /--releases '0' must be a whole number/],
    [[...upper, "--seed", "dice"], /--seed 'dice' must be a whole number/],
    [[...upper, "--time-limit", "soon"], /--time-limit 'soon' must be a whole number/],
    [[...upper, "--out", "chart.png"], /--out 'chart\.png': .* use \.csv, \.svg or \.json/],
  ])("%j is refused before the source is opened", async (flags, message) => {
    await expectRefusal(["compare", "missing.csv", ...flags], { status: 2, message });
  });
});

describe.concurrent("simulate synthetic", () => {
  test.each<[flags: string[], message: RegExp]>([
    [["--gamma", "-1"], /gamma -1 must be a whole number from 0/],
    [["--q", "0"], /q 0 must lie between/],
    [["--seed", "-1"], /seed -1 must be a whole number from 0/],
    [["--grids", "0"], /grids 0 must be a whole number from 1/],
    [["--grids", ESCAPES], /--grids '\\u001b\[31mred/],
    [["--fast"], /unknown option '--fast'/],
    [["extra"], /too many arguments/],
  ])("%j is refused", async (flags, message) => {
    await expectRefusal(["simulate", "synthetic", ...flags, "--out", "o.csv"], { status: 2, message });
  });

  test("--json without --out is refused", () =>
    expectRefusal(["simulate", "synthetic", "--json"], { status: 2, message: /--json needs --out/ }));
});

describe.concurrent("simulate over a file that is there", () => {
  const small = { synthetic: ["--grids", "2"], city: ["--vehicles", "3", "--hours", "9-10"] };
  test.each([
    ["synthetic", "mine.csv"],
    ["synthetic", "mine.csv.gz"],
    ["city", "mine.csv"],
    ["city", "mine.parquet"],
  ] as const)("%s: %s is replaced with --force only", async (what, file) => {
    const folder = temporaryFolder();
    const records = path.join(folder, file);
    const simulate = ["simulate", what, ...small[what], "--out", file];
    writeFileSync(records, GOOD);
    const { status, stdout, stderr } = await veilgrid(simulate, { in: folder });
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: "",
      stderr: `veilgrid: --out '${file}' exists already; add --force to replace it, or write to another file\n`,
    });
    expect(readFileSync(records, "utf8")).toBe(GOOD);
    expect((await veilgrid([...simulate, "--force"], { in: folder })).status).toBe(0);
    expect(readFileSync(records, "utf8")).not.toBe(GOOD);
    expect(readdirSync(folder)).toEqual([file]);
  });

  test("an empty file and a device hold nothing", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "empty.csv"), "");
    for (const out of ["empty.csv", "/dev/null"])
      expect(await veilgrid(["simulate", "synthetic", "--grids", "2", "--out", out], { in: folder })).toMatchObject({
        status: 0,
        stderr: "",
      });
  });
});

describe.concurrent("a command", () => {
  test.each<[args: string[], message: RegExp]>([
    [["publish"], /unknown command 'publish'/],
    [["plna"], /unknown command 'plna' \(Did you mean plan\?\)/],
    [["simulate", "village"], /unknown command 'village'/],
    [["--fast"], /unknown option '--fast'/],
    [["survey"], /missing required argument 'source'/],
    [[ESCAPES], /unknown command '\\u001b\[31mred/],
  ])("%j is refused", (args, message) => expectRefusal(args, { status: 2, message }));
});

describe.concurrent("serve", () => {
  const served = ["--data", "folder"];
  test.each<[flags: string[], status: 1 | 2, message: RegExp]>([
    [[...served, "--port", "99999"], 2, /--port 99999 must be a whole number from 0 to 65535/],
    [["--demo", "--port", "99999"], 2, /--port 99999 must be a whole number from 0 to 65535/],
    [["--demo", "--port", "many"], 2, /--port 'many' is not a number/],
    [["--demo", "--jobs", "1.5"], 2, /--jobs 1\.5 must be a whole number/],
    [["--demo", "--upload-limit", "0"], 2, /--upload-limit 0 must be a number of GB above 0/],
    [["--demo", "--host", "0.0.0.0"], 2, /--host '0\.0\.0\.0' can be reached from elsewhere/],
    [["--demo", "--data", "nowhere"], 1, /data folder 'nowhere' does not exist/],
    [["--demo", "--data", "."], 2, /--state lies inside a folder of --data/],
    [[...served, "--state", "folder/state"], 2, /--state lies inside a folder of --data/],
    [[...served, "--tls-cert", "good.csv"], 2, /--tls-cert and --tls-key go together/],
    [[...served, "--tls-cert", "good.csv", "--tls-key", "good.csv"], 1, /is not in PEM/],
    [[...served, "--ledger", "ledger.db"], 2, /--ledger 'ledger\.db' is no address of a database/],
    [[...served, "--ledger", "postgres://me@localhost/budgets?durability=none"], 2, /durability can only be trusted/],
  ])("%j is refused", (flags, status, message) => expectRefusal(["serve", ...flags], { status, message }));
});

describe.concurrent("an output", () => {
  const commands = ["plan good.csv --upper 65 --epsilon 1", "survey good.csv", "simulate synthetic --grids 3"];
  const places = [
    {
      where: "in a folder that does not exist",
      out: "nowhere/out.csv",
      message: /'nowhere\/out\.csv': its folder does not/,
    },
    {
      where: "in a file",
      out: "good.csv/out.csv",
      message: /cannot write 'good\.csv\/out\.csv': its folder is a file/,
    },
    { where: "over a folder", out: "folder", message: /cannot write 'folder': it is a folder/ },
    { where: "without a name", out: "", message: /cannot write ''/ },
  ];
  test.each(
    commands.flatMap((command) => places.map((place) => ({ command, ...place }))),
  )("$where is refused: $command", ({ command, out, message }) =>
    expectRefusal([...command.split(" "), "--out", out], { status: 1, message }));
});

/** The same length and beginning, another content. */
function damaged(gzip: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(gzip);
  copy.fill(0xff, 12, 40);
  return copy;
}
