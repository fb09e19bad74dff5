/** A release that is made grid by grid: held open with what is public about its records, never with a value or a total. */
import { stat } from "node:fs/promises";
import type { DuckDbEngine, Records } from "../engines/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";
import { expandKey } from "../ledger/index.ts";
import { systemBytes } from "../noise/index.ts";
import type { Occupancy } from "../occupancy/index.ts";
import { checkPlan, type LongWorkOptions, type PlanEvaluation } from "../planning/index.ts";
import { charges, releaseChecked, releasedBefore } from "../release/index.ts";
import { isPattern, type SourceDescription } from "../sources/index.ts";
import {
  checkUserColumn,
  countRecords,
  type PreparedRelease,
  type PrepareWishes,
  prepareRelease,
} from "./prepare-release.ts";
import { dialectWishes, openEngine } from "./read-source.ts";
import { toolVersion } from "./tool-version.ts";

/** What may be kept between two calls: files as they were looked at, counts, and the plan worked out again from them. */
interface Counted {
  /** Which files there are, and how large and old they are. */
  readonly looks: string;
  readonly records: Records;
  readonly occupancy: Occupancy;
  readonly evaluation: PlanEvaluation;
}

export class OpenRelease implements AsyncDisposable {
  readonly #source: string;
  readonly #prepared: PreparedRelease;
  #engine: DuckDbEngine | undefined;
  #counted: Counted | undefined;
  #columnIsSettled = false;

  private constructor(source: string, prepared: PreparedRelease) {
    this.#source = source;
    this.#prepared = prepared;
  }

  /** Reads the plan and opens the ledger; no record is touched. */
  static async open(source: string, wishes: PrepareWishes): Promise<OpenRelease> {
    const prepared = await prepareRelease(source, wishes);
    const { plan, key, ledger } = prepared;
    // A grid has one answer for ever, so its key may not change from day to day.
    if (expandKey(wishes.key ?? plan.hash, { date: new Date(0), planHash: plan.hash }) !== key) {
      await ledger[Symbol.asyncDispose]();
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `key ${quoteForMessage(wishes.key!)} changes with the date; grids that are released one by one need a key that stays`,
      );
    }
    return new OpenRelease(source, prepared);
  }

  get planHash(): string {
    return this.#prepared.plan.hash;
  }

  /** The canonical result of one grid if it is committed. Reads the ledger only; refuses a grid that is not in the plan. */
  async released(grid: string): Promise<string | undefined> {
    const { plan, dataset, key, ledger } = this.#prepared;
    return releasedBefore(ledger, { plan, dataset, key, grids: [grid], notPrivate: false });
  }

  /**
   * Releases grids, each charged by itself, and says which of them the budget refuses and why. If not all fit, those that come
   * first do.
   */
  async release(grids: readonly string[], options: LongWorkOptions = {}): Promise<ReadonlyMap<string, VeilgridError>> {
    const { plan, dataset, ledger } = this.#prepared;
    if (!this.#columnIsSettled) this.#columnIsSettled = await checkUserColumn(ledger, dataset, plan);
    const counted = await this.#count(options);
    try {
      await this.#releaseTogether(grids, counted, options);
      return new Map();
    } catch (error) {
      if (!(error instanceof VeilgridError) || error.code !== "BUDGET_EXCEEDED") throw error;
      if (grids.length === 1) return new Map([[grids[0]!, error]]);
    }
    const refused = await this.#refusals(grids, counted);
    const fitting = grids.filter((grid) => !refused.has(grid));
    if (fitting.length > 0) await this.#releaseTogether(fitting, counted, options);
    return refused;
  }

  async #releaseTogether(
    grids: readonly string[],
    { records, occupancy, evaluation }: Counted,
    options: LongWorkOptions,
  ): Promise<void> {
    const { plan, dataset, key, ledger } = this.#prepared;
    const request = {
      ...{ records, occupancy, evaluation, plan, dataset, key, grids },
      separately: true,
      notPrivate: false,
      tool: toolVersion(),
      reservedAt: new Date(),
    };
    await releaseChecked({ engine: this.#engine!, ledger, random: systemBytes }, request, options);
  }

  /** Which grids do not fit beside those before them. Told from counts and balances alone. */
  async #refusals(grids: readonly string[], { occupancy, evaluation }: Counted): Promise<Map<string, VeilgridError>> {
    const { plan, dataset, key, ledger } = this.#prepared;
    const refused = new Map<string, VeilgridError>();
    const fitting: string[] = [];
    for (const grid of grids) {
      const { refusal } = await ledger.price({
        dataset,
        key,
        planHash: plan.hash,
        parts: [...fitting, grid],
        chargesOf: (parts) => charges(occupancy, plan, evaluation, parts),
      });
      if (refusal === null) fitting.push(grid);
      else refused.set(grid, new VeilgridError("BUDGET_EXCEEDED", refusal));
    }
    return refused;
  }

  /** Counts again only if a file is not what it was. */
  async #count(options: LongWorkOptions): Promise<Counted> {
    const { plan, reading } = this.#prepared;
    this.#engine ??= await openEngine(reading);
    const known = this.#counted;
    if (known !== undefined && !isPattern(this.#source) && (await looksOf(known.records.source)) === known.looks)
      return known;
    const description = await this.#engine.describe(this.#source, dialectWishes(reading), options);
    const looks = await looksOf(description);
    if (known?.looks === looks) return known;
    this.#counted = undefined;
    const { records, occupancy } = await countRecords(this.#engine, description, { plan }, options);
    const evaluation = checkPlan(occupancy, plan);
    this.#counted = { looks, records, occupancy, evaluation };
    return this.#counted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine?.[Symbol.asyncDispose]();
    await this.#prepared.ledger[Symbol.asyncDispose]();
  }
}

/** A file that was written again, replaced or touched looks otherwise; one that is gone is told apart by whoever reads it. */
async function looksOf({ files }: SourceDescription): Promise<string> {
  const looks: string[][] = [];
  for (const { path } of files) {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    looks.push([path, ...[found?.ino, found?.size, found?.mtimeNs, found?.ctimeNs].map(String)]);
  }
  return JSON.stringify(looks);
}
