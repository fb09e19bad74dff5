/** Release: from a source, a plan and a ledger to committed statistics and the files that are rendered from them. */
import { parseDecimal, Rational } from "../../core/arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type ByteSource, systemBytes } from "../../core/noise/index.ts";
import type { Occupancy } from "../../core/occupancy/index.ts";
import { checkPlan, type LongWorkOptions, type Plan } from "../../core/planning/index.ts";
import { SeededRandom } from "../../evidence/simulation/index.ts";
import type { Ledger, Standing } from "../../publish/ledger/index.ts";
import {
  charges,
  checksBefore,
  type ReleaseOutcome,
  type ReleaseRequest,
  type ReleaseResult,
  readResult,
  release,
  releasedBefore,
} from "../../publish/release/index.ts";
import { type LedgerFlags, secretOf } from "./ledger.ts";
import {
  countRecords,
  describeRecords,
  type PreparedRelease,
  type PrepareOptions,
  prepareRelease,
} from "./prepare-release.ts";
import { openEngineFor } from "./read-source.ts";
import { type ReleaseFile, releaseFiles, targetsOf, writeReleaseFiles } from "./release-files.ts";
import { toolVersion } from "./tool-version.ts";
import { ledgersBeside } from "./warnings/ledgers-beside.ts";
import { refuseOutdated } from "./warnings/outdated-ledger.ts";
import { checkTargets } from "./write-file.ts";

/** Everything as text, as flags give it. */
export interface ReleaseOptions extends PrepareOptions {
  /** Only these grids. */
  readonly grids?: readonly string[] | undefined;
  readonly out?: string | undefined;
  readonly format?: string | undefined;
  readonly confidence?: string | undefined;
  readonly replaySeed?: string | undefined;
  /** Go on although there are signs that the ledger is an older copy. */
  readonly ledgerIsCurrent?: boolean | undefined;
  /** Only finish what an earlier attempt has reserved. */
  readonly resume?: boolean | undefined;
}

export interface ReleaseReport extends ReleaseOutcome {
  readonly result: ReleaseResult;
  readonly plan: Plan;
  readonly key: string;
  /** What was written, or is to be printed. */
  readonly files: readonly ReleaseFile[];
  /** The dataset's budget afterwards. */
  readonly standing: Standing;
  /** Sentences for the curator: other datasets and ledgers that charge the same people. */
  readonly warnings: readonly string[];
}

