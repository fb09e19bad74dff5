/** Finds out what a ClickHouse server can do by trying it. Version numbers say too little about builds and settings. */
import { latLngToCell } from "h3-js";

export interface Capabilities {
  /** Of our own settings those that the server has. */
  readonly settings: Readonly<Record<string, string>>;
  /** `{name:String}` in queries. */
  readonly parameters: boolean;
  readonly windowFunctions: boolean;
  /** Text becomes the nearest double, always. */
  readonly exactDoubles: boolean;
  /** Its own hexagons, with latitude and longitude in this order; null where it has none. */
  readonly geoToH3: "latitude first" | "longitude first" | null;
}

/** Asks a question and gives the rows; undefined where the server does not understand it. */
export type Ask = (
  sql: string,
  options?: Partial<Readonly<Record<"settings" | "parameters", Readonly<Record<string, string>>>>>,
) => Promise<ReadonlyArray<readonly unknown[]> | undefined>;

/**
 * Whatever a user's profile says, a question is answered whole or not at all, and means the same everywhere. Servers lack some of
 * these, and refuse a setting they do not know.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  skip_unavailable_shards: "0",
  fallback_to_stale_replicas_for_distributed_queries: "0",
  max_parallel_replicas: "1",
  enable_parallel_replicas: "0",
  read_overflow_mode: "throw",
  read_overflow_mode_leaf: "throw",
  group_by_overflow_mode: "throw",
  sort_overflow_mode: "throw",
  result_overflow_mode: "throw",
  timeout_overflow_mode: "throw",
  timeout_overflow_mode_leaf: "throw",
  set_overflow_mode: "throw",
  join_overflow_mode: "throw",
  transfer_overflow_mode: "throw",
  distinct_overflow_mode: "throw",
  limit: "0",
  offset: "0",
  extremes: "0",
  use_query_cache: "0",
  join_use_nulls: "0",
  group_by_use_nulls: "0",
  transform_null_in: "0",
  aggregate_functions_null_for_empty: "0",
  empty_result_for_aggregation_by_empty_set: "0",
  data_type_default_nullable: "0",
  prefer_column_name_to_alias: "0",
  joined_subquery_requires_alias: "0",
  distributed_group_by_no_merge: "0",
  // What is grouped by is what we say, and rows may lie where the sharding key would not put them.
  optimize_injective_functions_in_group_by: "0",
  optimize_skip_unused_shards: "0",
  optimize_distributed_group_by_sharding_key: "0",
  distributed_product_mode: "deny",
  precise_float_parsing: "1",
  geotoh3_argument_order: "lat_lon",
  // Zones and thresholds make long queries.
  max_query_size: "16777216",
  max_ast_elements: "1000000",
  max_expanded_ast_elements: "5000000",
};

export async function askCapabilities(ask: Ask): Promise<Capabilities> {
  const names = Object.keys(SETTINGS).map((name) => `'${name}'`);
  const known = await ask(`SELECT name FROM system.settings WHERE name IN (${names.join(", ")})`);
  const supported = new Set((known ?? []).map(([name]) => String(name)));
  const settings = Object.fromEntries(Object.entries(SETTINGS).filter(([name]) => supported.has(name)));
  const answer = (sql: string, more: Parameters<Ask>[1] = {}): ReturnType<Ask> =>
    ask(`SELECT ${sql}`, { settings, ...more });
  const windows = "row_number() OVER (PARTITION BY number % 2 ORDER BY number) AS answer FROM (SELECT 1 AS number)";
  return {
    settings,
    parameters: (await answer("{asked:String} AS answer", { parameters: { asked: "x" } })) !== undefined,
    windowFunctions: (await answer(windows)) !== undefined,
    exactDoubles: await readsDoublesExactly(answer),
    geoToH3: await orderOfGeoToH3(answer),
  };
}

/** Long ones, very large and very small ones: a reader that rounds twice errs on one in five of them. */
const DECIMALS: readonly string[] = [
  ...["22.4901", "14.9013", "45.40602813498624", "36.63164939615341", "5e-324", "1.7976931348623157e308"],
  ...["3.991420314129692e+29", "7.670178621286214e-29", "473384781600181024.120807646113245798", "9007199254740993"],
  // Any digits do; the golden ratio's multiples are as good as random ones and the same every time.
  ...Array.from({ length: 60 }, (_, at) => {
    const digits = String(((at + 1) * 0.618_033_988_749_894_9) % 1).slice(2, 18);
    return `${digits.slice(0, 1)}.${digits.slice(1)}e${at * 9 - 270}`;
  }),
];

async function readsDoublesExactly(answer: Ask): Promise<boolean> {
  const list = DECIMALS.map((decimal) => `'${decimal}'`).join(", ");
  const bytes = "reinterpretAsUInt64(assumeNotNull(toFloat64OrNull(arrayJoin([";
  const rows = await answer(`toString(${bytes}${list}]))))) AS answer`);
  if (rows === undefined) return false;
  const expected = new BigUint64Array(Float64Array.from(DECIMALS, Number).buffer);
  return rows.length === expected.length && rows.every(([read], at) => BigInt(String(read)) === expected[at]);
}

/** A place where the two orders lead to different hexagons. */
const PLACE = { latitude: 41.8827, longitude: -87.6233, resolution: 9 };

async function orderOfGeoToH3(answer: Ask): Promise<Capabilities["geoToH3"]> {
  const { latitude, longitude, resolution } = PLACE;
  const cell = String(BigInt(`0x${latLngToCell(latitude, longitude, resolution)}`));
  for (const [order, first, second] of [
    ["latitude first", latitude, longitude],
    ["longitude first", longitude, latitude],
  ] as const) {
    const rows = await answer(`toString(geoToH3(${first}, ${second}, toUInt8(${resolution}))) AS answer`);
    if (rows?.[0]?.[0] === cell) return order;
  }
  return null;
}
