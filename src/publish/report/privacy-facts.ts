/** What a release promises and what it does not, in plain words: the one source of the statement in every format. */
import type { ReleaseResult } from "../release/index.ts";
import { estimatorSentences } from "./estimator-words.ts";
import { guessPercent } from "./guess-percent.ts";
import { warningOf } from "./not-private.ts";
import { releaseShape } from "./release-shape.ts";

export interface PrivacyFacts {
  readonly warning?: string;
  readonly neighbours: string;
  readonly loss: {
    /** λ. */
    readonly exact: string;
    readonly roundedUp: string;
    /** By the simple rule: ε for every grid of a user. */
    readonly simpleExact: string;
    readonly simpleRoundedUp: string;
    /** null where every grid has its own. */
    readonly epsilonPerGrid: string | null;
    /** e^λ/(1 + e^λ), rounded up. */
    readonly guessesRightAtMostPercent: string;
    readonly inWords: string;
    readonly simpleInWords: string;
  };
  readonly protected: readonly string[];
  readonly notProtected: readonly string[];
  readonly method: readonly string[];
  /** What was released with what, by name. */
  readonly identity: Readonly<Record<string, string>>;
}

const LOSS_PLACES = 4;
/** From here on the promise, by itself, is next to none. */
const HIGH_LOSS = 5;

export function privacyFacts(result: ReleaseResult): PrivacyFacts {
  const warning = warningOf(result);
  const percent = guessPercent(result.loss);
  const rounded = result.loss.toDecimalUp(LOSS_PLACES);
  const simpleRounded = result.lossSimple.toDecimalUp(LOSS_PLACES);
  return {
    ...(warning === undefined ? {} : { warning }),
    neighbours: neighbourSentence(result),
    loss: {
      exact: result.loss.toString(),
      roundedUp: rounded,
      simpleExact: result.lossSimple.toString(),
      simpleRoundedUp: simpleRounded,
      epsilonPerGrid: result.epsilon?.toString() ?? null,
      guessesRightAtMostPercent: percent,
      inWords: lossSentence(result, percent),
      simpleInWords: `Counted the simple way, ${result.epsilon === null ? "each grid's full ε" : `the full ε of ${result.epsilon.toShortString()}`} for every grid that a user is in, the loss would be ${simpleRounded}. The joint count of ${rounded} looks at how far each user can really move each grid, and is the one that is charged.`,
    },
    protected: protectedSentences(result),
    notProtected: notProtectedSentences(result),
    method: methodSentences(result),
    identity: {
      dataset: result.dataset,
      key: result.key,
      date: result.reservedAt,
      plan: `sha256 ${result.plan}`,
      occupancy: `sha256 ${result.occupancy}`,
      tool: result.tool,
      strategy: result.strategy,
      estimator: result.estimator,
      statistics: result.statistics.join(", "),
      bounds: `${result.bounds[0].toShortString()} to ${result.bounds[1].toShortString()}`,
      "ε per grid": result.epsilon?.toString() ?? "each grid has its own",
      "loss λ, exact": result.loss.toString(),
    },
  };
}

function userWords(result: ReleaseResult): string {
  const { user } = releaseShape(result);
  return user === undefined ? "one user" : `one user (one value of the column ${user})`;
}

function neighbourSentence(result: ReleaseResult): string {
  return `Two datasets are neighbours if they have the same users, the same grids and the same number of records of each user in each grid, and differ only in the values of ${userWords(result)}: any or all of that user's values, in every grid at once. Whatever is published is at most e^λ times as likely with one of them as with the other.`;
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
  return [
    "Presence and counts: which users have records, in which grids and how many is treated as known to everybody; the numbers of users and records in each grid are published exactly.",
    ...(hasHexagons
      ? [
          "At a fixed reporting rate the count of records in a hexagon is dwell time, about 1/speed: who knows how many records a vehicle left in a hexagon of known size knows roughly how fast it went through, whatever noise the mean carries.",
        ]
      : []),
    "What is true of everybody: if all values in a grid are alike, the release says so. That is its purpose.",
    "Groups: k users whose values move together are protected with k times the loss only.",
    "Other releases of the same data: their losses add up.",
    ...(missing === "drop"
      ? [
          "Missingness: records without a value were dropped before counting (missing: drop), so which records had a value is public too.",
        ]
      : []),
  ];
}

function methodSentences(result: ReleaseResult): string[] {
  const { missing, emptyUser } = releaseShape(result);
  const [lower, upper] = result.bounds.map((bound) => bound.toShortString());
  return [
    `Values were clamped to ${lower} … ${upper}, a range chosen beforehand and not taken from the data, and rounded to steps of ${result.latticeStep.toShortString()}.`,
    ...(missing === "midpoint" ? ["Records without a value were counted with the middle of that range."] : []),
    ...(emptyUser === "one" ? ["Records without a user were counted as those of one user."] : []),
    ...(emptyUser === "drop" ? ["Records without a user were left out."] : []),
    "Each statistic was computed in exact integers and got discrete Laplace noise that is exact too: nothing between data and published number depends on floating point.",
    "Which records were left out was decided from counts alone, never from a value.",
    ...estimatorSentences(result),
    "Clamping a published number to its range, standard deviations and intervals are computed from the noisy numbers and reveal nothing more.",
  ];
}
