/** What a comparison is asked for, read from text: strategies, what they aim for, and how records become grids. */
import { Rational } from "../../core/arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { checkEpsilon, ESTIMATORS } from "../../core/influence/index.ts";
import {
  COMPARE_OPTIONS,
  COMPARED_RECORDS_OPTIONS,
  type OptionTexts,
  type OptionValues,
  optionTexts,
  type RecordsTexts,
  wholeNumber,
} from "../../core/options/index.ts";
import {
  COMPARED_STRATEGIES,
  type ComparedGoal,
  type ComparedPlan,
  type Comparison,
} from "../../publish/report/index.ts";
import { epsilonOf, lossOf, parsePositive, timeLimitOf } from "./plan.ts";

/** Lists are separated by commas. All strategies are planned in one metric: `relative` if absent, for several statistics. */
export interface CompareOptions extends OptionValues<typeof COMPARE_OPTIONS> {
  /** As for a plan, with lists for `h3` and `slot`. */
  readonly records?: OptionValues<typeof COMPARED_RECORDS_OPTIONS> | undefined;
}
export type CompareTexts = OptionTexts<typeof COMPARE_OPTIONS> & {
  readonly records?: OptionTexts<typeof COMPARED_RECORDS_OPTIONS>;
};

export function compareTexts(options: CompareOptions): CompareTexts {
  const records = optionTexts(COMPARED_RECORDS_OPTIONS, options.records ?? {});
  return { ...optionTexts(COMPARE_OPTIONS, options), records };
}

/** A line of the comparison. */
export type ComparedLine = Pick<ComparedPlan, "strategy" | "estimator">;

export interface CompareRequest {
  readonly goal: ComparedGoal;
  readonly points: ReadonlyArray<{ readonly asked: string; readonly value: Rational }>;
  readonly lines: readonly ComparedLine[];
  /** How records become grids, one after the other. */
  readonly partitions: readonly RecordsTexts[];
  readonly seed: number;
  readonly suggestion: Comparison["suggestion"];
}

const DEFAULT_LOSSES = "0.2,0.5,1,2,5";
/** Where there are several partitions, each of which takes its time. */
const FEWER_LOSSES = "0.5,1,2";
const MOST_POINTS = 40;
const MOST_PARTITIONS = 24;

/** Everything is checked before any file is read. */
export function compareRequest(options: CompareTexts): CompareRequest {
  const partitions = partitionsOf(options.records ?? {});
  const several = partitions.length > 1;
  const suggestion = suggestionOf(options);
  if (options.timeLimit !== undefined) timeLimitOf(options.timeLimit);
  const given = (["loss", "epsilon", "error"] as const).filter((goal) => options[goal] !== undefined);
  if (given.length > 1)
    throw new VeilgridError(
      "USAGE",
      `--${given[0]} and --${given[1]} are two ways to choose the points of a line; give one of them`,
    );
  const goal = given[0] ?? "loss";
  const texts = listOf(`--${goal}`, options[goal] ?? (several ? FEWER_LOSSES : DEFAULT_LOSSES), MOST_POINTS);
  if (goal === "loss" && suggestion !== null) texts.push(suggestion.loss);
  const points = texts.map((asked) => ({ asked, value: pointOf(goal, asked) }));
  points.sort((left, right) => left.value.compare(right.value));
  return {
    goal,
    points: points.filter(({ value }, at) => !points[at - 1]?.value.equals(value)),
    lines: linesOf(options, goal, several),
    partitions,
    seed: wholeNumber(options.seed ?? "1", "--seed", 0, 999_999_999_999_999),
    suggestion,
  };
}

function listOf(flag: string, text: string, most: number): string[] {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.includes(""))
    throw new VeilgridError("USAGE", `${flag} ${quoteForMessage(text)}: write a list as 0.5,1,2, without gaps`);
  if (parts.length > most)
    throw new VeilgridError(
      "USAGE",
      `${flag} has ${parts.length} entries; ${most} is the most that are compared at once`,
    );
  return parts;
}

