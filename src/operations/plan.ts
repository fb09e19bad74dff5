/** Plan: from a source and wishes in text, as flags and forms give them, to a frozen plan and its summary. Spends nothing. */
import { parseDecimal, type Rational } from "../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import {
  type Bounds,
  checkEpsilon,
  type Metric,
  makeBounds,
  makeObjective,
  parseBounds,
  type Split,
} from "../influence/index.ts";
import {
  checkpoint,
  inputLattice,
  type KeepRule,
  type LongWorkOptions,
  latticeStep,
  makePlan,
  type Plan,
  type PlanRequest,
  type PlanSummary,
  planText,
  runCooperatively,
  type StrategyName,
  summarisePlan,
} from "../planning/index.ts";
import { readSource, type SourceReading, type SourceWishes } from "./read-source.ts";
import { checkOut, writeFileWhole } from "./write-file.ts";

/** Wishes as text; numbers are decimal text so that nothing is rounded on the way. */
export interface PlanWishes {
  readonly bounds?: string | undefined;
  readonly upper?: string | undefined;
  readonly epsilon?: string | undefined;
  readonly strategy?: string | undefined;
  readonly statistics?: string | undefined;
  readonly weights?: string | undefined;
  readonly split?: string | undefined;
  readonly metric?: string | undefined;
  readonly step?: string | undefined;
  readonly errorBound?: string | undefined;
  readonly protectLowest?: boolean | undefined;
  readonly wholeStages?: boolean | undefined;
  readonly caps?: boolean | undefined;
  readonly keep?: string | undefined;
  /** What the columns of a file of records are. */
  readonly records?: SourceWishes | undefined;
}

export interface PlanOptions extends LongWorkOptions {
  /** Write the canonical plan here. */
  readonly out?: string | undefined;
}

export interface PlanResult extends SourceReading {
  readonly plan: Plan;
  readonly summary: PlanSummary;
}

export async function plan(source: string, wishes: PlanWishes, options: PlanOptions = {}): Promise<PlanResult> {
  const request = planRequest(wishes);
  await checkOut(options.out, source);
  const reading = await readSource(source, wishes.records ?? {}, options);
  const { occupancy } = reading;
  const made = await runCooperatively(
    makePlan(occupancy, { ...request, partition: reading.records?.partition }),
    options,
  );
  options.onProgress?.({ step: "comparing with the baseline", done: occupancy.entries });
  const summary = summarisePlan(occupancy, made);
  await checkpoint(options.signal);
  for (const file of reading.records?.files ?? []) await checkOut(options.out, file);
  if (options.out !== undefined) await writeFileWhole(options.out, [planText(made.plan)], options.signal);
  return { plan: made.plan, summary, ...reading };
}

/** Checks every wish before any file is read. */
export function planRequest(wishes: PlanWishes): PlanRequest {
  const strategy = oneOf<StrategyName>("--strategy", wishes.strategy ?? "clip-user", ["baseline", "clip-user"]);
  if (strategy === "baseline") {
    const idle = (["errorBound", "protectLowest", "wholeStages"] as const).find(
      (wish) => wishes[wish] !== undefined && wishes[wish] !== false,
    );
    if (idle !== undefined) {
      throw new VeilgridError("USAGE", `${flagOf(idle)} goes with --strategy clip-user; the baseline drops nobody`);
    }
  }
  if (wishes.epsilon === undefined)
    throw new VeilgridError("USAGE", "--epsilon is missing: ε per grid, for example --epsilon 1");
  const bounds = boundsOf(wishes);
  const metric = oneOf<Metric>("--metric", wishes.metric ?? "sum", ["sum", "relative"]);
  if (metric === "relative" && wishes.weights !== undefined) {
    throw new VeilgridError("USAGE", "--weights goes with --metric sum; the relative metric has none");
  }
  const epsilon = parseDecimal(wishes.epsilon, "--epsilon");
  checkEpsilon(epsilon, "--epsilon");
  const step = wishes.step === undefined ? undefined : parseDecimal(wishes.step, "--step");
  inputLattice(bounds, latticeStep(bounds, step));
  return {
    objective: makeObjective(bounds, { statistics: wishes.statistics, weights: wishes.weights, metric }),
    split: oneOf<Split>("--split", wishes.split ?? "even", ["even", "best"]),
    step,
    epsilon,
    clipUser:
      strategy === "baseline"
        ? undefined
        : {
            errorBound: wishes.errorBound === undefined ? undefined : parsePositive(wishes.errorBound, "--error-bound"),
            protectLowest: wishes.protectLowest,
            wholeStages: wishes.wholeStages,
          },
    caps: wishes.caps,
    keep: oneOf<KeepRule>("--keep", wishes.keep ?? "spread", ["spread", "first"]),
  };
}

function parsePositive(text: string, flag: string): Rational {
  const value = parseDecimal(text, flag);
  if (value.sign() <= 0)
    throw new VeilgridError("PARAMETER_INVALID", `${flag} ${quoteForMessage(text)} must be above 0`);
  return value;
}

function boundsOf(wishes: PlanWishes): Bounds {
  if (wishes.bounds !== undefined && wishes.upper !== undefined) {
    throw new VeilgridError("USAGE", "--bounds and --upper say the same thing; give one of them");
  }
  if (wishes.bounds !== undefined) return parseBounds(wishes.bounds);
  if (wishes.upper !== undefined)
    return makeBounds(parseDecimal("0", "--upper"), parseDecimal(wishes.upper, "--upper"));
  throw new VeilgridError(
    "USAGE",
    "--bounds a,b is missing: the range values are clamped to, for example --bounds 0,65 (or --upper 65)",
  );
}

function oneOf<Choice extends string>(flag: string, given: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === given);
  if (choice === undefined) {
    throw new VeilgridError("USAGE", `${flag} ${quoteForMessage(given)} is unknown; use ${choices.join(" or ")}`);
  }
  return choice;
}

function flagOf(wish: string): string {
  return `--${wish.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
