/** The ledger's own use cases: make a dataset, look, check, give up a release, raise a budget. */
import { readFile } from "node:fs/promises";
import { parseDecimal } from "../../core/arithmetic/index.ts";
import { itemAt, quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import {
  fileAnchor,
  Ledger,
  type LedgerAnchor,
  MemoryStore,
  openLedgerAt,
  type Standing,
  type Verification,
  type Voided,
} from "../../publish/ledger/index.ts";
import { sameNameBeside } from "./warnings/ledgers-beside.ts";

/** Which ledger, as flags give it. */
export interface LedgerFlags {
  readonly ledger?: string | undefined;
  readonly dataset?: string | undefined;
  /** A file that holds the secret under which a dataset keeps its users. */
  readonly usersKey?: string | undefined;
  /** A head of the journal, as `ledgerHead` gives it: a ledger that does not contain it is refused. */
  readonly after?: string | undefined;
  /** A file that holds such a head and is kept up to date. */
  readonly headFile?: string | undefined;
}

/** What is to be done to its dataset. */
export interface DatasetFlags extends LedgerFlags {
  readonly budget?: string | undefined;
  readonly occupancyIsPublic?: boolean | undefined;
  readonly reason?: string | undefined;
  /** Of a release that is given up. */
  readonly key?: string | undefined;
}

/** Makes a dataset, and the ledger's file if there is none; `warnings` says what was noticed beside it. */
export async function ledgerInit(options: DatasetFlags): Promise<Standing & { readonly warnings: readonly string[] }> {
  const dataset = needed(options.dataset, "--dataset", "a name for the people and values it is about");
  const budget = parseDecimal(needed(options.budget, "--budget", "the loss any user may reach, such as 1"), "--budget");
  const request = {
    dataset,
    budget,
    occupancyIsPublic: options.occupancyIsPublic === true,
    hashUsers: options.usersKey !== undefined,
  };
  // What would be refused is refused before there is a file.
  await new Ledger(new MemoryStore(), { usersKey: await secretOf(options) }).init(request);
  const standing = await withLedger(options, { create: true }, async (ledger) => {
    await ledger.init(request);
    return itemAt(await ledger.show({ dataset }), 0);
  });
  return { ...standing, warnings: await sameNameBeside(options.ledger!, dataset) };
}

/** One dataset, or all of them. */
export async function ledgerShow(options: LedgerFlags): Promise<Standing[]> {
  return withLedger(options, {}, (ledger) => ledger.show({ dataset: options.dataset }));
}

/** The head of the ledger's journal, to keep outside the ledger. */
export async function ledgerHead(options: LedgerFlags): Promise<string> {
  return withLedger(options, {}, (ledger) => ledger.head());
}

export async function ledgerVerify(options: LedgerFlags): Promise<Verification> {
  return withLedger(options, {}, (ledger) => ledger.verify());
}

export async function ledgerVoid(options: DatasetFlags): Promise<Voided> {
  const dataset = needed(options.dataset, "--dataset", "whose release is given up");
  const key = needed(options.key, "--key", "which release; veilgrid ledger show lists them");
  return withLedger(options, {}, (ledger) => ledger.void({ dataset, key }));
}

export async function ledgerRaise(options: DatasetFlags): Promise<Standing> {
  const dataset = needed(options.dataset, "--dataset", "whose budget is raised");
  const budget = parseDecimal(needed(options.budget, "--budget", "the new budget"), "--budget");
  const reason = needed(options.reason, "--reason", "why, for the audit trail");
  return withLedger(options, {}, async (ledger) => {
    await ledger.raise({ dataset, budget, reason });
    return itemAt(await ledger.show({ dataset }), 0);
  });
}

export function needed(value: string | undefined, flag: string, what: string): string {
  if (value === undefined) throw new VeilgridError("USAGE", `${flag} is missing: ${what}`);
  return value;
}

export interface OpenLedgerOptions {
  /** Make the ledger if there is none. */
  readonly create?: boolean | undefined;
  /** The secret under which datasets keep their users. */
  readonly usersKey?: string | undefined;
  /** A head of the journal, as `ledger.head()` gives it: a ledger that does not contain it is refused. */
  readonly after?: string | undefined;
}

/** The ledger of a file or of a database's address: postgres://user@host/database. */
export function openLedger(place: string, { create, usersKey, after }: OpenLedgerOptions = {}): Promise<Ledger> {
  return openLedgerAt(place, { create, usersKey, anchor: anchorOf({ after }) });
}

/** The same as flags give it, with the curator's secret in a file. */
export async function ledgerOf(
  { ledger, usersKey, ...heads }: LedgerFlags,
  opening: { readonly create?: boolean } = {},
): Promise<Ledger> {
  const place = needed(
    ledger,
    "--ledger",
    "no ledger, no release; make one with veilgrid ledger init --ledger ledger.db --dataset NAME --budget 1 --occupancy-is-public",
  );
  return openLedgerAt(place, { ...opening, usersKey: await secretOf({ usersKey }), anchor: anchorOf(heads) });
}

function anchorOf({ after, headFile }: LedgerFlags): LedgerAnchor | undefined {
  if (headFile !== undefined) return fileAnchor(headFile);
  return after === undefined ? undefined : { read: () => after, keep: () => undefined };
}

export async function secretOf({ usersKey }: LedgerFlags): Promise<string | undefined> {
  return usersKey === undefined ? undefined : (await readText(usersKey)).trim();
}

async function withLedger<Result>(
  options: LedgerFlags,
  opening: { readonly create?: boolean },
  work: (ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  await using ledger = await ledgerOf(options, opening);
  return await work(ledger);
}

export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") throw new VeilgridError("INPUT_NOT_FOUND", `${quoteForMessage(file)} does not exist`);
    throw new VeilgridError("INPUT_UNREADABLE", `cannot read ${quoteForMessage(file)} (${code ?? "unknown reason"})`);
  }
}
