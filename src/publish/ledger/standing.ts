/** Reports where a dataset stands: budget, losses, releases, what is pending, and what happened when. */
import { Rational } from "../../core/arithmetic/index.ts";
import { balancePages, balancesOf, chargeChunks } from "./charges.ts";
import { type JournalLine, journalRows, readLine } from "./journal.ts";
import { larger, lossOfUnits } from "./loss-units.ts";
import { isGrid, partsInWords } from "./parts.ts";
import type { DatasetRow, LedgerState, ReleaseRow, ReservationRow } from "./store.ts";

const HEAVIEST = 10;
const BINS = 20;

export interface Standing {
  readonly dataset: string;
  readonly created: string;
  readonly budget: Rational;
  /** The largest loss of any user so far. */
  readonly loss: Rational;
  readonly left: Rational;
  /** With a loss above 0. */
  readonly users: number;
  readonly usersAreHashed: boolean;
  /** By loss, heaviest first; none if users are kept as hashes. */
  readonly heaviest: ReadonlyArray<{ readonly user: string; readonly loss: Rational }>;
  /** Users by loss, in twenty equal steps from 0 to the budget. */
  readonly distribution: readonly LossBin[];
  readonly releases: readonly ReleaseStanding[];
  /** How many more releases at the price of the last the budget holds, exactly; null if there is none. */
  readonly moreLikeLast: bigint | null;
  readonly trail: readonly TrailLine[];
}

export interface LossBin {
  readonly from: Rational;
  readonly to: Rational;
  /** With a loss above `from` and at most `to`. */
  readonly users: number;
}

export interface ReleaseStanding extends Pick<ReleaseRow, "key" | "planHash" | "created"> {
  readonly state: "committed" | "pending" | "void";
  /** Of the user it charges most. */
  readonly loss: Rational;
  /** Grids. */
  readonly committed: number;
  /** Grids that wait for their result, as passes before them may. */
  readonly pending: readonly string[];
}

export interface TrailLine extends Pick<JournalLine, "time" | "kind"> {
  readonly what: string;
}

export async function standingOf(state: LedgerState, dataset: DatasetRow): Promise<Standing> {
  const usersAreHashed = dataset.usersKeyCheck !== null;
  const { users, heaviest, distribution } = await weigh(state, dataset);
  const largest = heaviest[0]?.[1] ?? 0n;
  const releases: ReleaseStanding[] = [];
  const lastOfEach: ReservationRow[] = [];
  for (const release of await state.releases(dataset.name)) {
    releases.push(await releaseStanding(state, release));
    const paid = (await paidReservations(state, dataset.name, release.key)).at(-1);
    if (paid !== undefined) lastOfEach.push(paid);
  }
  const last = lastOfEach.sort((one, other) => one.id - other.id).at(-1);
  const trail: TrailLine[] = [];
  for await (const row of journalRows(state)) {
    const line = readLine(row);
    if (line.dataset === dataset.name) trail.push({ time: line.time, kind: line.kind, what: inWords(line) });
  }
  return {
    dataset: dataset.name,
    created: dataset.created,
    budget: lossOfUnits(dataset.budget),
    loss: lossOfUnits(largest),
    left: lossOfUnits(dataset.budget - largest),
    users,
    usersAreHashed,
    heaviest: usersAreHashed ? [] : heaviest.map(([user, units]) => ({ user, loss: lossOfUnits(units) })),
    distribution,
    releases,
    moreLikeLast: last === undefined ? null : await moreReleases(state, dataset, last.key),
    trail,
  };
}

/** The least, over the users a release charges, of how often its charge still fits. */
async function moreReleases(state: LedgerState, dataset: DatasetRow, key: string): Promise<bigint | null> {
  let least: bigint | null = null;
  for await (const charges of releaseCharges(state, dataset.name, key)) {
    for (const { units, balance } of await balancesOf(state, dataset.name, charges)) {
      const fits = (dataset.budget - balance) / units;
      // Stryker disable next-line EqualityOperator: of two equal numbers either is the least
      if (least === null || fits < least) least = fits;
    }
  }
  return least;
}

