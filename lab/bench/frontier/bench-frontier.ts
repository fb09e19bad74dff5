/** `npm run bench -- frontier`: the frontier's loss beside the crude trim's, the baseline's and the proven bound, every plan checked by code of its own. */
import { parseDecimal, Rational } from "#core/arithmetic";
import { makeObjective, parseBounds } from "#core/influence";
import { type Occupancy, occupancyCsvChunks } from "#core/occupancy";
import {
  type FrontierGoal,
  leastLoss,
  type MadePlan,
  makePlan,
  planText,
  runNow,
  summarisePlan,
  verifyBound,
} from "#core/planning";
import { synthesise } from "#evidence/simulation";
import { baselineLossAt } from "./baseline-loss.js";
import { checkPlan } from "./checker.js";
import { crudeTrim } from "./crude-trim.js";
import { occupancyRows } from "./occupancy-rows.js";

const WIDTH = 65;
const DATA_FREE = WIDTH / 2 + WIDTH ** 2 / 8;
/** Doubles against exact losses on a lattice. */
const ROUNDING = 1e-9;
const SHARES = ["0.5", "0.8"] as const;
const ESTIMATORS = ["kept", "centred"] as const;
const bounds = parseBounds(`0,${WIDTH}`);

type Estimator = (typeof ESTIMATORS)[number];

interface Measured {
  readonly loss: number;
  readonly bound: number;
  readonly gap: number;
  readonly seconds: number;
  /** What the two verifiers, which share no code with the planner, have to say against it. */
  readonly problems: readonly string[];
}

/** False if a plan is above the crude trim, farther than 10 % from the bound, or a verifier objects. */
export function benchFrontier(draws: number): boolean {
  const good = [atShares(draws), atClipUsersError(draws), firstIncumbent()];
  return good.every(Boolean);
}

function atShares(draws: number): boolean {
  console.log(`joint loss at a share of the data-free error ${DATA_FREE}, mean of ${draws} draws of the paper's model`);
  console.log(
    "  γ  estimator  error  baseline   crude  frontier  least    bound  of crude  gap: mean  worst  seconds  checked",
  );
  let good = true;
  for (const gamma of [3, 6, 9]) {
    for (const estimator of ESTIMATORS) {
      for (const share of SHARES) {
        const error = parseDecimal(share, "share").multiply(Rational.of(DATA_FREE * 1000, 1000));
        const rows = Array.from({ length: draws }, (_, draw) => {
          const occupancy = synthesise({ gamma, q: 0.01, seed: draw + 1 });
          const at = { width: WIDTH, error: error.toNumberNearest() };
          const crude = crudeTrim(occupancy, { ...at, estimator }).loss;
          const planned = plan(occupancy, estimator, { kind: "error", target: { kind: "together", error } });
          return { crude, baseline: baselineLossAt(occupancy, at), ...planned };
        });
        const mean = (of: (row: (typeof rows)[number]) => number): number =>
          rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
        const problems = rows.flatMap((row) => row.problems);
        const above = rows.filter((row) => row.loss > row.crude * (1 + ROUNDING)).length;
        // Where keeping everything is best, both keep everything.
        const ties = rows.filter((row) => Math.abs(row.loss / row.crude - 1) <= ROUNDING).length;
        const worstGap = Math.max(...rows.map((row) => row.gap));
        good &&= problems.length === 0 && above === 0 && worstGap <= 0.1;
        console.log(
          [
            `  ${gamma}  ${estimator.padEnd(9)}  ${share.padStart(5)}`,
            mean((row) => row.baseline)
              .toFixed(3)
              .padStart(8),
            mean((row) => row.crude)
              .toFixed(4)
              .padStart(6),
            mean((row) => row.loss)
              .toFixed(4)
              .padStart(8),
            Math.min(...rows.map((row) => row.loss))
              .toFixed(4)
              .padStart(6),
            mean((row) => row.bound)
              .toFixed(4)
              .padStart(7),
            percent(mean((row) => row.loss / row.crude)).padStart(8),
            percent(mean((row) => row.gap)).padStart(9),
            percent(worstGap).padStart(6),
            mean((row) => row.seconds)
              .toFixed(2)
              .padStart(7),
            problems.length === 0 ? "  all" : `  ${problems[0]}`,
          ].join("  ") +
            (ties === 0 ? "" : `  ${ties} the same as the crude trim`) +
            (above === 0 ? "" : `  ${above} ABOVE THE CRUDE TRIM`),
        );
      }
    }
  }
  console.log();
  return good;
}