export async function releaseRecords(
  source: string,
  options: ReleaseOptions,
  work: LongWorkOptions = {},
): Promise<ReleaseReport> {
  const confidence = confidenceOf(options.confidence);
  const random = randomOf(options.replaySeed);
  const prepared = await prepareChecked(source, options);
  await using ledger = prepared.ledger;
  const { plan, key, dataset } = prepared;
  if (options.resume) await checkPending(prepared);
  const writing = await releaseFiles(options, plan, source);
  const inUse = [source, options.plan, options.ledger, options.usersKey].filter((file) => file !== undefined);
  const checkFiles = (read: readonly string[]): Promise<void> =>
    checkTargets(targetsOf(writing), { ...writing, inUse: [...inUse, ...read] });
  const asked = { plan, dataset, key, grids: options.grids, notPrivate: random.replayed };
  const before = await releasedBefore(ledger, asked);
  if (before !== undefined) await checkFiles([]);
  const { outcome, warnings } =
    before === undefined
      ? await releaseAnew(source, { ...prepared, ...asked, random: random.bytes, checkFiles, options }, work)
      : { outcome: { text: before, chargedGrids: 0, resumed: false, clampedValues: null }, warnings: [] };
  const result = readResult(outcome.text);
  const rendered = { text: outcome.text, result, confidence };
  const files = await writeReleaseFiles(writing, rendered, work).catch(sayItIsPaidFor);
  const [standing] = await ledger.show({ dataset });
  return { ...outcome, result, plan, key, files, standing: standing!, warnings };
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

async function releaseAnew(
  source: string,
  asked: PreparedRelease &
    Pick<ReleaseRequest, "grids" | "notPrivate"> & {
      readonly random: ByteSource;
      /** Refuses a target that is one of the files to be read. */
      readonly checkFiles: (read: readonly string[]) => Promise<void>;
      readonly options: ReleaseOptions;
    },
  work: LongWorkOptions,
): Promise<{ outcome: ReleaseOutcome; warnings: string[] }> {
  const { ledger, random } = asked;
  await using engine = await openEngineFor(source, asked.options.records);
  const description = await describeRecords(engine, source, asked, work);
  await asked.checkFiles(description.files.map((file) => file.path));
  const { records, occupancy } = await countRecords(engine, description, asked, work);
  const warnings = await overlapWarnings(asked, occupancy, asked.options);
  const request = {
    ...asked,
    records,
    occupancy,
    tool: toolVersion(),
    reservedAt: asked.notPrivate ? REPLAYED_AT : new Date(),
  };
  return { outcome: await release({ engine, ledger, random }, request, work), warnings };
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
  const prepared = await prepareChecked(source, options);
  const { plan, key, dataset } = prepared;
  await using ledger = prepared.ledger;
  await using engine = await openEngineFor(source, options.records);
  const description = await describeRecords(engine, source, prepared, work);
  const { occupancy } = await countRecords(engine, description, prepared, work);
  const evaluation = checkPlan(occupancy, plan);
  const parts = options.grids ?? plan.grids;
  const price = await ledger.price({
    dataset,
    key,
    planHash: plan.hash,
    parts,
    chargesOf: (grids) => charges(occupancy, plan, evaluation, grids),
    ...checksBefore({ plan, dataset, key, notPrivate: options.replaySeed !== undefined }),
  });
  return { plan, dataset, key, price, warnings: await overlapWarnings(prepared, occupancy, options) };
}

/** Everything that can be refused before a record is read. */
async function prepareChecked(source: string, options: ReleaseOptions): Promise<PreparedRelease> {
  const prepared = await prepareRelease(source, options);
  const { ledger, dataset, plan } = prepared;
  try {
    if (options.grids === undefined) await ledger.checkAffordable(dataset, plan.loss);
    if (!options.ledgerIsCurrent) await refuseOutdated(ledger, { place: options.ledger!, dataset, out: options.out });
    return prepared;
  } catch (error) {
    await ledger[Symbol.asyncDispose]();
    throw error;
  }
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

/** Who else charges these people, as far as this ledger and its folder tell. */
async function overlapWarnings(
  { ledger, dataset }: Pick<PreparedRelease, "ledger" | "dataset">,
  { users }: Occupancy,
  options: LedgerFlags,
): Promise<string[]> {
  const { shared, incomparable } = await ledger.overlap({ dataset, users });
  const usersKey = await secretOf(options);
  return [
    ...(await ledgersBeside(ledger, { place: options.ledger!, dataset, users, usersKey })),
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

function confidenceOf(text: string | undefined): Rational {
  const confidence = parseDecimal(text ?? "0.95", "--confidence");
  if (confidence.sign() <= 0 || confidence.compare(Rational.ONE) >= 0)
    throw new VeilgridError("PARAMETER_INVALID", `--confidence ${quoteForMessage(text!)} must lie between 0 and 1`);
  return confidence;
}

function randomOf(seedText: string | undefined): { bytes: ByteSource; replayed: boolean } {
  if (seedText === undefined) return { bytes: systemBytes, replayed: false };
  if (!/^\d{1,15}$/.test(seedText))
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--replay-seed ${quoteForMessage(seedText)} is not a whole number of at most 15 digits`,
    );
  const random = new SeededRandom(Number(seedText));
  const bytes: ByteSource = (buffer) => {
    for (let at = 0; at < buffer.length; at++) buffer[at] = random.bits() >>> 24;
  };
  return { bytes, replayed: true };
}
