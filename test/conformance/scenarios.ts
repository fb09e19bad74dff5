/** Random records, recipes, lattices and plans, small enough that users and grids collide often. */
import fc from "fast-check";
import { latLngToCell } from "h3-js";
import type { RecipeFlags } from "../../src/data/partition/index.ts";
import { type RecordRow, type ReferenceLattice, referenceLattice } from "../support/reference-records.ts";

/** Ids that readers of files like to change. */
export const AWKWARD_IDS: readonly string[] = [
  "007",
  "7",
  "7.0",
  "",
  "null",
  "NULL",
  "%null",
  "NaN",
  "true",
  "🚌",
  "\ufeff🚌",
  "é",
  "e\u0301",
  "a/b%c",
  "a%2Fb%25c",
  '"',
  'say "hi"',
  "'single'",
  "x,y",
  "x;y|z",
  "first\nsecond",
  "first\r\nsecond",
  "tab\tbed",
  " leading",
  "trailing ",
  "  ",
  "\\",
  "\\N",
  "#no comment",
  "{}",
  "[1, 2]",
  "1e5",
  "2016-12-16",
];

export interface LatticeFlags {
  readonly bounds: string;
  readonly step?: string | undefined;
}

const LATTICES: readonly LatticeFlags[] = [
  { bounds: "0,65" },
  { bounds: "0,65", step: "0.5" },
  { bounds: "0.1,0.7", step: "0.1" },
  { bounds: "0.1,0.7" },
  { bounds: "-0.3,0.9", step: "0.4" },
  { bounds: "-5,5", step: "2.5" },
  { bounds: "7,8", step: "1" },
  { bounds: "0,4294967296", step: "1" },
];

export interface Scenario {
  readonly records: readonly RecordRow[];
  readonly recipeOptions: RecipeFlags;
  readonly lattice: LatticeFlags;
  readonly decisions: PlanDecisions;
}

/** What a plan does, as numbers to be read in terms of whatever entries there turn out to be. */
export interface PlanDecisions {
  readonly keep: "spread" | "first";
  readonly hasCaps: boolean;
  /** How often, of 8, an entry is dropped or trimmed. */
  readonly drops: number;
  readonly trims: number;
  readonly dropsFirstGrid: boolean;
  readonly numbers: readonly number[];
  readonly thresholds: readonly bigint[];
}

/** Transitions and quiet times; microseconds. */
const MOMENTS = [
  Date.UTC(2016, 11, 16, 15), // quiet
  Date.UTC(2017, 2, 12, 8), // Chicago, forward
  Date.UTC(2017, 10, 5, 7), // Chicago, back
  Date.UTC(2018, 10, 4, 3), // São Paulo, forward at midnight
  Date.UTC(2018, 1, 18, 2), // São Paulo, back at midnight
  Date.UTC(2019, 3, 6, 15), // Lord Howe, back by half an hour
  Date.UTC(2011, 11, 30, 10), // Apia, over the date line
  Date.UTC(1985, 11, 31, 18, 30), // Kathmandu, forward by a quarter of an hour
  Date.UTC(1968, 9, 27, 1), // before 1970
].map((milliseconds) => BigInt(milliseconds) * 1000n);
/** Zones with few changes: each change costs an engine a comparison to plan. */
export const QUIET_ZONES = [undefined, "UTC", "-03:30", "Asia/Kathmandu", "Pacific/Apia"];
export const RESTLESS_ZONES = ["America/Chicago", "America/Sao_Paulo", "Australia/Lord_Howe"];
const TIME_FORMATS = [
  undefined,
  "iso",
  "epoch-s",
  "epoch-ms",
  "epoch-us",
  "dd/mm/yyyy",
  "yyyy.mm.dd",
  "mm/dd/yy",
  "dd-mmm-yy",
  "yyyymmdd",
];
const MONTHS = ["Jan", "FEB", "mar", "Apr", "May", "jun", "Jul", "AUG", "sep", "Oct", "nov", "Dec"];

export function scenariosIn(zones: ReadonlyArray<string | undefined>): fc.Arbitrary<Scenario> {
  return fc
    .record({
      lattice: fc.constantFrom(...LATTICES),
      timeFormat: fc.constantFrom(...TIME_FORMATS),
      moment: fc.constantFrom(...MOMENTS),
      missing: fc.constantFrom("refuse", "midpoint", "drop", undefined),
      place: fc.constantFrom(undefined, undefined, "columns", "point", "cell"),
      time: fc.constantFrom("none", "order", "slot", "slot"),
      by: fc.constantFrom(undefined, "shop", "shop,line"),
      hasBlanks: fc.boolean(),
      isCareless: fc.nat({ max: 9 }).map((draw) => draw === 0),
      emptyUser: fc.constantFrom("one", "one", "drop"),
      tz: fc.constantFrom(...zones),
    })
    .chain((shape) => {
      const lattice = referenceLattice(shape.lattice.bounds, shape.lattice.step);
      const mayMiss = shape.missing === "midpoint" || shape.missing === "drop" || shape.isCareless;
      return fc.record({
        lattice: fc.constant(shape.lattice),
        recipeOptions: anyRecipeOptions({ ...shape, emptyUser: shape.isCareless ? undefined : shape.emptyUser }),
        records: records({ ...shape, lattice, mayMiss }),
        decisions: decisions(lattice),
      });
    });
}

