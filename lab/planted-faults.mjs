/** Plants known mistakes, one at a time, in a copy of the tree and sees that the tests of that room fail: `npm run faults`. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const FAULTS = [
  {
    name: "the paper's strategies in the page under the chosen estimator",
    file: "web/src/planner/plan-for.ts",
    from: 'objectiveOf({ ...settings, estimator: "kept" });\n  const make',
    to: "objectiveOf(settings);\n  const make",
    tests: "web/src/planner",
  },
  {
    name: "a sketch that is not whole records",
    file: "src/core/planning/frontier/search.ts",
    from: "return yield* wholeCounts(array, model, from, { rounds: 3 });",
    to: "return from;",
    tests: "src/core/planning/frontier/sketch.test.ts",
  },
  {
    name: "releases that nearly fit are promised",
    file: "web/src/parts/loss-in-words.ts",
    from: "return Number(whole.divide(part).floorToInteger());",
    to: "return Math.round(left / loss);",
    tests: "web/src/parts",
  },
  {
    name: "an attacker's chance rounded down",
    file: "web/src/parts/loss-in-words.ts",
    from: "return Math.ceil(100 /",
    to: "return Math.floor(100 /",
    tests: "web/src/parts",
  },
  {
    name: "counts for a browser with users' names",
    file: "src/apps/service/survey.ts",
    from: "occupancyCsvChunks(rankUsers(occupancy))",
    to: "occupancyCsvChunks(occupancy)",
    tests: "src/apps/service/survey.test.ts",
  },
  {
    name: "a page that may run any script",
    file: "src/apps/service/routes/dashboard.ts",
    from: "\"script-src 'self'\",",
    to: "\"script-src 'self' 'unsafe-inline'\",",
    tests: "src/apps/service/dashboard.test.ts",
  },
  {
    name: "an analyst passes for a curator",
    file: "src/apps/service/access.ts",
    from: 'if (access === "curator" && caller.role !== "curator")',
    to: 'if (access === "curator" && caller.role === undefined)',
    tests: "src/apps/service/access.test.ts",
  },
  {
    name: "a token for some datasets is good for all",
    file: "src/apps/service/access.ts",
    from: "if (dataset !== undefined) checkDataset(request, dataset);",
    to: "",
    tests: "src/apps/service/access.test.ts",
  },
  {
    name: "the misprinted theorem put right, so that nothing is found",
    file: "src/evidence/experiments/clip-user-as-printed.ts",
    from: "if (kept > dropped) return total % 2 === 0",
    to: "if (kept <= dropped) return total % 2 === 0",
    tests: "src/evidence/experiments/clip-user-as-printed.test.ts",
  },
  {
    name: "CLIP-USER's joint loss taken after the caps",
    file: "src/evidence/experiments/measure.ts",
    from: "lossAfter: at(clipped.kept).loss,",
    to: "lossAfter: after.loss,",
    tests: "src/evidence/experiments/measure.test.ts",
  },
  {
    name: "a band that ends at the mean",
    file: "src/evidence/experiments/study.ts",
    from: "high: Math.max(...values),",
    to: "high: values.reduce((sum, value) => sum + value, 0) / values.length,",
    tests: "src/evidence/experiments/figures.test.ts",
  },
  {
    name: "a frontier line drawn where some draws need no loss",
    file: "src/evidence/experiments/figure-parts.ts",
    from: "return spread !== null && spread.low > 0 ? spread : null;",
    to: "return spread;",
    tests: "src/evidence/experiments/figures.test.ts",
  },
  {
    name: "a bound that forgets that odd totals fall short",
    file: "src/core/planning/frontier/lower-bound.ts",
    from: "  const movable = Math.min(owned, Math.floor(kept / 2));\n  return (movable * (kept - movable)) / (kept * owned);",
    to: "  const movable = Math.min(owned, kept);\n  return (movable * kept) / (kept * owned);",
    tests: "src/core/planning/frontier/lower-bound.test.ts",
  },
  {
    name: "a verifier that believes a claim twice as large",
    file: "src/core/planning/verify-bound.ts",
    from: "    if (proven >= needed) return true;",
    to: "    if (2n * proven >= needed) return true;",
    tests: "src/core/planning/verify-bound.test.ts",
  },
  {
    name: "the frontier's noise rounded the other way, past the target",
    file: "src/core/planning/frontier/assign-noise.ts",
    from: "ceilToMultipleOf(LOSS_UNIT)",
    to: "floorToMultipleOf(LOSS_UNIT)",
    tests: "src/core/planning/frontier",
  },
  {
    name: "trimmed users left out of the plan",
    file: "src/core/planning/make-plan.ts",
    from: "return records > 0 && records < Math.min(count",
    to: "return records > 0 && records < -1 + Math.min(count",
    tests: "src/core/planning/frontier",
  },
  {
    name: "a frontier plan that misses its own target passes",
    file: "src/core/planning/check-plan.ts",
    from: "  return errorsMet && (lossTarget === null || loss.compare(lossTarget) <= 0);",
    to: "  return errorsMet || (lossTarget === null || loss.compare(lossTarget) <= 0);",
    tests: "src/core/planning",
  },
  {
    name: "half the noise",
    file: "src/publish/release/add-noise.ts",
    from: "const scale = Rational.of(deltaSteps).divide(noise.epsilon);",
    to: "const scale = Rational.of(deltaSteps).divide(noise.epsilon).divide(Rational.of(2));",
    tests: "src/publish/release",
  },
  {
    name: "negative zero counted twice by the sampler",
    file: "src/core/noise/discrete-laplace.ts",
    from: "if (negative && y === 0n) return undefined;",
    to: "",
    tests: "src/core/noise",
  },
  {
    name: "a coin e^(-x) that counts its tosses from zero",
    file: "src/core/noise/bernoulli.ts",
    from: "let toss = 1n;",
    to: "let toss = 2n;",
    tests: "src/core/noise",
  },
  {
    name: "a budget with a little slack",
    file: "src/publish/ledger/charges.ts",
    from: "if (needed > left &&",
    to: "if (needed > left + 1n &&",
    tests: "test/simulation/ledger-conformance.test.ts",
  },
  {
    name: "the caller's own copy disclosed instead of what was committed",
    file: "src/publish/release/release.ts",
    from: "for (const [grid, text] of final) committed.set(grid, text);",
    to: "for (const [grid, text] of texts) committed.set(grid, text);\n    final.size;",
    tests: "src/publish/release",
  },
  {
    name: "a question for one grid that reads every grid",
    file: "src/publish/release/release.ts",
    from: "only: { grids: reservation.toCompute, occupancy },",
    to: "only: { grids: plan.grids, occupancy },",
    tests: "src/publish/release",
  },
  {
    name: "some grids read without their counts being held to the plan's",
    file: "src/data/engines/pipeline/decisions.ts",
    from: "if (occupancyHash(occupancy, nativeHash) !== expected)",
    to: "if (asked === undefined && occupancyHash(occupancy, nativeHash) !== expected)",
    tests: "test/conformance/duckdb.test.ts",
  },
  {
    name: "intervals without the bias of what was left out",
    file: "src/publish/report/released-rows.ts",
    from: "const reach = bias.add(released.latticeError)",
    to: "const reach = released.latticeError",
    tests: "src/publish/report",
  },
  {
    name: "the paper's printed (reversed) case of the variance's bias",
    file: "src/core/influence/guarantee.ts",
    from: "  return statistic.biasFactor.multiply(shapeValue(statistic.shape, total - kept, total));",
    to: `  const whole = statistic.key === "variance" && 2 * kept > total;
  const owned = whole ? total : statistic.key === "variance" ? Math.min(kept, total - kept) : total - kept;
  return statistic.biasFactor.multiply(shapeValue(statistic.shape, owned, total));`,
    tests: "src/core/influence",
  },
  {
    name: "the variance's sensitivity without its second case",
    file: "src/core/influence/shape.ts",
    from: "const movable = owned < total / 2n ? owned : total / 2n;",
    to: "const movable = owned;",
    tests: "src/core/influence",
  },
  {
    name: "a centred sensitivity that forgets the records left out",
    file: "src/core/influence/guarantee.ts",
    from: "return statistic.scaledByKeptShare ? ofKept.multiply(Rational.of(kept, total)) : ofKept;",
    to: "return total < 0 ? ofKept.multiply(Rational.of(kept, total)) : ofKept;",
    tests: "src/core/influence",
  },
  {
    name: "a centred user's own steps counted as the paper's",
    file: "src/core/composition/noise-lattice.ts",
    from: "statistic.scaledByKeptShare ? [kept, BigInt(counts.total)] : [1n, 1n];",
    to: "counts.total < 0 ? [kept, BigInt(counts.total)] : [1n, 1n];",
    tests: "src/core/composition",
  },
  {
    name: "a centred variance without its offset",
    file: "src/core/influence/statistics/variance.ts",
    from: "varianceOfKept(grid).multiply(of(kept)).divide(of(total)).add(offset)];",
    to: "varianceOfKept(grid).multiply(of(kept)).divide(of(total))];",
    tests: "src/publish/release",
  },
  {
    name: "a centred histogram that counts what was left out as half",
    file: "src/core/influence/statistics/histogram.ts",
    from: "biasFactor: centred ? dataFreeError : Rational.of(2),",
    to: "biasFactor: centred ? Rational.ONE : Rational.of(2),",
    tests: "src/core/influence",
  },
  {
    name: "a second moment whose squares lie between those of the bounds, also with 0 between them",
    file: "src/core/influence/statistics/second-moment.ts",
    from: "containsZero ? Rational.ZERO : minimum(ofLower, ofUpper)",
    to: "lower.isZero() && containsZero ? Rational.ZERO : minimum(ofLower, ofUpper)",
    tests: "src/core/influence",
  },
  {
    name: "clamped sums that reach as far as all records",
    file: "src/data/engines/pipeline/formulas.ts",
    from: 'times(field("keeping"), integer(steps))',
    to: "times(n, integer(steps))",
    tests: "src/data/engines/pipeline",
  },
  {
    name: "a middle without noise whose rounding is not told",
    file: "src/publish/release/add-noise.ts",
    from: "return { steps, stepExponent, deltaSteps: 0n, rounding };",
    to: "return { steps, stepExponent, deltaSteps: 0n, rounding: rounding.subtract(rounding) };",
    tests: "src/publish/release",
  },
  {
    name: "one user forgotten in the joint loss",
    file: "src/core/composition/loss.ts",
    from: "for (let user = 0; user < sums.length; user++) {",
    to: "for (let user = 1; user < sums.length; user++) {",
    tests: "src/core/composition",
  },
  {
    name: "one user forgotten in what a ledger charges",
    file: "src/core/composition/loss.ts",
    from: "for (let position = byGrid.start[grid]!; position",
    to: "for (let position = byGrid.start[grid]! + 1; position",
    tests: "src/core/composition",
  },
  {
    name: "a lighter user's own influence forgotten: everyone charged as the heaviest",
    file: "src/core/composition/loss.ts",
    from: "numerator += term.steps(owned) * factors[index]!;",
    to: "numerator += term.deltaSteps * factors[index]!;",
    tests: "src/core/composition",
  },
  {
    name: "losses rounded down",
    file: "src/core/composition/loss.ts",
    from: "return toLossParts(divideCeil(numerator, commonDenominator));",
    to: "return toLossParts(numerator / commonDenominator);",
    tests: "src/core/composition",
  },
  {
    name: "bias against what is left instead of the original counts",
    file: "src/core/planning/clip-user/drop-search.ts",
    from: "    const total = this.#occupancy.samplesOfGrid[grid]!;\n    const kept = this.#keptOfGrid[grid]! - count;",
    to: "    const total = this.#keptOfGrid[grid]!;\n    const kept = this.#keptOfGrid[grid]! - count;",
    tests: "src/core/planning",
  },
  {
    name: "ties to the higher grid",
    file: "src/core/planning/clip-user/drop-search.ts",
    from: "order === 0 && other.grid < best.grid",
    to: "order === 0 && other.grid > best.grid",
    tests: "src/core/planning",
  },
  {
    name: "a line that is not below the error",
    file: "src/core/influence/error-model.ts",
    from: "line[at + 1] = (1 - TOLERANCE) * term.slope(total, kept, largest);",
    to: "line[at + 1] = 1.01 * term.slope(total, kept, largest);",
    tests: "src/core/influence",
  },
  {
    name: "grids led by a user overlooked",
    file: "src/core/planning/clip-user/drop-search.ts",
    from: "of this.#largest.gridsLedBy(user)) best",
    to: "of [...this.#largest.gridsLedBy(user)].slice(1)) best",
    tests: "src/core/planning",
  },
  {
    name: "the largest contributions not searched again",
    file: "src/core/planning/clip-user/largest-counts.ts",
    from: "if (nextSecond >= list.length && this.#isComplete[grid] === 0) this.#listAll(grid);",
    to: "",
    tests: "src/core/planning",
  },
  {
    name: "the second-largest contribution not moved on",
    file: "src/core/planning/clip-user/largest-counts.ts",
    from: "const nextSecond = this.#nextLeft(list, Math.max(second, nextFirst + 1));",
    to: "const nextSecond = Math.max(second, nextFirst + 1);",
    tests: "src/core/planning/clip-user/largest-counts.test.ts",
  },
  {
    name: "a plan whose noise is missing passes",
    file: "src/core/planning/check-plan.ts",
    from: "if (isMovable === itemAt(epsilons, index).isZero())",
    to: "if (isMovable === undefined)",
    tests: "src/core/planning/plan.test.ts",
  },
  {
    name: "near-ties decided by doubles",
    file: "src/core/influence/error-model.ts",
    from: "const TOLERANCE = 2 ** -45;",
    to: "const TOLERANCE = 0;",
    tests: "src/core/planning/clip-user/clip-user.test.ts",
  },
  {
    name: "caps that ignore parity",
    file: "src/core/planning/caps.ts",
    from: "const smooth = heavier > 1 ? upper : Math.min(upper, smallerSum);",
    to: "const smooth = upper;",
    tests: "src/core/planning/caps.test.ts",
  },
  {
    name: "a plan whose hash is not checked",
    file: "src/core/planning/plan-file.ts",
    from: "if (plan.hash !== hash) {",
    to: "if (plan.hash.length !== hash.length) {",
    tests: "src/core/planning/plan.test.ts",
  },
  {
    name: "values rounded to the nearest step by the engine's own rule",
    file: "src/data/engines/pipeline/formulas.ts",
    from: "`floor((",
    to: "`round((",
    tests: "test/conformance/duckdb.test.ts",
  },
  {
    name: "the first of repeated records by value before time",
    file: "src/data/engines/duckdb/dialect.ts",
    from: "coalesce(${instant} + ",
    to: "coalesce(-${instant} + ",
    tests: "test/conformance/duckdb.test.ts",
  },
  {
    name: "capped records kept from the first rank on, also when spread",
    file: "src/data/engines/pipeline/formulas.ts",
    from: 'if (keep === "first")',
    to: 'if (keep !== "none")',
    tests: "src/data/engines/pipeline",
  },
  {
    name: "a slot that clocks go back over taken for one",
    file: "src/data/partition/time-expressions.ts",
    from: "return choice(atLeast(start, integer(from)), start,",
    to: "return choice(atLeast(start, integer(0n)), start,",
    tests: "src/data/partition",
  },
  {
    name: "the value column as a place",
    file: "src/data/partition/recipe.ts",
    from: 'if (flag !== "--value" && holdsValue(column, value))',
    to: 'if (flag === "--by" && holdsValue(column, value))',
    tests: "src/data/partition",
  },
  {
    name: "a gzip file that ends early taken for whole",
    file: "src/data/engines/duckdb/duckdb-engine.ts",
    from: "      await whole;\n      return result;",
    to: "      return result;",
    tests: "test/conformance/duckdb-broken-files.test.ts",
  },
  {
    name: "a first look that shows numbers with a word among them",
    file: "src/data/sources/guess-columns.ts",
    from: "    !mayBeValue(column);",
    to: '    column.type !== "number";',
    tests: "src/data/sources",
  },
];

/** Those that need no built package. */
const PROJECTS = ["unit", "conformance", "simulation"];
/** As many as a small machine has cores. */
const LANES = 2;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** All, or those in files whose path has this in it. */
const [part = ""] = process.argv.slice(2);
const planted = FAULTS.filter(({ file }) => file.includes(part));
const waiting = [...planted];
let survived = 0;
await Promise.all(Array.from({ length: LANES }, lane));
console.log(`${planted.length - survived} of ${planted.length} planted faults caught`);
process.exitCode = survived === 0 ? 0 : 1;

