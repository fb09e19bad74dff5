/** The base of every SQL engine: one reading at a time, counts, totals under a plan, and errors in our own words. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import {
  type InputLattice,
  inputLattice,
  type LongWorkOptions,
  type Plan,
  throwIfCancelled,
} from "../../../core/planning/index.ts";
import type { DialectOptions, SourceDescription } from "../../sources/index.ts";
import type {
  DescribeOptions,
  Engine,
  OccupancyReading,
  PlanOfRecords,
  Records,
  SumsReading,
  SumsRequest,
  TotalsReading,
  TotalsRequest,
} from "../engine.ts";
import { type AskedGrids, askedGrids } from "./asked-grids.ts";
import { checkSameCounts, checkSameReading } from "./decisions.ts";
import type { Dialect } from "./dialect.ts";
import { entrySums } from "./entry-sums.ts";
import type { Exchange } from "./exchange.ts";
import { troubleIn } from "./row-checks.ts";
import { checkColumns } from "./source-checks.ts";
import { addUp, type CountedGroups } from "./totals.ts";
import { describeTrouble, type Trouble } from "./trouble.ts";

/** What a reading is for: some servers must be asked in another way for each. */
export type Purpose = "counts" | "totals" | "faults";

export interface CountRequest {
  /** Absent: only counts are wanted. */
  readonly lattice?: InputLattice | undefined;
  readonly thresholds: readonly bigint[];
  readonly asked?: AskedGrids | undefined;
}

/** A source that is open for one reading. */
export interface Reading {
  readonly dialect: Dialect;
  readonly exchange: Exchange;
  /** Counts records per user and grid; only with a lattice may the groups be asked about again. */
  count(request: CountRequest): Promise<{ readonly counted: CountedGroups; readonly messages?: readonly string[] }>;
  /** How many records are left out for want of a user. */
  withoutUser(): Promise<number>;
  /** Where records with this trouble are, and a text that is at fault where that may be shown; undefined where there are none. */
  find(trouble: Trouble | "unread"): Promise<{ readonly where: string; readonly shown: string } | undefined>;
}

interface GroupsUnderPlan {
  readonly counted: CountedGroups;
  readonly lattice: InputLattice;
  readonly asked: AskedGrids | undefined;
}

export abstract class SqlEngine implements Engine {
  abstract readonly name: string;
  #last: Promise<unknown> = Promise.resolve();

  abstract describe(source: string, dialect: DialectOptions, options?: DescribeOptions): Promise<SourceDescription>;
  abstract [Symbol.asyncDispose](): Promise<void>;
  /** Opens the source for some work; nothing of the reading is left when it ends, however it ends. */
  protected abstract open<Result>(
    records: Records,
    purpose: Purpose,
    options: LongWorkOptions,
    work: (reading: Reading) => Promise<Result>,
  ): Promise<Result>;
  /** Whatever went wrong with these sources, in our words. */
  protected abstract inOurWords(error: unknown, sources: readonly string[]): VeilgridError;

  /** What may be wrong with records where a query failed. */
  protected troublesIn(error: unknown): ReadonlyArray<Trouble | "unread"> {
    const trouble = troubleIn(error);
    return trouble === undefined ? [] : [trouble];
  }

  /** Where records are at fault and none is found any more. */
  protected nothingFound(): VeilgridError {
    return new VeilgridError("INPUT_MALFORMED", "a record could not be read; the source may have changed meanwhile");
  }

