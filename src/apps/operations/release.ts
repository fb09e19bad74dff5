/** Release: from a source, a plan and a ledger to committed statistics and the files that are rendered from them. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type ByteSource, systemBytes } from "../../core/noise/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";
import {
  ABOUT_OPTIONS,
  type About,
  checkedTexts,
  type Decimal,
  optionTexts,
  RELEASE_OPTIONS,
  wholeNumber,
} from "../../core/options/index.ts";
import { checkPlan, type LongWorkOptions, type Plan } from "../../core/planning/index.ts";
import { SeededRandom } from "../../evidence/simulation/index.ts";
import type { Ledger, Standing } from "../../publish/ledger/index.ts";
import {
  type ReleaseOutcome,
  type ReleaseResult,
  readResult,
  release,
  releasedBefore,
} from "../../publish/release/index.ts";
import { secretOf } from "./ledger.ts";
import {
  countRecords,
  describeRecords,
  type PreparedRelease,
  type PrepareOptions,
  preparedOf,
  prepareRelease,
  priceOf,
} from "./prepare-release.ts";
import { leaseEngine, openEngineFor, type ReadOptions } from "./read-source.ts";
import { type Records, withSource } from "./records.ts";
import { confidenceOf, type ReleaseFile, releaseFiles, targetsOf, writeReleaseFiles } from "./release-files.ts";
import { toolVersion } from "./tool-version.ts";
import { ledgersBeside } from "./warnings/ledgers-beside.ts";
import { refuseOutdated } from "./warnings/outdated-ledger.ts";
import { checkTargets } from "./write-file.ts";

export interface ReleaseOptions extends PrepareOptions {
  /** Only these grids. */
  readonly grids?: readonly string[] | undefined;
  /** Only finish what an earlier attempt has reserved. */
  readonly resume?: boolean | undefined;
}

export interface Released extends ReleaseOutcome {
  readonly result: ReleaseResult;
  readonly plan: Plan;
  readonly key: string;
  /** The dataset's budget afterwards. */
  readonly standing: Standing;
  /** Sentences for the curator: other datasets and ledgers that charge the same people. */
  readonly warnings: readonly string[];
}

export interface ReleaseReport extends Released {
  /** What was written, or is to be printed. */
  readonly files: readonly ReleaseFile[];
}

export interface PlanRelease {
  readonly plan: Plan;
  /** How records are read stands in the plan; what is said about columns here must be the same. */
  readonly records: Records;
  /** Stays open. */
  readonly ledger: Ledger;
  readonly dataset: string;
  /** May hold {yyyy}, {mm}, {dd} and {plan}; the plan's hash if absent. */
  readonly key?: string | undefined;
  /** Only these grids. */
  readonly grids?: readonly string[] | undefined;
  /** Unit, title and description, as far as the plan has none. */
  readonly about?: About | undefined;
  /** Noise that can be replayed; the result says that it is not private. */
  readonly replaySeed?: Decimal | undefined;
}

/** Charges the ledger and publishes what a plan says; the same key again gives the same bytes. */
export async function releasePlan(
  { records, ledger, replaySeed, ...given }: PlanRelease,
  work: ReadOptions = {},
): Promise<Released> {
  const texts = optionTexts(RELEASE_OPTIONS, { replaySeed });
  if (given.grids === undefined) await ledger.checkAffordable(given.dataset, given.plan.loss);
  const { source = "", rows, ...options } = records;
  const prepared = { ...preparedOf(source, { ...given, records: options }), ledger };
  const about = checkedTexts(ABOUT_OPTIONS, given.about ?? {});
  return releasePrepared(prepared, { ...given, ...texts, about, rows }, work);
}

/** The same with a plan, a ledger and records by name, and files of the result. */
export async function releaseRecords(
  source: string,
  options: ReleaseOptions,
  work: LongWorkOptions = {},
): Promise<ReleaseReport> {
  const confidence = confidenceOf(options.confidence ?? "0.95");
  randomOf(options.replaySeed);
  const about = checkedTexts(ABOUT_OPTIONS, options);
  const prepared = await prepareRelease(source, options);
  await using ledger = prepared.ledger;
  const { plan, dataset } = prepared;
  await checkBefore(prepared, options);
  if (options.resume) await checkPending(prepared);
  const writing = await releaseFiles(options, plan, source);
  const inUse = [source, options.plan, options.ledger, options.usersKey].filter((file) => file !== undefined);
  const checkFiles = (read: readonly string[]): Promise<void> =>
    checkTargets(targetsOf(writing), { ...writing, inUse: [...inUse, ...read] });
  const beside = besideOf(ledger, dataset, options);
  const released = await releasePrepared(prepared, { ...options, about, checkFiles, beside }, work);
  const files = await writeReleaseFiles(writing, { ...released, confidence }, work).catch(sayItIsPaidFor);
  return { ...released, files };
}

/** Past the commit nothing is lost with a file. Of several, those before it are written. */
function sayItIsPaidFor(error: unknown): never {
  if (!(error instanceof VeilgridError)) throw error;
  throw new VeilgridError(
    error.code,
    `${error.message.replace(/; nothing was written$/, "")}, but the release is charged and committed: the same command with another --out writes it at no cost`,
  );
}

/** A replay is the same bytes whenever it is made. */
const REPLAYED_AT = new Date(0);