interface RecipeShape {
  readonly timeFormat: string | undefined;
  readonly moment: bigint;
  readonly emptyUser: string | undefined;
  readonly missing: string | undefined;
  readonly place: string | undefined;
  readonly time: string;
  readonly by: string | undefined;
  readonly tz: string | undefined;
}

function anyRecipeOptions(shape: RecipeShape): fc.Arbitrary<RecipeFlags> {
  const hasTime = shape.time !== "none";
  const hasSlot = shape.time === "slot";
  const day = (shift: number): string =>
    new Date(Number(shape.moment / 1000n) + shift * 86_400_000).toISOString().slice(0, 10);
  const whereTimed = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
    hasTime ? arbitrary : fc.constant(undefined);
  return fc
    .record({
      slot: fc.constantFrom("15m", "1h", "2h", "5h", "1d", "1w", "7m"),
      tz: whereTimed(fc.constant(shape.tz)),
      from: whereTimed(seldom(day(-1), `${day(0)}T00:30`, `${day(0)}T01:00:00Z`)),
      to: whereTimed(seldom(day(2), `${day(1)}T10:15+01:00`)),
      hours: whereTimed(seldom("0:30-24", "22-3", "1:15-18:45")),
      dedupe: fc.constantFrom(undefined, undefined, "key", "key,shop", ...(hasTime ? ["when"] : [])),
      minUsers: seldom("1", "2", "3"),
      top: seldom("1", "3"),
      h3: fc.constantFrom("0", "5", "9", "15"),
    })
    .map(({ slot, h3, from, to, ...others }) => ({
      user: "who",
      value: "speed",
      by: shape.by ?? (shape.place === undefined && !hasSlot ? "line" : undefined),
      ...(shape.place === "columns" ? { lat: "lat", lon: "lon", h3 } : {}),
      ...(shape.place === "point" ? { point: "point", h3 } : {}),
      ...(shape.place === "cell" ? { cell: "cell", h3: COARSE.includes(h3) ? h3 : undefined } : {}),
      ...(hasTime ? { time: "when", timeFormat: shape.timeFormat } : {}),
      ...(hasSlot ? { slot } : {}),
      emptyUser: shape.emptyUser,
      missing: shape.missing,
      from,
      to,
      ...others,
    }));
}

/** Each of these now and then, mostly none. */
function seldom(...values: readonly string[]): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );
}

const absent = fc.constantFrom(null, "");

function records(
  shape: RecipeShape & { lattice: ReferenceLattice; mayMiss: boolean; hasBlanks: boolean },
): fc.Arbitrary<RecordRow[]> {
  const blanks = <Cell>(arbitrary: fc.Arbitrary<Cell>): fc.Arbitrary<Cell | string | null> =>
    shape.hasBlanks ? fc.oneof({ weight: 7, arbitrary }, { weight: 1, arbitrary: absent }) : arbitrary;
  const ids = (most: number): fc.Arbitrary<fc.Arbitrary<string | null>> =>
    fc
      .uniqueArray(fc.constantFrom(...AWKWARD_IDS), { minLength: 1, maxLength: most })
      .map((pool) => blanks(fc.constantFrom(...pool)));
  return fc
    .tuple(ids(3), ids(2), ids(2), pool(fc.constantFrom(...SPOTS), 2), pool(times(shape), 6))
    .chain(([who, shop, line, spot, when]) =>
      fc.array(
        fc.record({
          who,
          speed: shape.mayMiss
            ? fc.oneof({ weight: 4, arbitrary: values(shape.lattice) }, { weight: 1, arbitrary: absent })
            : values(shape.lattice),
          shop,
          line,
          spot: blanks(spot),
          when: blanks(when),
          key: fc.constantFrom("1", "01", null, ""),
        }),
        { minLength: 2, maxLength: 40, size: "max" },
      ),
    )
    .map((rows) =>
      rows.map(({ spot, ...row }) => {
        const [lat, lon] = spot === null || spot === "" ? [spot, spot] : (spot.split(" ") as [string, string]);
        if (spot === null || spot === "") return { ...row, lat, lon, point: spot, cell: spot };
        return { ...row, lat, lon, point: `[${lon}, ${lat}]`, cell: storedCell(Number(lat), Number(lon), row.key) };
      }),
    );
}

