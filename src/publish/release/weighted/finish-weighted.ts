/** Finishes a balanced plan's release: reads entries' sums once, then makes and commits each pass from what is committed before it. */
import { invariant } from "../../../core/errors/index.ts";
import { RandomBits } from "../../../core/noise/index.ts";
import { checkpoint, type LongWorkOptions, type Plan } from "../../../core/planning/index.ts";
import type { FinishRequest, ReleaseParties } from "../request.ts";
import { gridText } from "../result.ts";
import { FeatureSums, featureRequest } from "./feature-sums.ts";
import { weightedGrid } from "./last-pass.ts";
import { earlierParts, earlierText, lastPass, type PassRequest } from "./passes.ts";

/** Earlier passes ask all grids of the plan, which they were charged for; the last one asks the grids that are wanted. */
export async function finishWeighted(
  { engine, ledger, random }: ReleaseParties,
  request: FinishRequest,
  options: LongWorkOptions,
): Promise<{ readonly texts: ReadonlyMap<string, string>; readonly clampedValues: number }> {
  const { plan, evaluation, occupancy, dataset, key, parts } = request;
  const { balanced: terms, objective, latticeStep } = plan;
  const { balanced, kept } = evaluation;
  invariant(
    terms !== undefined && balanced !== undefined && engine.readSums !== undefined,
    "a balanced plan is made of weighted sums",
  );
  const passes = earlierParts(plan);
  const earlier = parts.filter((part) => passes.includes(part));
  const grids = parts.filter((part) => !passes.includes(part));
  const lattice = { bounds: objective.bounds, step: latticeStep };
  await checkpoint(options.signal);
  options.onProgress?.({ step: "reading sums", done: 0 });
  const reading = await engine.readSums(
    request.records,
    plan,
    {
      only: { grids: earlier.length > 0 ? plan.grids : grids, occupancy },
      ...featureRequest(balanced.features, lattice),
    },
    options,
  );
  const sums = new FeatureSums(balanced.weights, reading.sums, balanced.features, lattice);
  const secrets = { sums, uniform: new RandomBits(random) };
  const pass: PassRequest = { plan, terms, evaluation: balanced };
  const committed = new Map(request.committed);
  const commit = async (texts: ReadonlyArray<readonly [string, string]>): Promise<void> => {
    const given = await ledger.commit({ dataset, key, planHash: plan.hash, parts: texts });
    for (const [part, text] of given.texts) committed.set(part, text);
  };
  for (const part of earlier) {
    options.onProgress?.({ step: "committing an earlier pass", done: 0 });
    await commit([[part, earlierText(part, pass, committed, secrets)]]);
    await checkpoint(options.signal);
  }
  if (grids.length > 0) {
    options.onProgress?.({ step: "adding noise", done: 0 });
    const last = lastPass(pass, committed);
    const indexOf = new Map(plan.grids.map((grid, index) => [grid, index]));
    const texts = grids.map((grid) => {
      const index = indexOf.get(grid);
      invariant(index !== undefined, "a grid of the release is one of the plan's");
      const row = {
        ...{ grid, users: occupancy.usersOfGrid(index), samples: occupancy.samplesOfGrid[index]! },
        kept: kept.ofGrid[index]!,
        statistics: null,
        weighted: weightedGrid(pass, last, index, secrets),
      };
      return [grid, gridText(row)] as const;
    });
    options.onProgress?.({ step: "committing", done: 0 });
    await commit(texts);
  }
  return { texts: committed, clampedValues: reading.clampedValues };
}

/** All parts of a release of these grids: what is charged and committed under one key. */
export function partsOf(plan: Plan, grids: readonly string[]): readonly string[] {
  return [...earlierParts(plan), ...grids];
}