/** Every user's charge by a whole release; in chunks where it was charged at once, as most are. */
async function* releaseCharges(state: LedgerState, dataset: string, key: string) {
  const reservations = await paidReservations(state, dataset, key);
  const total = new Map<string, bigint>();
  for (const reservation of reservations) {
    for await (const { charges } of chargeChunks(state, reservation)) {
      if (reservations.length === 1) yield charges;
      else for (const [user, units] of charges) total.set(user, (total.get(user) ?? 0n) + units);
    }
  }
  if (total.size > 0) yield total;
}

async function paidReservations(state: LedgerState, dataset: string, key: string): Promise<ReservationRow[]> {
  return (await state.reservations(dataset, key)).filter((row) => !row.refunded);
}

async function releaseStanding(state: LedgerState, release: ReleaseRow): Promise<ReleaseStanding> {
  const { dataset, key, planHash, created } = release;
  const parts = await state.parts(dataset, key);
  const grids = parts.filter(({ part }) => isGrid(part));
  const pending = grids.filter((row) => row.state === "reserved").map((row) => row.part);
  const committed = grids.filter((row) => row.state === "committed").length;
  return {
    key,
    planHash,
    created,
    state: pending.length > 0 ? "pending" : committed > 0 ? "committed" : "void",
    loss: lossOfUnits(await largestCharge(state, dataset, key)),
    committed,
    pending,
  };
}

async function largestCharge(state: LedgerState, dataset: string, key: string): Promise<bigint> {
  const reservations = await paidReservations(state, dataset, key);
  if (reservations.length <= 1) return reservations[0]?.largest ?? 0n;
  let largest = 0n;
  for await (const charges of releaseCharges(state, dataset, key))
    for (const units of charges.values()) largest = larger(largest, units);
  return largest;
}

async function weigh(state: LedgerState, { name, budget }: DatasetRow) {
  const distribution = new Array<number>(BINS).fill(0);
  let users = 0;
  let heaviest: Array<[string, bigint]> = [];
  for await (const page of balancePages(state, name)) {
    const charged = page.filter(([, units]) => units > 0n);
    users += charged.length;
    for (const [, units] of charged) distribution[binOf(units, budget)]! += 1;
    heaviest = [...heaviest, ...charged].sort(heaviestFirst).slice(0, HEAVIEST);
  }
  return { users, heaviest, distribution: lossBins(distribution, budget) };
}

/** The step, of equal ones from nothing to the budget, that holds a loss above 0, exactly. */
export function binOf(units: bigint, budget: bigint): number {
  // ⌈BINS·units/budget⌉ − 1.
  return Math.min(Number((BigInt(BINS) * units - 1n) / budget), BINS - 1);
}

/** The steps, with the users counted in each. */
export function lossBins(counts: readonly number[], budget: bigint): LossBin[] {
  const edge = (bin: number): Rational => lossOfUnits(budget).multiply(Rational.of(bin, BINS));
  return counts.map((users, bin) => ({ from: edge(bin), to: edge(bin + 1), users }));
}

function heaviestFirst([one, first]: [string, bigint], [other, second]: [string, bigint]): number {
  // Stryker disable next-line EqualityOperator: no two users have one id
  return Number(second - first) || (one < other ? -1 : 1);
}

function inWords(line: JournalLine): string {
  switch (line.kind) {
    case "init":
      return `made with budget ${lossOfUnits(BigInt(line.budget))}`;
    case "reserve":
      return `'${line.key}': ${partsInWords(line.parts)} reserved, ${line.users} users charged up to ${lossOfUnits(BigInt(line.largest))}`;
    case "commit":
      return `'${line.key}': ${partsInWords(line.parts.map(([part]) => part))} committed`;
    case "void":
      return `'${line.key}': ${partsInWords(line.parts)} given up and refunded`;
    case "raise":
      return `budget raised to ${lossOfUnits(BigInt(line.budget))}: ${line.reason}`;
  }
}
