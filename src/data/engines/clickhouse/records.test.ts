/** The SQL itself, for servers of 2018 and of today. That it means what it should is what the engine tests run it for. */
import { expect, test } from "vitest";
import type { InputLattice } from "../../../core/planning/index.ts";
import { parseRecipe, type RecipeFlags } from "../../partition/index.ts";
import { columnType } from "./column-type.ts";
import { arraysSql } from "./cut.ts";
import { namesBeside } from "./dialect.ts";
import type { RecordsQuery } from "./fields.ts";
import { groupsSql, recordsRelation } from "./records.ts";

const TYPES = {
  who: "UInt64",
  shop: "Nullable(String)",
  speed: "Nullable(Float64)",
  when: "DateTime('UTC')",
  lat: "Float64",
  lon: "Float64",
  key: "String",
};
const LATTICE: InputLattice = { lower: 0, upper: 65, step: 0.5, steps: 130n, midpoint: 65n };

function queryOf(options: RecipeFlags, more: Partial<RecordsQuery> = {}): RecordsQuery {
  const types = new Map(Object.entries(TYPES).map(([column, type]) => [column, columnType(type)]));
  return {
    table: { name: "t", sql: "`d`.`t`", types, exactDoubles: true, names: namesBeside(types.keys()) },
    recipe: parseRecipe({ user: "who", value: "speed", ...options }),
    lattice: undefined,
    geoToH3: null,
    points: undefined,
    clocks: undefined,
    ...more,
  };
}

/** A line for each clause. */
function lines(sql: string): string {
  return sql.replace(/ (?=(?:SELECT|FROM|WHERE|GROUP BY|GLOBAL) )/g, "\n");
}

test("counts", () => {
  expect(lines(groupsSql(queryOf({ by: "shop" }), []))).toMatchInlineSnapshot(`
    "WITH if(isNull(\`speed\`), nan, toFloat64(assumeNotNull(\`speed\`))) AS v_x
    SELECT \`who\` AS v_usr, ifNull(\`shop\`, '') AS v_by0, isNull(\`shop\`) AS v_by0_null, count() AS v_n
    FROM \`d\`.\`t\`
    WHERE if(throwIf((isInfinite(v_x) OR isNaN(v_x))), 0, 1)
    GROUP BY v_usr, v_by0, v_by0_null"
  `);
});

test("counts and sums, values that are missing left out", () => {
  const query = queryOf({ by: "shop", missing: "drop" }, { lattice: LATTICE });
  expect(lines(groupsSql(query, [4n]))).toMatchInlineSnapshot(`
    "WITH if(isNull(\`speed\`), nan, toFloat64(assumeNotNull(\`speed\`))) AS v_x, isNaN(v_x) AS v_missing, if(v_missing, toUInt64(65), toUInt64(greatest(toFloat64(0), least(toFloat64(130), floor((if(v_missing, toFloat64(0), v_x) - toFloat64(0)) / reinterpretAsFloat64(unhex('000000000000E03F')) + reinterpretAsFloat64(unhex('000000000000E03F'))))))) AS v_i, (v_x < toFloat64(0) OR v_x > toFloat64(65)) AS v_outside
    SELECT \`who\` AS v_usr, ifNull(\`shop\`, '') AS v_by0, isNull(\`shop\`) AS v_by0_null, countIf(not(v_missing)) AS v_n, countIf(v_missing) AS v_n_blank, sumIf(v_i, not(v_missing)) AS v_s, sumIf(bitAnd(v_i * v_i, toUInt64(4294967295)), not(v_missing)) AS v_q_low, sumIf(bitShiftRight(v_i * v_i, 32), not(v_missing)) AS v_q_high, countIf(v_outside) AS v_n_outside, countIf(v_i >= toUInt64(4) AND not(v_missing)) AS v_c0
    FROM \`d\`.\`t\`
    WHERE if(throwIf(isInfinite(v_x)), 0, 1)
    GROUP BY v_usr, v_by0, v_by0_null"
  `);
});

