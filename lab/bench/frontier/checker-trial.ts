/** `npm run build && tsc -p lab/bench/tsconfig.json && node build/bench/frontier/checker-trial.js`: the checker against a case done by hand, the tool's own plans, altered plans, and the crude trim. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { occupancyCsvChunks } from "#core/occupancy";
import { synthesise } from "#evidence/simulation";
import { checkPlan } from "./checker.js";
import { crudeTrim } from "./crude-trim.js";
import { Fraction } from "./fraction.js";
import { type EstimatorName, influenceFactor, influenceMean, influenceVariance } from "./influences.js";
import { occupancyRows } from "./occupancy-rows.js";

type Json = Record<string, unknown>;

function hashed(content: Json): string {
  const { hash: _, ...rest } = content;
  const text = JSON.stringify(rest);
  return `${text.slice(0, -1)},"hash":"${createHash("sha256").update(text).digest("hex")}"}\n`;
}

/** Grid g has 2 + 1 + 1 records of which the first user keeps 1; grid h has 3, all suppressed. */
function byHand(): void {
  const rows = occupancyRows('user,grid,count\na,g,2\n"b,""",g,1\na,"h",3\r\nc,g,1');
  assert.deepEqual(rows[1], { user: 'b,"', grid: "g", count: 1 });
  const plan = (estimator: EstimatorName, scales: string[]): string =>
    hashed({
      bounds: ["0", "1"],
      statistics: ["mean", "variance"],
      weights: ["1", "1"],
      metric: "sum",
      estimator,
      occupancy: { users: 3, grids: 2, entries: 4, samples: 7 },
      grids: ["g", "h"],
      noise: [
        { epsilon: "1", epsilons: ["0.5", "0.5"], scales },
        { epsilon: "0", epsilons: ["0", "0"], scales: ["0", "0"] },
      ],
      caps: null,
      users: ["a"],
      suppressed: [[0, 1]],
      trimmed: [[0, 0, 1]],
      loss: "1",
      lossSimple: "1",
      toCome: { ignored: true },
    });
  const centred = checkPlan(plan("centred", ["0.5", "1/3"]), rows);
  assert.deepEqual(centred.problems, []);
  // g: 1/8 + 3/32 bias, 1/2 + 1/3 noise; h: 1/2 + 1/9, no noise.
  assert.equal(String(centred.worstError), "101/96");
  assert.equal(String(centred.worstErrorOfStatistic["mean"]), "5/8");
  assert.equal(String(centred.worstErrorOfStatistic["variance"]), "41/96");
  assert.equal(String(centred.lossContinuous), "1");
  const kept = checkPlan(plan("kept", ["2/3", "4/9"]), rows);
  assert.deepEqual(kept.problems, ["grid h: no error is guaranteed"]);
  assert.equal(kept.worstError, null);
  assert.equal(String(kept.loss), "1");
  console.log("by hand: as computed");
}

