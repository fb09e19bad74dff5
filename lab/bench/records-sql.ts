/** The records that benches read: each user in 20 hexagons with about 10 records in each, whatever the size. */
export function benchRecordsSql(records: number): string {
  const users = records / 200;
  return `SELECT printf('GJ05%06d', u) AS license_plate, printf('88%05x3fffffff', (u * 7 + h * 31) % ${users / 10}) AS hexagon,
       make_timestamp(1457600000000000 + x * 8640) AS observed, round(hash(x + 5) % 65000 / 1000.0, 2) AS speed, x % 97 AS route
     FROM (SELECT x, hash(x) % ${users} AS u, hash(x + 77) % 20 AS h FROM range(${records}) AS r(x))`;
}