test("slots, with a filter", () => {
  const query = queryOf({ time: "when", slot: "1h", tz: "-06:00", from: "2016-12-16" });
  expect(lines(groupsSql(query, []))).toMatchInlineSnapshot(`
    "WITH if(isNull(\`speed\`), nan, toFloat64(assumeNotNull(\`speed\`))) AS v_x, (toInt64(toUnixTimestamp(\`when\`)) * 1000000) AS v_clock, toInt64(v_clock) AS v_instant
    SELECT \`who\` AS v_usr, arrayMap(v_the_instant -> ((intDiv(((v_the_instant + toInt64(-21600000000)) + 1152921502800000000), 3600000000) * 3600000000 - 1152921502800000000) - toInt64(-21600000000)), [v_instant])[1] AS v_slot, count() AS v_n
    FROM \`d\`.\`t\`
    WHERE if(throwIf((arrayMap(v_the_instant -> v_the_instant >= toInt64(1481868000000000), [v_instant])[1] AND (isInfinite(v_x) OR isNaN(v_x)))), 0, arrayMap(v_the_instant -> v_the_instant >= toInt64(1481868000000000), [v_instant])[1])
    GROUP BY v_usr, v_slot"
  `);
});

test("hexagons by points that were mapped here, on a server that has none", () => {
  const query = queryOf({ lat: "lat", lon: "lon", h3: "9" }, { points: { table: "p", holds: "every point" } });
  expect(lines(groupsSql(query, []))).toMatchInlineSnapshot(`
    "WITH if(isNull(\`speed\`), nan, toFloat64(assumeNotNull(\`speed\`))) AS v_x, toFloat64(\`lat\`) AS v_latitude, toFloat64(\`lon\`) AS v_longitude, (v_latitude >= -90 AND v_latitude <= 90 AND v_longitude >= -180 AND v_longitude <= 180) AS v_on_earth, if(v_on_earth, v_latitude + toFloat64(0), toFloat64(1000)) AS v_lat, if(v_on_earth, v_longitude + toFloat64(0), toFloat64(1000)) AS v_lon
    SELECT \`who\` AS v_usr, v_point_cell AS v_cell, count() AS v_n
    FROM \`d\`.\`t\`
    GLOBAL ALL INNER JOIN \`p\` ON v_lat = v_point_lat AND v_lon = v_point_lon
    WHERE if(throwIf((not(v_on_earth) OR isInfinite(v_x) OR isNaN(v_x))), 0, 1)
    GROUP BY v_usr, v_cell"
  `);
});

test("hexagons of the server's own, in its order of arguments", () => {
  const query = queryOf({ lat: "lat", lon: "lon", h3: "9" }, { geoToH3: "longitude first" });
  expect(lines(groupsSql(query, []))).toMatchInlineSnapshot(`
    "WITH if(isNull(\`speed\`), nan, toFloat64(assumeNotNull(\`speed\`))) AS v_x, toFloat64(\`lat\`) AS v_latitude, toFloat64(\`lon\`) AS v_longitude, (v_latitude >= -90 AND v_latitude <= 90 AND v_longitude >= -180 AND v_longitude <= 180) AS v_on_earth, if(v_on_earth, v_latitude + toFloat64(0), toFloat64(1000)) AS v_lat, if(v_on_earth, v_longitude + toFloat64(0), toFloat64(1000)) AS v_lon
    SELECT \`who\` AS v_usr, if(v_lat = 1000, toUInt64(0), geoToH3(if(v_lat = 1000, toFloat64(0), v_lon), if(v_lat = 1000, toFloat64(0), v_lat), toUInt8(9))) AS v_cell, count() AS v_n
    FROM \`d\`.\`t\`
    WHERE if(throwIf((not(v_on_earth) OR isInfinite(v_x) OR isNaN(v_x))), 0, 1)
    GROUP BY v_usr, v_cell"
  `);
});