function pointOf(goal: ComparedGoal, text: string): Rational {
  if (goal === "loss") return lossOf(text);
  if (goal === "error" && text.includes("="))
    throw new VeilgridError(
      "USAGE",
      `--error ${quoteForMessage(text)}: compare takes errors in the metric, as 50,100; for one per statistic use plan`,
    );
  return goal === "epsilon" ? epsilonOf(text, "--epsilon") : parsePositive(text, "--error");
}

function linesOf({ strategies, estimator }: CompareTexts, goal: ComparedGoal, several: boolean): ComparedLine[] {
  const estimators = estimator === undefined ? undefined : namesOf("--estimator", estimator, ESTIMATORS);
  const guaranteed = several ? "baseline,frontier" : "baseline,clip-user,clip-user+caps,frontier";
  const standard = goal === "loss" ? `${guaranteed},balanced` : guaranteed;
  const names = namesOf("--strategies", strategies ?? standard, COMPARED_STRATEGIES);
  if (goal !== "loss" && names.includes("balanced"))
    throw new VeilgridError(
      "USAGE",
      `--strategies balanced goes with --loss, not --${goal}: it has no error to aim for`,
    );
  const ofFrontier = estimators ?? (several ? ["centred" as const] : ESTIMATORS);
  return names.flatMap((strategy): ComparedLine[] =>
    strategy === "frontier"
      ? ofFrontier.map((each) => ({ strategy, estimator: each }))
      : [{ strategy, estimator: strategy === "balanced" ? "weighted" : "kept" }],
  );
}

/** Those of the known names that are listed, in the order in which they are known. */
function namesOf<Name extends string>(flag: string, text: string, known: readonly Name[]): Name[] {
  const names = listOf(flag, text, known.length);
  const unknown = names.find((name) => !known.some((each) => each === name));
  if (unknown !== undefined)
    throw new VeilgridError(
      "USAGE",
      `${flag} ${quoteForMessage(unknown)} is unknown; use ${known.join(known.length > 2 ? ", " : " or ")}`,
    );
  return known.filter((name) => names.includes(name));
}

/** Every hexagon size with every slot. */
function partitionsOf(records: RecordsTexts): RecordsTexts[] {
  const sizes = records.h3 === undefined ? [undefined] : listOf("--h3", records.h3, MOST_PARTITIONS);
  const slots = records.slot === undefined ? [undefined] : listOf("--slot", records.slot, MOST_PARTITIONS);
  if (sizes.length * slots.length > MOST_PARTITIONS)
    throw new VeilgridError(
      "USAGE",
      `--h3 and --slot make ${sizes.length * slots.length} kinds of grids; ${MOST_PARTITIONS} is the most that are compared at once`,
    );
  return sizes.flatMap((h3) => slots.map((slot) => ({ ...records, h3, slot })));
}

/** λ/N, rounded down to something that can be typed. */
function suggestionOf({ budget, releases }: CompareTexts): CompareRequest["suggestion"] {
  if (budget === undefined && releases === undefined) return null;
  if (budget === undefined || releases === undefined)
    throw new VeilgridError(
      "USAGE",
      "--budget and --releases go together: the loss a user may suffer in all, and over how many releases, as --budget 2 --releases 52",
    );
  const count = wholeNumber(releases, "--releases", 1, 999_999_999);
  const exact = epsilonOf(budget, "--budget").divide(Rational.of(count));
  const digits = Math.min(18, Math.max(2, 2 - Math.floor(Math.log10(exact.toNumberNearest()))));
  const loss = exact.floorToMultipleOf(Rational.of(1n, 10n ** BigInt(digits)));
  checkEpsilon(loss, "--budget over --releases");
  return { budget, releases: count, loss: loss.toString() };
}