/** Resolutions that no stored cell is coarser than. */
const COARSE = ["0", "5"];

/** Of mixed resolutions, and written in every form. */
function storedCell(lat: number, lon: number, draw: string | null): string {
  if (draw === null) return latLngToCell(lat, lon, 5);
  const cell = latLngToCell(lat, lon, 9);
  return draw === "" ? cell : draw === "1" ? cell.toUpperCase() : String(BigInt(`0x${cell}`));
}

/** A few of many, so that they come up again and again. */
function pool<Cell>(arbitrary: fc.Arbitrary<Cell>, most: number): fc.Arbitrary<fc.Arbitrary<Cell>> {
  return fc.array(arbitrary, { minLength: 1, maxLength: most }).map((cells) => fc.constantFrom(...cells));
}

/** Latitude and longitude: neighbours, the date line, a pole. */
const SPOTS = ["41.8827 -87.6233", "41.8829 -87.6231", "41.97 -87.9", "0.5 180", "0.5 -180", "-90 12.5"];

/** Half steps, where rounding decides; the bounds and beyond them; anything between. */
function values({ lower, upper, step, steps }: ReferenceLattice): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.bigInt({ min: 0n, max: steps - 1n }).map((k) => lower + (Number(k) + 0.5) * step),
      fc.bigInt({ min: 0n, max: steps }).map((k) => lower + Number(k) * step),
      fc.double({ min: lower, max: upper, noNaN: true }),
      fc.constantFrom(lower, upper, lower - step, upper + step, upper + step / 2, -0, 1e300, -1e300, 5e-324),
    )
    .map((value) => (Object.is(value, -0) ? "-0" : String(value)));
}

function times({ timeFormat, moment }: RecipeShape): fc.Arbitrary<string> {
  const minutes = fc.integer({ min: -180, max: 180 }).map((count) => BigInt(count) * 15n * 60_000_000n);
  const rest = fc.constantFrom(0n, 0n, 0n, 1n, -1n, 59_999_999n, 500_000n);
  return fc
    .tuple(minutes, rest, fc.nat({ max: 6 }))
    .map(([shift, more, form]) => timeText(moment + shift + more, timeFormat ?? "iso", form));
}

/** An instant written in one of a format's forms. Without offset it is read as whatever the zone's clocks mean by it. */
function timeText(instant: bigint, format: string, form: number): string {
  if (format === "epoch-s") return decimalText(instant, 6);
  if (format === "epoch-ms") return decimalText(instant, 3);
  if (format === "epoch-us") return String(instant);
  const iso = isoText(instant);
  if (format !== "iso") {
    const date = format
      .replace("dd", iso.slice(8, 10))
      .replace("yyyy", iso.slice(0, 4))
      .replace("yy", iso.slice(2, 4))
      .replace(/\bmmm\b/, MONTHS[Number(iso.slice(5, 7)) - 1]!)
      .replace("mm", iso.slice(5, 7));
    const time = iso.slice(11);
    const hour = Number(time.slice(0, 2));
    const half = `${hour % 12 === 0 ? 12 : hour % 12}${time.slice(2)}${form % 2 === 0 ? " " : ""}${hour < 12 ? "AM" : "pm"}`;
    return [date, `${date} ${time.slice(0, 5)}`, `${date} ${time.slice(0, 8)}`, `${date}T${time}`, `${date} ${half}`][
      form % 5
    ]!;
  }
  return [
    `${iso}Z`,
    `${iso.replace("T", " ")}+00`,
    `${isoText(instant - 6n * 3_600_000_000n)}-06:00`,
    `${isoText(instant + 330n * 60_000_000n)}+0530`,
    iso,
    iso.slice(0, 16),
    iso.slice(0, 10),
  ][form]!;
}

function isoText(instant: bigint): string {
  const micros = ((instant % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const whole = new Date(Number((instant - micros) / 1000n)).toISOString().slice(0, 19);
  return micros === 0n ? whole : `${whole}.${String(micros).padStart(6, "0")}`;
}

function decimalText(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -places)}${fraction === "" ? "" : `.${fraction}`}`;
}

function decisions({ steps }: ReferenceLattice): fc.Arbitrary<PlanDecisions> {
  return fc.record({
    keep: fc.constantFrom("spread", "first"),
    hasCaps: fc.boolean(),
    drops: fc.constantFrom(0, 1, 2, 3, 8),
    trims: fc.constantFrom(0, 2, 8),
    dropsFirstGrid: fc.boolean(),
    numbers: fc.array(fc.nat({ max: 997 }), { minLength: 4, maxLength: 12 }),
    thresholds: fc.array(fc.bigInt({ min: 0n, max: steps + 1n }), { maxLength: 3 }),
  });
}
