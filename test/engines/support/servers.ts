/** Where the servers are that scripts/engine-tests.mjs started, and the folder for servers that a test makes itself. */

export const postgresAddress = (): string => given("VEILGRID_TEST_POSTGRES");

/** HTTP addresses of the two ClickHouse shards. */
export const clickhouseShards = (): string[] => JSON.parse(given("VEILGRID_TEST_CLICKHOUSE")) as string[];

/** What `killShard` and `startShard` of scripts/servers/clickhouse.mjs take. */
export const clickhouseFolders = (): string[] => JSON.parse(given("VEILGRID_TEST_CLICKHOUSE_SHARDS")) as string[];

/** HTTP address of a current ClickHouse. */
export const currentClickhouse = (): string => given("VEILGRID_TEST_CLICKHOUSE_CURRENT");

/** Removed with everything that still runs in it when the tests have ended. */
export const runFolder = (): string => given("VEILGRID_TEST_FOLDER");

function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run these tests with npm run test:engines`);
  return value;
}
