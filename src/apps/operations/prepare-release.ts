/** What every release begins with: the plan, the ledger and the key, then the records as the plan reads them. */

import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type Occupancy, occupancyHash } from "../../core/occupancy/index.ts";
import {
  flagOf,
  type OptionTexts,
  optionTexts,
  RECIPE_OPTIONS,
  type RELEASE_OPTIONS,
  type RecordsOptions,
} from "../../core/options/index.ts";
import { type LongWorkOptions, type Plan, type PlanEvaluation, readPlan } from "../../core/planning/index.ts";
import type { Engine, Records } from "../../data/engines/index.ts";
import { parseRecipe, type RecipeFlags, readRecipe, recipeJson } from "../../data/partition/index.ts";
import { nativeHash, type SourceDescription } from "../../data/sources/index.ts";
import { expandKey, type Ledger } from "../../publish/ledger/index.ts";
import { charges, checksBefore, partsOf } from "../../publish/release/index.ts";
import { type LedgerFlags, ledgerOf, needed, readText } from "./ledger.ts";
import { dialectOf } from "./read-source.ts";

/** Everything as text, as flags give it. */
export interface PrepareOptions extends LedgerFlags, OptionTexts<typeof RELEASE_OPTIONS> {
  /** How files are written; what is said about columns must be what the plan says. */
  readonly records?: RecordsOptions | undefined;
}

export interface PreparedRelease {
  readonly source: string;
  readonly plan: Plan;
  readonly dataset: string;
  readonly key: string;
  readonly ledger: Ledger;
  /** What the plan and the flags say of the files. */
  readonly reading: RecordsOptions;
}

/** Reads the plan and opens the ledger, which the caller closes. */
export async function prepareRelease(source: string, options: PrepareOptions): Promise<PreparedRelease> {
  const planFile = needed(options.plan, "--plan", "the file that veilgrid plan --out wrote");
  const dataset = needed(options.dataset, "--dataset", "the name that veilgrid ledger init was given");
  const plan = readPlan(await readText(planFile), planFile);
  const asked = preparedOf(source, { plan, dataset, key: options.key, records: options.records });
  return { ...asked, ledger: await ledgerOf(options) };
}

export function preparedOf(
  source: string,
  {
    plan,
    dataset,
    key = plan.hash,
    records = {},
  }: Pick<PreparedRelease, "plan" | "dataset"> & Pick<PrepareOptions, "key" | "records">,
): Omit<PreparedRelease, "ledger"> {
  const reading = recordsOf(plan, records, source);
  return { source, plan, dataset, key: expandKey(key, { date: new Date(), planHash: plan.hash }), reading };
}

/** The plan says how records are read; a flag may repeat it, not change it. */
function recordsOf(plan: Plan, given: RecordsOptions, source: string): RecordsOptions {
  const { partition } = plan;
  if (partition === null)
    throw new VeilgridError(
      "PLAN_MISMATCH",
      "the plan was made from an occupancy file, which has no values to release; plan from the records themselves",
    );
  if (source === "-")
    throw new VeilgridError("USAGE", "records cannot come from standard input, which can be read only once; save them");
  for (const [name, value] of Object.entries(optionTexts(RECIPE_OPTIONS, given))) {
    const changed = { ...partition, [name]: value } as RecipeFlags;
    if (JSON.stringify(recipeJson(parseRecipe(changed))) === JSON.stringify(partition)) continue;
    throw new VeilgridError(
      "USAGE",
      `${flagOf(name)} ${quoteForMessage(String(value))} conflicts with the plan, which says ${quoteForMessage(partition[name] ?? "nothing of the kind")}; leave it out or plan again`,
    );
  }
  return { ...given, ...partition };
}

/** Looks at the files as the plan and the flags say that they are written. */
export function describeRecords(
  engine: Engine,
  { source, reading }: Pick<PreparedRelease, "source" | "reading">,
  work: LongWorkOptions,
): Promise<SourceDescription> {
  return engine.describe(source, dialectOf(reading), { ...work, sampled: [] });
}

export async function countRecords(
  engine: Engine,
  description: SourceDescription,
  { plan }: Pick<PreparedRelease, "plan">,
  work: LongWorkOptions,
): Promise<{ records: Records; occupancy: Occupancy }> {
  const records = { source: description, recipe: readRecipe(plan.partition!) };
  const { occupancy } = await engine.readOccupancy(records, work);
  await engine.checkTotals?.(records, plan);
  occupancyHash(occupancy, nativeHash);
  return { records, occupancy };
}

/** What some grids would cost, and whether the budget refuses them. Charges nothing. */
export async function priceOf(
  { ledger, plan, dataset, key }: PreparedRelease,
  {
    occupancy,
    evaluation,
    parts,
    notPrivate = false,
  }: { occupancy: Occupancy; evaluation: PlanEvaluation; parts: readonly string[]; notPrivate?: boolean },
): ReturnType<Ledger["price"]> {
  const price = await ledger.price({
    dataset,
    key,
    planHash: plan.hash,
    parts: partsOf(plan, parts),
    chargesOf: (charged) => charges(occupancy, plan, evaluation, charged),
    ...checksBefore({ plan, dataset, key, notPrivate }),
  });
  return { ...price, parts: price.parts.filter((part) => parts.includes(part)) };
}