interface PreparedRequest extends Pick<ReleaseOptions, "grids" | "replaySeed"> {
  /** Records in place of the source; looked at only if there is something to compute. */
  readonly rows?: Records["rows"] | undefined;
  readonly about?: About | undefined;
  /** Refuses a target that is one of the files to be read. */
  readonly checkFiles?: (read: readonly string[]) => Promise<void>;
  /** Warnings of other ledgers that charge the same users. */
  readonly beside?: (users: Occupancy["users"]) => Promise<string[]>;
}

async function releasePrepared(
  prepared: PreparedRelease,
  { grids, about, replaySeed, rows, checkFiles, beside }: PreparedRequest,
  work: ReadOptions,
): Promise<Released> {
  const { plan, key, dataset, ledger } = prepared;
  const random = randomOf(replaySeed);
  const asked = { plan, dataset, key, grids, notPrivate: random.replayed };
  const before = await releasedBefore(ledger, asked);
  const warnings: string[] = [];
  let outcome: ReleaseOutcome;
  if (before !== undefined) {
    await checkFiles?.([]);
    outcome = { text: before, chargedGrids: 0, resumed: false, clampedValues: null };
  } else {
    const compute = async (source: string): Promise<ReleaseOutcome> => {
      await using lease = await leaseEngine(source, prepared.reading, work.engine);
      const { engine } = lease;
      const description = await describeRecords(engine, { ...prepared, source }, work);
      await checkFiles?.(description.files.map((file) => file.path));
      const { records, occupancy } = await countRecords(engine, description, prepared, work);
      warnings.push(...(await overlapWarnings(prepared, occupancy, beside)));
      const reservedAt = random.replayed ? REPLAYED_AT : new Date();
      const request = { ...asked, about, records, occupancy, tool: toolVersion(), reservedAt };
      return await release({ engine, ledger, random: random.bytes }, request, work);
    };
    outcome = await withSource(rows === undefined ? { source: prepared.source } : { rows }, compute, work);
  }
  const [standing] = await ledger.show({ dataset });
  return { ...outcome, result: readResult(outcome.text), plan, key, standing: standing!, warnings };
}

export interface DryRun {
  readonly plan: Plan;
  readonly dataset: string;
  readonly key: string;
  readonly price: Awaited<ReturnType<Ledger["price"]>>;
  readonly warnings: readonly string[];
}

/** What a release would cost. Reads counts, charges nothing and writes nothing. */
export async function releaseDryRun(
  source: string,
  options: ReleaseOptions,
  work: LongWorkOptions = {},
): Promise<DryRun> {
  const prepared = await prepareRelease(source, options);
  const { plan, key, dataset } = prepared;
  await using ledger = prepared.ledger;
  await checkBefore(prepared, options);
  await using engine = await openEngineFor(source, options.records);
  const description = await describeRecords(engine, prepared, work);
  const { occupancy } = await countRecords(engine, description, prepared, work);
  const price = await priceOf(prepared, {
    occupancy,
    evaluation: checkPlan(occupancy, plan),
    parts: options.grids ?? plan.grids,
    notPrivate: options.replaySeed !== undefined,
  });
  const warnings = await overlapWarnings(prepared, occupancy, besideOf(ledger, dataset, options));
  return { plan, dataset, key, price, warnings };
}

function besideOf(ledger: Ledger, dataset: string, options: ReleaseOptions) {
  return async (users: Occupancy["users"]): Promise<string[]> =>
    ledgersBeside(ledger, { place: options.ledger!, dataset, users, usersKey: await secretOf(options) });
}

/** Everything that can be refused before a record is read. */
async function checkBefore({ ledger, dataset, plan }: PreparedRelease, options: ReleaseOptions): Promise<void> {
  if (options.grids === undefined) await ledger.checkAffordable(dataset, plan.loss);
  if (!options.ledgerIsCurrent) await refuseOutdated(ledger, { place: options.ledger!, dataset, out: options.out });
}

async function checkPending({ ledger, dataset, key }: PreparedRelease): Promise<void> {
  const [standing] = await ledger.show({ dataset });
  const found = standing!.releases.find((each) => each.key === key);
  if (found !== undefined && found.pending.length > 0) return;
  throw new VeilgridError(
    "LEDGER_CONFLICT",
    `nothing is pending under key ${quoteForMessage(key)}; veilgrid release ${found === undefined ? "makes" : "prints"} it`,
  );
}

/** Who else charges these people, as far as this ledger and what lies beside it tell. */
async function overlapWarnings(
  { ledger, dataset }: Pick<PreparedRelease, "ledger" | "dataset">,
  { users }: Occupancy,
  beside: PreparedRequest["beside"],
): Promise<string[]> {
  const { shared, incomparable } = await ledger.overlap({ dataset, users });
  return [
    ...((await beside?.(users)) ?? []),
    ...shared.map(
      ({ dataset: other, users }) =>
        `dataset ${quoteForMessage(other)} of this ledger already charges ${users.toLocaleString("en-US")} of the same users; their losses add up, and no budget covers the sum`,
    ),
    ...incomparable.map(
      (other) =>
        `dataset ${quoteForMessage(other)} of this ledger keeps its users under another key, so whether it charges the same people is not known`,
    ),
  ];
}

function randomOf(seedText: string | undefined): { bytes: ByteSource; replayed: boolean } {
  if (seedText === undefined) return { bytes: systemBytes, replayed: false };
  const random = new SeededRandom(wholeNumber(seedText, "--replay-seed", 0, 999_999_999_999_999));
  const bytes: ByteSource = (buffer) => {
    for (let at = 0; at < buffer.length; at++) buffer[at] = random.bits() >>> 24;
  };
  return { bytes, replayed: true };
}
