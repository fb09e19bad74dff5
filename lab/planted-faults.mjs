/** Plants known mistakes that no mutation makes, each in a test project of its own, and checks that tests of that room fail: `npm run faults`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { startVitest } from "vitest/node";

const root = path.resolve(import.meta.dirname, "..");

/** Mutation testing covers the rooms of the promise; these lie elsewhere, or change a formula into another sound one. */
const FAULTS = [
  {
    name: "the paper's strategies in the page under the chosen estimator",
    file: "web/src/planner/plan-for.ts",
    from: 'objectiveOf({ ...settings, estimator: "kept" });\n  const make',
    to: "objectiveOf(settings);\n  const make",
    tests: "web/src/planner/*.test.ts",
  },
  {
    name: "an attacker's chance rounded down",
    file: "web/src/parts/loss-in-words.ts",
    from: "return Math.ceil(100 /",
    to: "return Math.floor(100 /",
    tests: "web/src/parts/*.test.ts",
  },
  {
    name: "counts for a browser with users' names",
    file: "src/apps/service/survey.ts",
    from: "occupancyCsvChunks(rankUsers(occupancy))",
    to: "occupancyCsvChunks(occupancy)",
    tests: "src/apps/service/survey.test.ts",
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
    name: "half the noise",
    file: "src/publish/release/add-noise.ts",
    from: "const scale = Rational.of(deltaSteps).divide(noise.epsilon);",
    to: "const scale = Rational.of(deltaSteps).divide(noise.epsilon).divide(Rational.of(2));",
    tests: "src/publish/release/*.test.ts",
  },
  {
    name: "a centred sensitivity that forgets the records left out",
    file: "src/core/influence/guarantee.ts",
    from: "return statistic.scaledByKeptShare ? ofKept.multiply(Rational.of(kept, total)) : ofKept;",
    to: "return total < 0 ? ofKept.multiply(Rational.of(kept, total)) : ofKept;",
    tests: "src/core/influence/*.test.ts",
  },
  {
    name: "a slot that clocks go back over taken for one",
    file: "src/data/partition/time-expressions.ts",
    from: "return choice(atLeast(start, integer(from)), start,",
    to: "return choice(atLeast(start, integer(0n)), start,",
    tests: "src/data/partition/*.test.ts",
  },
  {
    name: "a first look that shows numbers with a word among them",
    file: "src/data/sources/guess-columns.ts",
    from: "    !mayBeValue(column);",
    to: '    column.type !== "number";',
    tests: "src/data/sources/*.test.ts",
  },
];

/** Changes one file as it is loaded; nothing on the disk is touched. */
const plant = ({ name, file, from, to }) => ({
  name: "planted-fault",
  enforce: "pre",
  transform: (code, id) => {
    if (id.split("?")[0] !== path.join(root, file)) return undefined;
    if (code.split(from).length !== 2) throw new Error(`${file} no longer has exactly one place for: ${name}`);
    return code.replace(from, () => to);
  },
});

const lost = FAULTS.filter(({ file, from }) => readFileSync(path.join(root, file), "utf8").split(from).length !== 2);
for (const { file, name } of lost) console.error(`${file} no longer has exactly one place for: ${name}`);
if (lost.length > 0) process.exit(1);

const projects = FAULTS.map((fault) => ({
  root,
  plugins: [plant(fault)],
  test: { name: fault.name, include: [fault.tests], testTimeout: 120_000, hookTimeout: 120_000, isolate: false },
}));
const vitest = await startVitest("test", [], { root, config: false, watch: false, reporters: [{}], projects });
const failed = (tasks) =>
  tasks.reduce(
    (sum, task) => sum + (task.type === "test" ? Number(task.result?.state === "fail") : failed(task.tasks ?? [])),
    0,
  );
let caught = 0;
for (const { name } of FAULTS) {
  const failures = failed(vitest.state.getFiles().filter((file) => file.projectName === name));
  caught += Number(failures > 0);
  console.log(`${failures > 0 ? "caught  " : "SURVIVED"}  ${name}`);
}
await vitest.close();
console.log(`${caught} of ${FAULTS.length} planted faults caught`);
process.exit(caught === FAULTS.length ? 0 : 1);