/** Takes faults one after another, in a copy of its own. */
async function lane() {
  const copy = mkdtempSync(path.join(tmpdir(), "veilgrid-faults-"));
  try {
    for (const name of [
      "src",
      "web",
      "docs/figures",
      "test",
      "assets",
      "vitest.config.ts",
      "package.json",
      "tsconfig.json",
    ])
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) await plant(fault, copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function plant(fault, copy) {
  const file = path.join(copy, fault.file);
  const sound = readFileSync(file, "utf8");
  if (sound.split(fault.from).length !== 2)
    throw new Error(`${fault.file} no longer has exactly one place for: ${fault.name}`);
  writeFileSync(
    file,
    sound.replace(fault.from, () => fault.to),
  );
  const failed = /Tests\s+(\d+) failed/.exec(await outputOfTests(fault.tests, copy))?.[1];
  writeFileSync(file, sound);
  if (failed === undefined) survived += 1;
  console.log(`${failed === undefined ? "SURVIVED" : "caught"}  ${fault.name}`);
}

/** Until the first test fails. */
async function outputOfTests(tests, cwd) {
  const projects = PROJECTS.flatMap((name) => ["--project", name]);
  const args = ["node_modules/vitest/vitest.mjs", "run", "--bail=1", ...projects, tests];
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) output += chunk;
  return output;
}
