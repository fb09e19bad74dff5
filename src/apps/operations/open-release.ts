/** A release that is made grid by grid: held open with what is public about its records, never with a value or a total. */
import { stat } from "node:fs/promises";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { systemBytes } from "../../core/noise/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";
import { checkPlan, type LongWorkOptions, type PlanEvaluation } from "../../core/planning/index.ts";
import type { Engine, Records } from "../../data/engines/index.ts";
import { isPattern, type SourceDescription } from "../../data/sources/index.ts";
import { expandKey } from "../../publish/ledger/index.ts";
import { type ReleaseParties, release } from "../../publish/release/index.ts";
import {
  countRecords,
  describeRecords,
  type PreparedRelease,
  type PrepareOptions,
  prepareRelease,
  priceOf,
} from "./prepare-release.ts";
import { openEngineFor } from "./read-source.ts";
import { toolVersion } from "./tool-version.ts";

/** What may be kept between two calls: files as they were looked at, counts, and the plan worked out again from them. */
interface Counted {
  /** Which files there are, and how large and old they are; undefined for a table, which does not tell. */
  readonly looks: string | undefined;
  readonly records: Records;
  readonly occupancy: Occupancy;
  readonly evaluation: PlanEvaluation;
}

export interface OpenReleaseOptions extends LongWorkOptions {
  /** Waited for once the noise is drawn: others may see in the ledger when it is committed, and how long it took tells how large it is. */
  readonly beforeCommit?: (() => Promise<void>) | undefined;
}

export class OpenRelease implements AsyncDisposable {
  readonly #prepared: PreparedRelease;
  #engine: Engine | undefined;
  #counted: Counted | undefined;

  constructor(prepared: PreparedRelease) {
    this.#prepared = prepared;
  }

  /**
   * Releases grids, each charged by itself, and says which of them the budget refuses and why. If not all fit, those that come
   * first do.
   */
  async release(grids: readonly string[], work: OpenReleaseOptions = {}): Promise<ReadonlyMap<string, VeilgridError>> {
    const counted = await this.#count(work);
    const refused = new Map<string, VeilgridError>();
    // Once for most; again while others spend what was left between the look and the charge.
    for (let wanted = grids; wanted.length > 0; wanted = grids.filter((grid) => !refused.has(grid))) {
      try {
        await this.#releaseTogether(wanted, counted, work);
        break;
      } catch (error) {
        if (!(error instanceof VeilgridError) || error.code !== "BUDGET_EXCEEDED") throw error;
        if (wanted.length === 1) refused.set(wanted[0]!, error);
        else for (const [grid, refusal] of await this.#refusals(wanted, counted)) refused.set(grid, refusal);
      }
    }
    return refused;
  }

  async #releaseTogether(
    grids: readonly string[],
    { records, occupancy, evaluation }: Counted,
    work: OpenReleaseOptions,
  ): Promise<void> {
    const { plan, dataset, key, ledger } = this.#prepared;
    const request = {
      ...{ records, occupancy, evaluation, plan, dataset, key, grids },
      separately: true,
      notPrivate: false,
      tool: toolVersion(),
      reservedAt: new Date(),
    };
    const parties = { engine: this.#engine!, ledger: committing(ledger, work.beforeCommit), random: systemBytes };
    await release(parties, request, work);
  }

  /** Which grids do not fit beside those before them. Told from counts and balances alone. */
  async #refusals(grids: readonly string[], { occupancy, evaluation }: Counted): Promise<Map<string, VeilgridError>> {
    const refused = new Map<string, VeilgridError>();
    const fitting: string[] = [];
    for (const grid of grids) {
      const { refusal } = await priceOf(this.#prepared, { occupancy, evaluation, parts: [...fitting, grid] });
      if (refusal === null) fitting.push(grid);
      else refused.set(grid, new VeilgridError("BUDGET_EXCEEDED", refusal));
    }
    return refused;
  }

  /** Counts again only if a file is not what it was; a table always. */
  async #count(work: LongWorkOptions): Promise<Counted> {
    const { source, plan, reading } = this.#prepared;
    this.#engine ??= await openEngineFor(source, reading);
    const known = this.#counted;
    if (known?.looks !== undefined && !isPattern(source) && (await looksOf(known.records.source)) === known.looks)
      return known;
    const description = await describeRecords(this.#engine, this.#prepared, work);
    const looks = await looksOf(description);
    if (known !== undefined && looks !== undefined && known.looks === looks) return known;
    this.#counted = undefined;
    const { records, occupancy } = await countRecords(this.#engine, description, { plan }, work);
    const evaluation = checkPlan(occupancy, plan);
    this.#counted = { looks, records, occupancy, evaluation };
    return this.#counted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine?.[Symbol.asyncDispose]();
    await this.#prepared.ledger[Symbol.asyncDispose]();
  }
}

/** Reads the plan and opens the ledger; no record is touched. */
export async function openRelease(source: string, options: PrepareOptions): Promise<OpenRelease> {
  const prepared = await prepareRelease(source, options);
  const { plan, key, ledger } = prepared;
  // A grid has one answer for ever, so its key may not change from day to day.
  if (expandKey(options.key ?? plan.hash, { date: new Date(0), planHash: plan.hash }) !== key) {
    await ledger[Symbol.asyncDispose]();
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `key ${quoteForMessage(options.key!)} changes with the date; grids that are released one by one need a key that stays`,
    );
  }
  return new OpenRelease(prepared);
}

function committing(
  ledger: ReleaseParties["ledger"],
  beforeCommit: (() => Promise<void>) | undefined,
): ReleaseParties["ledger"] {
  return {
    reserve: (request) => ledger.reserve(request),
    commit: async (request) => {
      await beforeCommit?.();
      return ledger.commit(request);
    },
  };
}

/** A file that was written again, replaced or touched looks otherwise; one that is gone is told apart by whoever reads it. */
async function looksOf({ files, table }: SourceDescription): Promise<string | undefined> {
  if (table !== null) return undefined;
  const looks: string[][] = [];
  for (const { path } of files) {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    looks.push([path, ...[found?.ino, found?.size, found?.mtimeNs, found?.ctimeNs].map(String)]);
  }
  return JSON.stringify(looks);
}