test("repeated records", () => {
  const query = queryOf({ by: "shop", dedupe: "key", time: "when" }, { lattice: LATTICE });
  expect(lines(groupsSql(query, []))).toMatchInlineSnapshot(`
    "SELECT v_usr, v_by0, v_by0_null, count() AS v_n, sum(v_copies) AS v_n_copies, sum(v_i) AS v_s, sum(bitAnd(v_i * v_i, toUInt64(4294967295))) AS v_q_low, sum(bitShiftRight(v_i * v_i, 32)) AS v_q_high, countIf(v_outside) AS v_n_outside
    FROM (SELECT v_usr, v_by0, v_by0_null, tupleElement(v_first, 1) AS v_missing, tupleElement(v_first, 2) AS v_instant, bitShiftRight(tupleElement(v_first, 3), 1) AS v_i, toUInt8(bitAnd(tupleElement(v_first, 3), 1)) AS v_outside, v_copies
    FROM (WITH if(isNull(\`speed\`), nan, toFloat64(assumeNotNull(\`speed\`))) AS v_x, (toInt64(toUnixTimestamp(\`when\`)) * 1000000) AS v_clock, toInt64(v_clock) AS v_instant, isNaN(v_x) AS v_missing, if(v_missing, toUInt64(65), toUInt64(greatest(toFloat64(0), least(toFloat64(130), floor((if(v_missing, toFloat64(0), v_x) - toFloat64(0)) / reinterpretAsFloat64(unhex('000000000000E03F')) + reinterpretAsFloat64(unhex('000000000000E03F'))))))) AS v_i, (v_x < toFloat64(0) OR v_x > toFloat64(65)) AS v_outside
    SELECT \`who\` AS v_usr, ifNull(\`shop\`, '') AS v_by0, isNull(\`shop\`) AS v_by0_null, \`key\` AS v_key0, min((toUInt8(v_missing), v_instant, v_i * 2 + toUInt8(v_outside))) AS v_first, count() AS v_copies
    FROM \`d\`.\`t\`
    WHERE if(throwIf(isInfinite(v_x)), 0, 1)
    GROUP BY v_usr, v_by0, v_by0_null, v_key0))
    WHERE if(throwIf(v_missing), 0, 1)
    GROUP BY v_usr, v_by0, v_by0_null"
  `);
});

test("cut groups by sorted arrays, all in one query that shards can answer", () => {
  const query = queryOf({ by: "shop", time: "when" }, { lattice: LATTICE });
  const work = { query, relation: recordsRelation(query), cut: "`cut`" };
  expect(lines(arraysSql(work, { keep: "spread", lattice: LATTICE, thresholds: [4n] }))).toMatchInlineSnapshot(`
    "WITH if(isNull(\`speed\`), nan, toFloat64(assumeNotNull(\`speed\`))) AS v_x, (toInt64(toUnixTimestamp(\`when\`)) * 1000000) AS v_clock, toInt64(v_clock) AS v_instant, toUInt64(greatest(toFloat64(0), least(toFloat64(130), floor((v_x - toFloat64(0)) / reinterpretAsFloat64(unhex('000000000000E03F')) + reinterpretAsFloat64(unhex('000000000000E03F')))))) AS v_i, arrayMap(x -> tupleElement(x, 2), arraySort(groupArray((v_instant, v_i)))) AS v_ordered, arrayFilter((x, r) -> (if(v_m >= ((toUInt64(2) * v_c) * toUInt64(r - 1)), toUInt64(0), intDiv(toUInt64((((toUInt64(2) * v_c) * toUInt64(r - 1)) + v_m) - toUInt64(1)), (toUInt64(2) * v_m))) < v_c AND (((toUInt64(2) * if(v_m >= ((toUInt64(2) * v_c) * toUInt64(r - 1)), toUInt64(0), intDiv(toUInt64((((toUInt64(2) * v_c) * toUInt64(r - 1)) + v_m) - toUInt64(1)), (toUInt64(2) * v_m)))) + toUInt64(1)) * v_m) < ((toUInt64(2) * v_c) * (toUInt64(r - 1) + toUInt64(1)))), v_ordered, arrayEnumerate(v_ordered)) AS v_kept_values
    SELECT v_u, v_g, v_m, v_c, toUInt64(length(v_kept_values)) AS v_n, arraySum(v_kept_values) AS v_s, arraySum(x -> bitAnd(x * x, toUInt64(4294967295)), v_kept_values) AS v_q_low, arraySum(x -> bitShiftRight(x * x, 32), v_kept_values) AS v_q_high, toUInt64(length(v_ordered)) AS v_seen, toUInt64(arrayCount(x -> x >= toUInt64(4), v_kept_values)) AS v_c0
    FROM \`d\`.\`t\`
    GLOBAL ALL INNER JOIN \`cut\` ON \`who\` = v_cut_usr AND ifNull(\`shop\`, '') = v_cut_by0 AND isNull(\`shop\`) = v_cut_by0_null
    WHERE if(throwIf((isInfinite(v_x) OR isNaN(v_x))), 0, 1)
    GROUP BY v_u, v_g, v_m, v_c"
  `);
});