  async readOccupancy(records: Records, options: LongWorkOptions = {}): Promise<OccupancyReading> {
    checkColumns(records);
    return this.#reading(records, "counts", options, async (reading) => {
      const { counted, messages } = await reading.count({ thresholds: [] });
      const { occupancy, notes } = counted.coded;
      const withoutUser = records.recipe.emptyUser === "drop" ? await reading.withoutUser() : notes.withoutUser;
      return { occupancy, notes: { ...notes, withoutUser }, messages };
    });
  }

  async readTotals(
    records: Records,
    plan: Plan,
    request: TotalsRequest = {},
    options: LongWorkOptions = {},
  ): Promise<TotalsReading> {
    return this.#underPlan(records, { plan, request }, options, (reading, { counted, lattice, asked }) => {
      const work = { plan, lattice, request, asked, isTimed: records.recipe.time !== null };
      return addUp(reading.dialect, reading.exchange, { counted, work, options });
    });
  }

  async readSums(
    records: Records,
    plan: PlanOfRecords,
    request: SumsRequest,
    options: LongWorkOptions = {},
  ): Promise<SumsReading> {
    return this.#underPlan(records, { plan, request }, options, (reading, { counted, lattice }) =>
      entrySums(reading.dialect, reading.exchange, { counted, lattice, request, options }),
    );
  }

  /** Some work with groups and their sums, once records are known to be as many as the plan was made for. */
  #underPlan<Result>(
    records: Records,
    { plan, request }: { readonly plan: PlanOfRecords; readonly request: TotalsRequest | SumsRequest },
    options: LongWorkOptions,
    work: (reading: Reading, groups: GroupsUnderPlan) => Promise<Result>,
  ): Promise<Result> {
    checkColumns(records);
    checkSameReading(records, plan);
    const lattice = inputLattice(plan.objective.bounds, plan.latticeStep);
    const asked = askedGrids(records.recipe, plan, request.only);
    return this.#reading(records, "totals", options, async (reading) => {
      const { counted } = await reading.count({ lattice, thresholds: request.thresholds ?? [], asked });
      checkSameCounts(counted.coded.occupancy, plan, asked);
      return work(reading, { counted, lattice, asked });
    });
  }

  /** One thing at a time, in the order it was asked for: an engine has one session, and readings share what they keep in it. */
  protected inTurn<Result>(
    sources: readonly string[],
    { signal }: LongWorkOptions,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const turn = this.#last.then(async () => {
      try {
        throwIfCancelled(signal);
        return await work();
      } catch (error) {
        throwIfCancelled(signal);
        throw this.inOurWords(error, sources);
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #reading<Result>(
    records: Records,
    purpose: Purpose,
    options: LongWorkOptions,
    work: (reading: Reading) => Promise<Result>,
  ): Promise<Result> {
    const { files, source } = records.source;
    const sources = files.length === 0 ? [source] : files.map(({ path }) => path);
    return this.inTurn(sources, options, async () => {
      try {
        return await this.open(records, purpose, options, work);
      } catch (error) {
        const troubles = this.troublesIn(error);
        if (troubles.length === 0 || options.signal?.aborted) throw error;
        throw await this.open(records, "faults", options, (reading) => this.#locate(reading, records, troubles));
      }
    });
  }

  /** Names the records at fault. A protected column's text is not in the message. */
  async #locate(
    reading: Reading,
    records: Records,
    troubles: ReadonlyArray<Trouble | "unread">,
  ): Promise<VeilgridError> {
    for (const trouble of troubles) {
      const found = await reading.find(trouble);
      if (found === undefined) continue;
      if (trouble !== "unread") return describeTrouble(records, trouble, found);
      return new VeilgridError(
        "ENGINE_UNSUPPORTED",
        `${found.where}: a number of more than 15 digits, which this server cannot read exactly from text or a decimal; store it as Float64`,
      );
    }
    return this.nothingFound();
  }
}

/** A size of memory such as 512MB, in bytes. */
export function memoryBytes(memory: string): number {
  const [, count, prefix, binary] = /^([1-9]\d{0,6}) ?([MGT])(i?)B$/i.exec(memory) ?? [];
  if (prefix === undefined)
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--memory ${quoteForMessage(memory)} is no size; write it like 512MB or 4GB`,
    );
  return Number(count) * (binary === "" ? 1000 : 1024) ** ("MGT".indexOf(prefix.toUpperCase()) + 2);
}
