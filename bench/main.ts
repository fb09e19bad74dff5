/** `npm run bench`: speeds as ratios taken in one run. `npm run bench -- quick` uses an array a tenth the size. */
import { parseDecimal } from "veilgrid/arithmetic";
import { ErrorModel, makeBounds, parseStatistics, parseWeights } from "veilgrid/influence";
import { clipUser, runNow } from "veilgrid/planning";
import { heavyTailed } from "./heavy-tailed.js";
import { straightforwardClipUser } from "./straightforward-clip-user.js";

const quick = process.argv.includes("quick");
const size = quick ? { users: 100_000, grids: 1_000 } : { users: 1_000_000, grids: 5_000 };

function timed<Result>(run: () => Result): { seconds: number; result: Result } {
  const start = performance.now();
  const result = run();
  return { seconds: (performance.now() - start) / 1000, result };
}

const thousands = (value: number): string => value.toLocaleString("en-US");

console.log(`generating ${thousands(size.users)} users in ${thousands(size.grids)} grids …`);
const generated = timed(() => heavyTailed({ ...size, meanGridsPerUser: 5, mostGridsPerUser: 400, q: 0.1, seed: 1 }));
const occupancy = generated.result;
console.log(
  `${thousands(occupancy.entries)} entries, at most ${occupancy.maxGridsPerUser()} grids per user, ` +
    `${thousands(occupancy.samples)} records (${generated.seconds.toFixed(1)} s)\n`,
);

const bounds = makeBounds(parseDecimal("0", "a"), parseDecimal("65", "b"));
const statistics = parseStatistics("mean,variance", bounds);
const objective = {
  statistics,
  weights: parseWeights(undefined, statistics),
  metric: "sum",
  estimator: "kept",
} as const;

let allAgree = true;
for (const epsilon of ["0.2", "1"]) {
  const eager = timed(() => straightforwardClipUser(occupancy, { width: 65, epsilon: Number(epsilon) }));
  const lazy = timed(() => runNow(clipUser(occupancy, new ErrorModel(objective, parseDecimal(epsilon, "ε")))));
  const agree =
    eager.result.suppressed.length === lazy.result.suppressed.length &&
    eager.result.suppressed.every((entry, at) => entry === lazy.result.suppressed[at]);
  allAgree &&= agree;
  console.log(
    `CLIP-USER, ε = ${epsilon}: ${thousands(lazy.result.suppressed.length)} drops, K = ${lazy.result.kept.maxGridsPerUser()}`,
  );
  console.log(
    `  straightforward  ${thousands(eager.result.evaluations).padStart(13)} evaluations  ${eager.seconds.toFixed(2).padStart(7)} s`,
  );
  console.log(
    `  veilgrid         ${thousands(lazy.result.evaluations).padStart(13)} evaluations  ${lazy.seconds.toFixed(2).padStart(7)} s`,
  );
  console.log(
    `  ${(eager.result.evaluations / lazy.result.evaluations).toFixed(1)} times fewer evaluations, ` +
      `${(eager.seconds / lazy.seconds).toFixed(1)} times faster; the same drops in the same order: ${agree ? "yes" : "NO"}\n`,
  );
}
process.exitCode = allAgree ? 0 : 1;