/** At the error that CLIP-USER keeps to: γ = 3, ε = 1. */
function atClipUsersError(draws: number): boolean {
  console.log("at CLIP-USER's own error, γ = 3, ε = 1, lowest grid protected");
  console.log("  seed    error  CLIP-USER: simple  joint   frontier kept (bound)  frontier centred (bound)");
  let good = true;
  for (let seed = 1; seed <= draws; seed++) {
    const occupancy = synthesise({ gamma: 3, q: 0.01, seed });
    const epsilon = parseDecimal("1", "ε");
    const clipped = runNow(
      makePlan(occupancy, { objective: makeObjective(bounds), epsilon, clipUser: { protectLowest: true } }),
    );
    const [kept, centred] = ESTIMATORS.map((estimator) => plan(occupancy, estimator, { kind: "epsilon", epsilon }));
    good &&= kept!.problems.length === 0 && centred!.problems.length === 0;
    const { loss, lossSimple, strategy } = clipped.plan;
    console.log(
      `  ${String(seed).padStart(4)}  ${strategy.errorBound!.toNumberNearest().toFixed(2).padStart(7)}  ` +
        `${lossSimple.toNumberNearest().toFixed(2).padStart(17)}  ${loss.toNumberNearest().toFixed(3).padStart(5)}   ` +
        `${kept!.loss.toFixed(4)} (${kept!.bound.toFixed(4)})${" ".repeat(6)} ${centred!.loss.toFixed(4)} (${centred!.bound.toFixed(4)})`,
    );
  }
  console.log();
  return good;
}

function plan(occupancy: Occupancy, estimator: Estimator, goal: FrontierGoal): Measured {
  const objective = makeObjective(bounds, { estimator });
  const start = performance.now();
  const made = runNow(makePlan(occupancy, { objective, frontier: goal }));
  const seconds = (performance.now() - start) / 1000;
  const summary = summarisePlan(occupancy, made);
  return {
    loss: summary.loss,
    bound: summary.lowerBound!,
    gap: summary.gap!,
    seconds,
    problems: problemsOf(occupancy, made),
  };
}

/** Every grid's error and every user's loss from the plan's text, and the bound from its weights. */
function problemsOf(occupancy: Occupancy, { plan: made }: MadePlan): string[] {
  const csv = Buffer.concat([...occupancyCsvChunks(occupancy)]).toString();
  const check = checkPlan(planText(made), occupancyRows(csv));
  const target = made.strategy.errorBound!.toNumberNearest();
  return [
    ...check.problems,
    ...(check.worstError === null || check.worstError.toNumber() > target * (1 + 1e-12)
      ? ["error above the target"]
      : []),
    ...(verifyBound(occupancy, made) ? [] : ["bound not verified"]),
  ];
}

/** A plan that may be used, when the clock stops the search at once. */
function firstIncumbent(): boolean {
  const occupancy = synthesise({ gamma: 3, q: 0.01, seed: 1 });
  const objective = makeObjective(bounds, { estimator: "centred" });
  const target = { kind: "together", error: Rational.of(280) } as const;
  const milliseconds = [1, 2, 3].map(() => {
    const start = performance.now();
    runNow(leastLoss(occupancy, objective, target, { isOutOfTime: () => true, unproven: true }));
    return performance.now() - start;
  });
  console.log(`first plan that may be used, paper size: ${Math.min(...milliseconds).toFixed(0)} ms\n`);
  return true;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
