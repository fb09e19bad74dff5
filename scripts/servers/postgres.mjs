/** The PostgreSQL server of the engine tests. */
import { PostgresServer } from "./postgres-server.mjs";

/** Makes and starts one inside `folder`; env is what tests need to reach it. */
export async function start({ folder, log }) {
  const server = await PostgresServer.create({ folder, log });
  const [{ server_version: version }] = await server.query("SHOW server_version");
  log(`PostgreSQL ${version} on port ${server.port}`);
  return {
    env: { VEILGRID_TEST_POSTGRES: server.address, ...server.env },
    stop: () => server.stop(),
  };
}
