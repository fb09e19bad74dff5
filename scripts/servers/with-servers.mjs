/** Real database servers for as long as some work needs them: started one after the other, stopped whatever happens. */
import { makeRunFolder, removeRunFolder } from "./run-folder.mjs";

/** Each module's `start({ folder, log })` gives `{ env, stop }`. */
const SERVERS = {
  postgres: () => import("./postgres.mjs"),
  clickhouse: () => import("./clickhouse.mjs"),
};

export const SERVER_NAMES = Object.keys(SERVERS);

/**
 * Runs `work(env, signal)` and gives its exit status; 1 if a server did not start or somebody interrupted. `env` is this process's
 * environment with what reaches the servers; `signal` aborts when the work should end early.
 */
export async function withServers(names, log, work) {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => interrupted.abort());
  const folder = makeRunFolder("veilgrid-engines-");
  const stops = [];
  try {
    const env = { ...process.env, VEILGRID_TEST_FOLDER: folder };
    for (const name of names) {
      if (interrupted.signal.aborted) return 1;
      log(`starting ${name}`);
      const { start } = await SERVERS[name]();
      const server = await start({ folder, log });
      stops.push([name, server.stop]);
      Object.assign(env, server.env);
    }
    if (interrupted.signal.aborted) return 1;
    const status = await work(env, interrupted.signal);
    return interrupted.signal.aborted ? 1 : status;
  } catch (error) {
    log(error.message);
    return 1;
  } finally {
    for (const [name, stop] of stops.reverse()) {
      log(`stopping ${name}`);
      await stop().catch((error) => log(`${name}: ${error.message}`));
    }
    await removeRunFolder(folder);
  }
}
