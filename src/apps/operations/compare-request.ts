/** What a comparison is asked for, read from text: strategies, what they aim for, and how records become grids. */
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { checkEpsilon, ESTIMATORS, type EstimatorName } from "../../core/influence/index.ts";
import {
  COMPARE_OPTIONS,
  COMPARED_RECORDS_OPTIONS,
  type OptionTexts,
  type OptionValues,
  optionTexts,
  type RecordsTexts,
} from "../../core/options/index.ts";
import { COMPARED_STRATEGIES, type ComparedGoal, type ComparedStrategy } from "../../publish/report/index.ts";
import { lossOf } from "./loss-presets.ts";
import { timeLimitOf } from "./plan.ts";

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
export interface ComparedLine {
  readonly strategy: ComparedStrategy;
  readonly estimator: EstimatorName;
}

export interface CompareRequest {
  readonly goal: ComparedGoal;
  readonly points: ReadonlyArray<{ readonly asked: string; readonly value: Rational }>;
  readonly lines: readonly ComparedLine[];
  /** How records become grids, one after the other. */
  readonly partitions: readonly RecordsTexts[];
  readonly seed: number;
  readonly suggestion: { readonly budget: string; readonly releases: number; readonly loss: string } | null;
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
    points: points.filter(({ value }, at) => at === 0 || !value.equals(points[at - 1]!.value)),
    lines: linesOf(options, several),
    partitions,
    seed: seedOf(options.seed),
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
  const value = parseDecimal(text, `--${goal}`);
  if (goal === "epsilon") checkEpsilon(value, "--epsilon");
  else if (value.sign() <= 0)
    throw new VeilgridError("PARAMETER_INVALID", `--error ${quoteForMessage(text)} must be above 0`);
  return value;
}

function linesOf({ strategies, estimator }: CompareTexts, several: boolean): ComparedLine[] {
  const chosen = estimator === undefined ? undefined : listOf("--estimator", estimator, 2);
  for (const name of chosen ?? [])
    if (!ESTIMATORS.includes(name as EstimatorName))
      throw new VeilgridError(
        "USAGE",
        `--estimator ${quoteForMessage(name)} is unknown; use ${ESTIMATORS.join(" or ")}, or both with a comma between`,
      );
  const estimators = ESTIMATORS.filter((name) => chosen?.includes(name) ?? (!several || name === "centred"));
  const standard = several ? "baseline,frontier" : "baseline,clip-user,clip-user+caps,frontier";
  const names = listOf("--strategies", strategies ?? standard, COMPARED_STRATEGIES.length);
  for (const name of names)
    if (!COMPARED_STRATEGIES.includes(name as ComparedStrategy))
      throw new VeilgridError(
        "USAGE",
        `--strategies ${quoteForMessage(name)} is unknown; use ${COMPARED_STRATEGIES.join(", ")}`,
      );
  return COMPARED_STRATEGIES.filter((name) => names.includes(name)).flatMap((strategy): ComparedLine[] =>
    strategy === "frontier"
      ? estimators.map((each) => ({ strategy, estimator: each }))
      : [{ strategy, estimator: "kept" }],
  );
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
  if (!/^[1-9]\d{0,8}$/.test(releases))
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--releases ${quoteForMessage(releases)} is not a whole number from 1 to 999999999`,
    );
  const total = parseDecimal(budget, "--budget");
  checkEpsilon(total, "--budget");
  const exact = total.divide(Rational.of(Number(releases)));
  const digits = Math.min(18, Math.max(2, 2 - Math.floor(Math.log10(exact.toNumberNearest()))));
  const loss = exact.floorToMultipleOf(Rational.of(1n, 10n ** BigInt(digits)));
  checkEpsilon(loss, "--budget over --releases");
  return { budget, releases: Number(releases), loss: loss.toString() };
}

function seedOf(text = "1"): number {
  if (!/^\d{1,15}$/.test(text))
    throw new VeilgridError("PARAMETER_INVALID", `--seed ${quoteForMessage(text)} is not a whole number from 0`);
  return Number(text);
}
