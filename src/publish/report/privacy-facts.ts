/** States what a release promises and what it does not, in plain words: statement, page and JSON take it from here. */
import { STATISTICS, type Statistic } from "../../core/influence/index.ts";
import type { Spread } from "../../core/planning/index.ts";
import { NOT_PRIVATE, type ReleaseResult } from "../release/index.ts";
import { modelWords } from "./model-words.ts";
import { releaseShape, releaseStatistics } from "./release-context.ts";
import { guessPercent, lines, plural } from "./text-table.ts";

const LOSS_PLACES = 4;
/** From here on the promise, by itself, is next to none. */
const HIGH_LOSS = 5;

export function privacyFacts(result: ReleaseResult) {
  const { dataset, key, tool, strategy, estimator, loss, epsilon } = result;
  const { user } = releaseShape(result);
  const warning = warningOf(result);
  const percent = guessPercent(loss);
  const rounded = loss.toDecimalUp(LOSS_PLACES);
  const simpleRounded = result.lossSimple.toDecimalUp(LOSS_PLACES);
  const userWords = user === undefined ? "one user" : `one user (one value of the column ${user})`;
  const epsilonWords = epsilon === null ? "each grid's full ε" : `the full ε of ${epsilon.toShortString()}`;
  return {
    ...(warning === undefined ? {} : { warning }),
    neighbours: `Two datasets are neighbours if they have the same users, the same grids and the same number of records of each user in each grid, and differ only in the values of ${userWords}: any or all of that user's values, in every grid at once. Whatever is published is at most e^λ times as likely with one of them as with the other.`,
    loss: {
      exact: loss.toString(),
      roundedUp: rounded,
      // By the simple rule: ε for every grid of a user.
      simpleExact: result.lossSimple.toString(),
      simpleRoundedUp: simpleRounded,
      epsilonPerGrid: epsilon?.toString() ?? null,
      guessesRightAtMostPercent: percent,
      inWords: lossSentence(result, percent),
      simpleInWords: `Counted the simple way, ${epsilonWords} for every grid that a user is in, the loss would be ${simpleRounded}. The joint count of ${rounded} looks at how far each user can really move each grid, and is the one that is charged.`,
    },
    protected: protectedSentences(result),
    notProtected: notProtectedSentences(result),
    method: methodSentences(result),
    identity: {
      dataset,
      ...(result.about as Readonly<Record<string, string>> | undefined),
      key,
      date: result.reservedAt,
      plan: `sha256 ${result.plan}`,
      occupancy: `sha256 ${result.occupancy}`,
      tool,
      strategy,
      estimator,
      ...(result.passes && { passes: String(result.passes) }),
      statistics: result.statistics.join(", "),
      bounds: result.bounds.map((bound) => bound.toShortString()).join(" to "),
      "ε per grid": epsilon?.toString() ?? "each grid has its own",
      "loss λ, exact": loss.toString(),
    },
  };
}

function lossSentence(result: ReleaseResult, percent: string): string {
  const guess = `An attacker who would guess right half of the time about one user's values can do so at most ${percent} % of the time after seeing everything that this plan releases.`;
  if (result.notPrivate)
    return `The noise comes from a known seed and can be subtracted: nobody is protected. With secret noise this would hold: ${guess}`;
  return result.loss.toNumberNearest() >= HIGH_LOSS
    ? `${guess} That is a weak promise: at a loss this high the guarantee alone protects little.`
    : guess;
}

function protectedSentences(result: ReleaseResult): string[] {
  if (result.notPrivate) return ["Nothing: the noise comes from a known seed."];
  return [
    "The values of one user, all of them and in all grids at once, also against someone who knows every value of every other user, this program and the whole plan.",
    "This holds whatever else is known, and for whatever is computed from these files later.",
  ];
}

function notProtectedSentences(result: ReleaseResult): string[] {
  const { missing, cell: hasHexagons } = releaseShape(result);
  return lines(
    "Presence and counts: which users have records, in which grids and how many is treated as known to everybody; the numbers of users and records in each grid are published exactly.",
    hasHexagons &&
      "At a fixed reporting rate the count of records in a hexagon is dwell time, about 1/speed: who knows how many records a vehicle left in a hexagon of known size knows roughly how fast it went through, whatever noise the mean carries.",
    "What is true of everybody: if all values in a grid are alike, the release says so. That is its purpose.",
    "Groups: k users whose values move together are protected with k times the loss only.",
    "Other releases of the same data: their losses add up.",
    missing === "drop" &&
      "Missingness: records without a value were dropped before counting (missing: drop), so which records had a value is public too.",
  );
}

