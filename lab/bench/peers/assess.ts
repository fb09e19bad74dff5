/** Makes figures of a peer's answers: errors as published and smoothed, and how the intervals of balanced plans did. */
import type { Dataset } from "./datasets.js";
import type { Answered, ModelledFacts, Question } from "./measured.js";
import { INTERVALS, type Modelled, type PeerResult } from "./node-peer.js";
import { coverage, type Estimates, inRange, type Score, type StatisticName, score } from "./score.js";
import { type NoiseVariance, smoothedBy } from "./smoothing.js";
import type { Swept } from "./sweep.js";

interface Request {
  readonly question: Question;
  readonly dataset: Dataset;
  readonly truth: Readonly<Record<StatisticName, readonly number[]>>;
  readonly swept: Swept | undefined;
  readonly variance: NoiseVariance | undefined;
}

export function assess(
  result: PeerResult | undefined,
  request: Request,
): Pick<Answered, "scores" | "smoothed" | "modelled" | "example"> {
  if (result === undefined) return { scores: undefined, smoothed: undefined, modelled: undefined, example: undefined };
  const { truth, question } = request;
  const scoresOf = (answers: readonly Estimates[]): Partial<Record<StatisticName, Score>> =>
    Object.fromEntries(
      question.statistics.map((statistic) => [
        statistic,
        score(
          statistic,
          truth[statistic],
          answers.map((answer) => answer[statistic]!),
        ),
      ]),
    );
  const { answers, modelled = [] } = result;
  const [first] = modelled;
  return {
    example: first && {
      published: answers[0]!.mean!.map((mean) => inRange("mean", mean)),
      smoothed: first.smoothed.mean!,
    },
    scores: scoresOf(answers),
    smoothed: scoresOf(
      modelled.length > 0
        ? modelled.map(({ smoothed }) => smoothed)
        : answers.map((answer) =>
            smoothedBy(answer, result.variances ?? variancesOf(answer, request), request.dataset),
          ),
    ),
    modelled: modelled.length > 0 ? factsOf(answers, modelled, { ...request, passes: result.passes! }) : undefined,
  };
}

function variancesOf(answer: Estimates, { question, swept, variance, dataset }: Request): Estimates {
  const { bounds, moments } = swept!;
  return Object.fromEntries(
    question.statistics.map((statistic) => [
      statistic,
      dataset.grids.map((_, grid) => {
        const [kept, largest] = [moments.count[grid]!, moments.largest[grid]!];
        return variance!(statistic, { kept, largest, bounds, mean: inRange("mean", answer.mean![grid]) });
      }),
    ]),
  );
}

function factsOf(
  answers: readonly Estimates[],
  modelled: readonly Modelled[],
  { question, truth, passes }: Pick<Request, "question" | "truth"> & { readonly passes: number },
): ModelledFacts {
  const each = <Value>(of: (statistic: StatisticName) => Value): Record<StatisticName, Value> =>
    Object.fromEntries(question.statistics.map((statistic) => [statistic, of(statistic)])) as Record<
      StatisticName,
      Value
    >;
  return {
    passes,
    typical: each((statistic) => {
      const all = modelled.flatMap(({ typical }) => typical[statistic]!);
      return all.reduce((sum, one) => sum + one, 0) / all.length;
    }),
    coverage: each(
      (statistic) =>
        Object.fromEntries(
          INTERVALS.map((name) => {
            const [low, high] = [0, 1].map((end) => modelled.map(({ intervals }) => intervals[name][end]![statistic]!));
            const numbers = (name === "smoothed" ? modelled.map(({ smoothed }) => smoothed) : answers).map(
              (numbersOf) => numbersOf[statistic]!,
            );
            return [name, coverage(statistic, truth[statistic], { numbers, low: low!, high: high! })];
          }),
        ) as ModelledFacts["coverage"]["mean"] & object,
    ),
  };
}
