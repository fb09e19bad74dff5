/** Adds up exact totals under a plan: whole groups from their sums, cut groups record by record in the order of section 5. */
import type { InputLattice, LongWorkOptions, Plan } from "../../../core/planning/index.ts";
import { field, integer, minus } from "../../partition/index.ts";
import type { TotalsReading, TotalsRequest } from "../engine.ts";
import type { AskedGrids } from "./asked-grids.ts";
import type { CodedOccupancy } from "./counted.ts";
import { checkUnchanged, type Decisions, decisionsOf, gridTotals } from "./decisions.ts";
import type { Dialect } from "./dialect.ts";
import type { Exchange, SentColumn } from "./exchange.ts";
import { clampedParts, keptColumns, keptRank, type PartOfSum, sumParts, wholePart } from "./formulas.ts";

/** Groups as they were counted, and how queries name them. */
export interface CountedGroups {
  readonly coded: CodedOccupancy;
  /** A table with a row for each group: `pair`, `grid`, and the columns of `groupColumns`. */
  readonly groups: string;
  /** The columns that tell groups and grids apart. */
  readonly pair: readonly string[];
  readonly grid: readonly string[];
  /** The groups that something is decided about, by the columns of `pair`. */
  pairs(decisions: Decisions): readonly SentColumn[];
  /** The engine's numbers of users and grids for the columns of `pair`. */
  codes(pair: readonly Uint32Array[]): { readonly users: Uint32Array; readonly grids: Uint32Array };
  /** Of `decided`, the groups that keep some of their records: pair, grid, m, c, and what records know them by. */
  cutSql(decided: string): string;
  /** Records of these groups: the columns of `pair`, m, c, instant and i. */
  cutRecordsSql(cut: string): string;
  /** A table of their sums by another way than ranking all of them at once; undefined where there is none. */
  keepCutSums?(cut: string, request: CutRequest): Promise<string | undefined>;
}

/** Of engines whose tables number users and grids. */
export const BY_NUMBERS: Pick<CountedGroups, "pair" | "grid" | "pairs" | "codes"> = {
  pair: ["u", "g"],
  grid: ["g"],
  pairs: ({ users, grids }) => [
    { name: "u", type: "count", values: users },
    { name: "g", type: "count", values: grids },
  ],
  codes: ([users, grids]) => ({ users: users!, grids: grids! }),
};

export interface CutRequest {
  readonly keep: Plan["keep"];
  readonly lattice: InputLattice;
  readonly thresholds: readonly bigint[];
}

export interface TotalsWork {
  readonly plan: Plan;
  readonly lattice: InputLattice;
  readonly request: TotalsRequest;
  readonly asked: AskedGrids | undefined;
  readonly isTimed: boolean;
}

/** One more than what is kept, so that it is never 0. */
const LIMIT = "kept_and_one";

export async function addUp(
  d: Dialect,
  exchange: Exchange,
  { counted, work, options }: { counted: CountedGroups; work: TotalsWork; options: LongWorkOptions },
): Promise<TotalsReading> {
  const { coded } = counted;
  const { plan, lattice, request } = work;
  const thresholds = request.thresholds ?? [];
  const decisions = decisionsOf(coded, plan, work.asked);
  const hasDecisions = decisions.users.length > 0;
  const limits: SentColumn = { name: LIMIT, type: "count", values: decisions.kept.map((kept) => kept + 1) };
  const decided = hasDecisions
    ? await exchange.send("decisions", [...counted.pairs(decisions), limits], options)
    : undefined;
  const codes = Uint32Array.from(decisions.chosen, ({ code }) => code);
  // Where every grid that was counted is chosen, or grids have no numbers in the engine, there is nothing to choose by.
  const chosen =
    counted.grid[0] === "g" && codes.length < coded.grids.length
      ? await exchange.send("chosen", [{ name: "g", type: "count", values: codes }], options)
      : undefined;

  const chosenCodes = new Set(codes);
  const sums = new Map<number, Record<string, bigint>>();
  const parts = sumParts(d, { lattice, thresholds });
  const add = async (sql: string, columns: readonly Column[]): Promise<void> => {
    const names = columns.map(({ name }) => name);
    await exchange.readSums(
      { sql, names },
      (grid, values) => {
        if (!chosenCodes.has(grid)) return;
        const sumsOfGrid = sums.get(grid) ?? {};
        sums.set(grid, sumsOfGrid);
        columns.forEach(({ into, unit }, at) => {
          sumsOfGrid[into] = (sumsOfGrid[into] ?? 0n) + unit * values[at]!;
        });
      },
      options,
    );
  };

  const inAll = (name: string): bigint => [...sums.values()].reduce((sum, ofGrid) => sum + (ofGrid[name] ?? 0n), 0n);

  const ofAll = [wholePart(d, "n_outside"), ...(request.clampedSums ? clampedColumns(d, coded, lattice) : [])];
  const whole = [
    ...wideColumns(d, parts, hasDecisions ? d.not(d.name("is_decided")) : undefined),
    ...wideColumns(d, ofAll, undefined),
  ];
  options.onProgress?.({ step: "adding up", done: 0 });
  await add(wholeSql(d, counted, { columns: whole, parts, decided, chosen }), whole);
  if (decided !== undefined && decisions.recordsCut > 0) {
    const cut = await exchange.keep("cut", counted.cutSql(decided), options);
    const kept =
      (await counted.keepCutSums?.(cut, { keep: plan.keep, lattice, thresholds })) ??
      (await exchange.keep("cut_sums", cutSumsSql(d, counted, cut, work), {
        ...options,
        step: "reading capped records",
      }));
    const columns = wideColumns(d, [...parts, wholePart(d, "seen")], undefined);
    await add(byGrid(d, counted, { from: joinedToGrids(d, counted, kept, cut), columns }), columns);
    checkUnchanged(inAll("seen"), decisions.recordsCut);
  }
  return { totals: gridTotals(sums, { coded, decisions, request }), clampedValues: Number(inAll("n_outside")) };
}