function methodSentences(result: ReleaseResult): string[] {
  const { missing, emptyUser } = releaseShape(result);
  const [lower, upper] = result.bounds.map((bound) => bound.toShortString());
  return lines(
    `Values were clamped to ${lower} … ${upper}, a range chosen beforehand and not taken from the data, and rounded to steps of ${result.latticeStep.toShortString()}.`,
    missing === "midpoint" && "Records without a value were counted with the middle of that range.",
    emptyUser === "one" && "Records without a user were counted as those of one user.",
    emptyUser === "drop" && "Records without a user were left out.",
    "Each statistic was computed in exact integers and got discrete Laplace noise that is exact too: nothing between data and published number depends on floating point.",
    ...(result.spread === undefined
      ? [
          "Which records were left out was decided from counts alone, never from a value.",
          ...estimatorSentences(result),
        ]
      : weightedSentences(result, result.spread)),
    "Clamping a published number to its range, standard deviations and intervals are computed from the noisy numbers and reveal nothing more.",
  );
}

/** Of balanced plans. */
function weightedSentences(result: ReleaseResult, spread: Spread): string[] {
  return lines(
    "No record was left out by rank: each user's records in a grid were averaged, and the averages weighted. The weights were decided from counts alone, never from a value; the stated bias is the most that they can have moved a number.",
    result.passes === 2 &&
      "The numbers come from two passes. The first one's noisy numbers, and noisy counts of how many users lie how near to them, decided to which ranges users' averages were held in the second. Both are charged, and all of it follows from published numbers.",
    `Weights, typical errors and intervals under the model assume that ${modelOf(result, spread)}. This was stated beforehand and not taken from the data; privacy and the guaranteed errors do not depend on it.`,
    "Smoothed numbers are drawn towards those of other grids, as far as their noise suggests. They are made of the published numbers alone.",
  );
}

/** The public model in words. */
export function modelOf(result: ReleaseResult, { users, records, trend }: Spread): string {
  const numbers = {
    users: users.toNumberNearest(),
    records: records.toNumberNearest(),
    trend: trend.toNumberNearest(),
  };
  return modelWords(numbers, releaseShape(result));
}

/** Empty where every record was kept: then both estimators give the same. */
function estimatorSentences(result: ReleaseResult): string[] {
  if (result.rows.every((row) => row.kept === row.samples)) return [];
  const statistics = releaseStatistics(result);
  if (result.estimator === "centred") return centredSentences(result, statistics);
  const general = "Statistics are those of the kept records, as if there were no others (estimator: kept)";
  return [`${[general, ...leftOutWords(statistics)].join("; ")}.`];
}

function centredSentences(result: ReleaseResult, statistics: readonly Statistic[]): string[] {
  const emptied = result.rows.filter((row) => row.kept === 0).length;
  return lines(
    "What was left out counts as the middle of what it could be (estimator: centred). The stated bias is the most by which that can be wrong.",
    statistics.some(({ needsClampedSum }) => needsClampedSum) &&
      "Mean and sum start from each user's total over all its records in a grid, held to what the kept number of them could reach around the middle of the range; where nobody's total was held back, they are as if nothing had been left out.",
    ...leftOutWords(statistics),
    emptied > 0 && emptiedSentence(emptied),
  );
}

/** What the statistics say themselves, each kind once, in their usual order. */
function leftOutWords(statistics: readonly Statistic[]): string[] {
  return STATISTICS.flatMap((kind) => statistics.find((each) => each.kind === kind)?.words.leftOut ?? []);
}

export function emptiedSentence(grids: number): string {
  return `No record was kept in ${plural(grids, "grid")}: what is published there is the middle of what is possible, without noise, and says nothing about the data.`;
}

/** The warning at the very top of every file of a release with known noise. */
export function warningOf(result: Pick<ReleaseResult, "notPrivate">): string | undefined {
  return result.notPrivate ? NOT_PRIVATE : undefined;
}