function toolPlans(): void {
  const folder = mkdtempSync(join(tmpdir(), "checker-trial-"));
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, ["dist/apps/cli/main.js", ...args], { encoding: "utf8" });
  try {
    const [csv, file] = [join(folder, "o.csv"), join(folder, "p.json")];
    run("simulate", "synthetic", "--gamma", "6", "--seed", "2", "--grids", "8", "--out", csv);
    const rows = occupancyRows(readFileSync(csv, "utf8"));
    let plans = 0;
    for (const epsilon of ["0.1", "1", "7.000000000000000001"])
      for (const flags of [
        ["--strategy", "baseline"],
        ["--split", "best"],
        ["--caps"],
        ["--caps", "--split", "best", "--metric", "relative"],
        ["--statistics", "variance,mean", "--weights", "mean=3,variance=0.1", "--caps", "--protect-lowest"],
      ]) {
        const summary = run("plan", csv, "--upper", "65", "--epsilon", epsilon, ...flags, "--out", file, "--json");
        const stated = JSON.parse(summary) as { worstError: number; loss: number; lossSimple: number };
        const check = checkPlan(readFileSync(file, "utf8"), rows);
        assert.deepEqual(check.problems, [], `${epsilon} ${flags.join(" ")}`);
        const close = (found: Fraction | null, expected: number): void =>
          assert.ok(
            Math.abs(found!.toNumber() / expected - 1) < 1e-14,
            `${flags.join(" ")}: ${found} is not ${expected}`,
          );
        close(check.worstError, stated.worstError);
        close(check.loss, stated.loss);
        close(check.lossSimple, stated.lossSimple);
        assert.ok(Math.abs(check.lossContinuous!.toNumber() / stated.loss - 1) < 1e-9);
        plans += 1;
      }
    console.log(`the tool's plans: ${plans} without a problem, errors and losses as the tool says`);
    run("plan", csv, "--upper", "65", "--epsilon", "1", "--caps", "--out", file);
    alteredPlans(readFileSync(file, "utf8"), rows);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each alteration carries a hash that fits it, so that nothing but the numbers can give it away. */
function alteredPlans(text: string, rows: ReturnType<typeof occupancyRows>): void {
  const plan = JSON.parse(text) as {
    noise: Array<{ epsilon: string; epsilons: string[]; scales: string[] }>;
    caps: number[];
    users: string[];
    suppressed: number[][];
    grids: string[];
    loss: string;
  };
  const [first, ...others] = plan.noise;
  const noise = (changed: Partial<typeof first>): Json => ({ noise: [{ ...first, ...changed }, ...others] });
  const below = Fraction.parse(plan.loss).minus(Fraction.of(1n, 10n ** 18n));
  const alterations: ReadonlyArray<readonly [string, Json, RegExp]> = [
    ["loss by one unit", { loss: String(below) }, /^loss: /],
    ["simple loss", { lossSimple: "4.9" }, /^lossSimple: /],
    ["a scale", noise({ scales: [first!.scales[0]!, "1"] }), /scale is 1,/],
    ["an ε", noise({ epsilons: ["0.5", "0.25"] }), /scale is/],
    ["more ε than the grid has", noise({ epsilons: ["0.5", "0.75"] }), /spend 5\/4 of ε 1/],
    ["no ε", noise({ epsilons: ["0", "0.5"] }), /no ε, but somebody can move it/],
    ["a third of ε", noise({ epsilons: ["1/3", "0.5"] }), /not a multiple/],
    ["a cap", { caps: [plan.caps[0]! - 1, ...plan.caps.slice(1)] }, /scale is/],
    ["one drop less", { suppressed: plan.suppressed.slice(1) }, /scale is/],
    ["a drop twice", { suppressed: [...plan.suppressed, plan.suppressed[0]] }, /decided twice/],
    [
      "a user without records",
      { users: [...plan.users, "x"], trimmed: [[plan.users.length, 0, 1]] },
      /without records/,
    ],
    [
      "more kept than there is",
      { suppressed: plan.suppressed.slice(1), trimmed: [[...plan.suppressed[0]!, 1e6]] },
      /keeps 1000000 of/,
    ],
    ["a grid's name", { grids: ["other", ...plan.grids.slice(1)] }, /is not in the plan/],
  ];
  for (const [name, change, expected] of alterations) {
    const { problems } = checkPlan(hashed({ ...plan, ...change }), rows);
    assert.ok(
      problems.some((problem) => expected.test(problem)),
      `${name}: ${problems.slice(0, 3).join("; ")}`,
    );
  }
  assert.deepEqual(checkPlan(hashed({ ...plan, toCome: 1 }), rows).problems, []);
  assert.match(checkPlan(text.replace('"keep":"spread"', '"keep":"first"'), rows).problems.join(), /^hash: [^,]*$/);
  const missing = checkPlan(text, rows.slice(1)).problems;
  assert.ok(missing.some((problem) => problem.startsWith("occupancy.entries")));
  console.log(`altered plans: all ${alterations.length + 2} found out`);
}

/** The trim's plan, written as a file: it errs by E and loses what the trim says. */
function crudeTrims(): void {
  const width = 65;
  const occupancy = synthesise({ gamma: 6, q: 0.01, seed: 3 });
  const csv = new TextDecoder().decode(Buffer.concat([...occupancyCsvChunks(occupancy)]));
  const rows = occupancyRows(csv);
  const { byUser, grids, users } = occupancy;
  const error = 0.5 * 560.625;
  for (const estimator of ["kept", "centred"] as const) {
    const trim = crudeTrim(occupancy, { width, error, estimator });
    const keptOfGrid = new Float64Array(grids.length);
    const largest = new Float64Array(grids.length);
    trim.kept.forEach((kept, entry) => {
      keptOfGrid[byUser.grid[entry]!]! += kept;
      largest[byUser.grid[entry]!] = Math.max(largest[byUser.grid[entry]!]!, kept);
    });
    const noise = Array.from(grids, (_, g) => {
      const factor = influenceFactor(estimator, keptOfGrid[g]!, occupancy.samplesOfGrid[g]!);
      const epsilons = [
        (factor * influenceMean(largest[g]!, keptOfGrid[g]!, width)) / trim.scaleMean[g]!,
        (factor * influenceVariance(largest[g]!, keptOfGrid[g]!, width)) / trim.scaleVariance[g]!,
      ].map((epsilon) => epsilon.toFixed(18));
      return { epsilon: "100", epsilons, scales: ["0", "0"] };
    });
    const trimmed = Array.from(trim.kept, (kept, entry) => [occupancy.userOfEntry(entry), byUser.grid[entry]!, kept]);
    const text = hashed({
      bounds: ["0", "65"],
      statistics: ["mean", "variance"],
      weights: ["1", "1"],
      metric: "sum",
      estimator,
      occupancy: { users: users.length, grids: grids.length, entries: rows.length, samples: occupancy.samples },
      grids: [...grids],
      noise,
      caps: null,
      users: [...users],
      suppressed: [],
      trimmed,
      loss: "0",
      lossSimple: "0",
    });
    const check = checkPlan(text, rows);
    const unexpected = check.problems.filter((problem) => !/scale is 0,|^loss|^lossSimple/.test(problem));
    assert.deepEqual(unexpected, []);
    assert.ok(Math.abs(check.worstError!.toNumber() / error - 1) < 1e-12, `error ${check.worstError!.toNumber()}`);
    assert.ok(Math.abs(check.lossContinuous!.toNumber() / trim.loss - 1) < 1e-12, `loss ${check.loss!.toNumber()}`);
    console.log(`crude trim, ${estimator}: loss ${trim.loss.toFixed(4)} at error ${error}, and the checker agrees`);
  }
}

byHand();
toolPlans();
crudeTrims();