/** A column of sums by grid: so many units of the sum that it belongs to. */
type Column = ReturnType<Dialect["wideSum"]>[number] & Pick<PartOfSum, "into">;

function wideColumns(d: Dialect, parts: readonly PartOfSum[], when: string | undefined): Column[] {
  return parts.flatMap((each) =>
    d.wideSum(each, when).map(({ name, sql, unit }) => ({ name, sql, into: each.into, unit: unit * each.unit })),
  );
}

/** Twice every user's sum, held to what the user may move, added up over all groups. */
function clampedColumns(d: Dialect, { notes }: CodedOccupancy, { steps }: InputLattice): PartOfSum[] {
  const { expression } = d.integers(steps * BigInt(notes.records + 1));
  const { up, down } = clampedParts(steps);
  return [
    { name: "n_all", of: d.name("n"), unit: steps, into: "clamped" },
    { name: "up", of: expression(up), unit: 1n, into: "clamped" },
    { name: "down", of: expression(down), unit: -1n, into: "clamped" },
  ];
}

function byGrid(
  d: Dialect,
  { grid }: CountedGroups,
  { from, columns }: { from: string; columns: readonly Column[] },
): string {
  const named = grid.map((name) => d.name(name)).join(", ");
  const sums = columns.map(({ name, sql }) => `${sql} AS ${d.name(name)}`).join(", ");
  return `SELECT ${named}, ${sums} FROM ${from} GROUP BY ${named}`;
}

/** Sums by grid of what is kept whole, and over all groups what centred means and the curator need. */
function wholeSql(
  d: Dialect,
  counted: CountedGroups,
  query: {
    readonly columns: readonly Column[];
    readonly parts: readonly PartOfSum[];
    readonly decided: string | undefined;
    readonly chosen: string | undefined;
  },
): string {
  const { columns, parts, decided, chosen } = query;
  const [n, limit] = [d.name("n"), d.name(LIMIT)];
  const names = [...counted.grid, ...parts.map(({ name }) => name), "n_outside"].map((name) => d.name(name));
  const kept = d.integers(2n ** 33n).expression(minus(field(LIMIT), integer(1n)));
  const keeping = decided === undefined ? n : d.choose([[d.found(limit), kept]], n);
  const isDecided = decided === undefined ? [] : [`${d.found(limit)} AS ${d.name("is_decided")}`];
  const from =
    decided === undefined
      ? counted.groups
      : d.leftJoin(
          counted.groups,
          decided,
          counted.pair.map((name) => d.name(name)),
        );
  const where = chosen === undefined ? "" : ` WHERE ${d.name("g")} IN (SELECT ${d.name("g")} FROM ${chosen})`;
  const groups = `SELECT ${[...names, `${keeping} AS ${d.name("keeping")}`, ...isDecided].join(", ")} FROM ${from}${where}`;
  return byGrid(d, counted, { from: d.relation(groups), columns });
}

/** Sums of the records kept in each group that is cut, and how many records it has. Ranks are by time, then value. */
function cutSumsSql(
  d: Dialect,
  counted: CountedGroups,
  cut: string,
  { plan, lattice, request, isTimed }: TotalsWork,
): string {
  const thresholds = request.thresholds ?? [];
  const name = (column: string): string => d.name(column);
  const pair = counted.pair.map(name);
  const most = BigInt(mostRecords(counted.coded));
  const isKept = d.integers(4n * most ** 2n).condition(keptRank(plan.keep));
  const rank = d.rank(pair, [...(isTimed ? [name("instant")] : []), name("i")]);
  // Rows are kept narrow, because all of them are sorted.
  const ranked = `SELECT ${[...pair, name("m"), name("c"), name("i")].join(", ")}, ${rank} AS ${name("r")} FROM ${d.relation(counted.cutRecordsSql(cut))}`;
  const marked = `SELECT ${pair.join(", ")}, ${name("i")}, ${isKept} AS ${name("is_kept")} FROM ${d.relation(ranked)}`;
  const sums = keptColumns(d, { i: name("i"), isKept: name("is_kept") }, { lattice, thresholds });
  const columns = [...sums, { name: "seen", sql: d.count() }].map((each) => `${each.sql} AS ${name(each.name)}`);
  return `SELECT ${[...pair, ...columns].join(", ")} FROM ${d.relation(marked)} GROUP BY ${pair.join(", ")}`;
}

export function mostRecords({ occupancy }: CodedOccupancy): number {
  return occupancy.byUser.count.reduce((most, count) => Math.max(most, count), 0);
}

/** Sums of groups beside their grids, which are among a group's own columns or in the table of groups that are cut. */
function joinedToGrids(d: Dialect, { pair, grid }: CountedGroups, sums: string, cut: string): string {
  if (grid.every((name) => pair.includes(name))) return sums;
  const named = [...pair, ...grid].map((name) => d.name(name)).join(", ");
  return d.join(
    sums,
    d.relation(`SELECT ${named} FROM ${cut}`),
    pair.map((name) => d.name(name)),
  );
}
