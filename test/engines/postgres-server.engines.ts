/** The server that the other tests rely on is a real one, and keeps what it promises after a crash. */
import pg from "pg";
import { expect, test } from "vitest";
import { PostgresServer } from "../../scripts/servers/postgres-server.mjs";
import { postgresAddress, runFolder } from "./support/servers.ts";

test("the server answers, with durable settings and people's word order", async () => {
  const client = new pg.Client({ connectionString: postgresAddress() });
  await client.connect();
  try {
    const { rows } = await client.query(
      "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, 'a' < 'B' AS people",
    );
    expect(rows).toEqual([{ fsync: "on", commit: "on", people: true }]);
  } finally {
    await client.end();
  }
});

test("a server of a test's own survives a kill, and a standby follows it", async () => {
  const folder = runFolder();
  const server = await PostgresServer.create({ folder, name: "killed" });
  await server.query("CREATE TABLE kept (x int)");
  await server.query("INSERT INTO kept VALUES (7)");
  await server.kill();
  await server.start();
  const standby = await server.standby({ folder, name: "follower" });
  expect(await standby.query("SELECT x, pg_is_in_recovery() AS follows FROM kept")).toEqual([{ x: 7, follows: true }]);
  await server.kill();
  await standby.promote();
  await standby.query("INSERT INTO kept VALUES (8)");
  expect(await standby.query("SELECT x FROM kept ORDER BY x")).toEqual([{ x: 7 }, { x: 8 }]);
  await standby.stop();
});
