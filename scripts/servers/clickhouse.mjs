/** The ClickHouse servers of the engine tests: two old ones on loopback that are the shards of one cluster, and a current one in process. */
import { execFileSync, fork, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installServer } from "./install.mjs";

const BINARIES = ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"];
const SHARDS = 2;
/** The cluster's name in both servers' configuration. */
export const CLUSTER = "veilgrid";
const READY_MS = 60_000;
const STOPPED_MS = 20_000;

/** Starts them all inside `folder`; `env` is what tests are told. */
export async function start({ folder, log }) {
  const binary = BINARIES.find(existsSync) ?? install(log);
  const root = path.join(folder, "clickhouse");
  mkdirSync(root);
  const ports = await freePorts(SHARDS * 3);
  const shards = Array.from({ length: SHARDS }, (_, index) => ({
    folder: path.join(root, `shard-${index + 1}`),
    http: ports[3 * index],
    tcp: ports[3 * index + 1],
    interserver: ports[3 * index + 2],
  }));
  for (const shard of shards) {
    mkdirSync(shard.folder);
    writeFileSync(path.join(shard.folder, "config.xml"), configuration(shard, shards));
    writeFileSync(path.join(shard.folder, "users.xml"), USERS);
    writeFileSync(path.join(shard.folder, "shard.json"), JSON.stringify({ binary, http: shard.http }));
  }
  let current;
  const stop = async () => {
    current?.process.kill();
    await Promise.all(shards.map((shard) => killShard(shard.folder)));
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await Promise.all(shards.map((shard) => startShard(shard.folder)));
    current = await startCurrent(root, log);
  } catch (error) {
    await stop();
    throw error;
  }
  log(`ClickHouse from ${binary} on ports ${shards.map(({ http }) => http).join(" and ")}, chdb on ${current.port}`);
  return {
    env: {
      VEILGRID_TEST_CLICKHOUSE_CURRENT: `http://127.0.0.1:${current.port}`,
      VEILGRID_TEST_CLICKHOUSE: JSON.stringify(shards.map(({ http }) => `http://127.0.0.1:${http}`)),
      /** Folders to call `killShard` and `startShard` with. */
      VEILGRID_TEST_CLICKHOUSE_SHARDS: JSON.stringify(shards.map(({ folder }) => folder)),
    },
    stop,
  };
}

/** The current version, in a program of its own. */
async function startCurrent(root, log) {
  const folder = path.join(root, "current");
  mkdirSync(folder);
  const program = fileURLToPath(new URL("chdb-server.mjs", import.meta.url));
  const child = fork(program, [installServer("clickhouse", log), folder], { stdio: "inherit" });
  const port = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`chdb ended with ${code}`)));
  });
  return { process: child, port };
}

/** Starts a shard that is not running and waits until it answers. Whoever starts it, `stop` finds it by its pid file. */
export async function startShard(folder) {
  const { binary, http } = JSON.parse(readFileSync(path.join(folder, "shard.json"), "utf8"));
  const log = openSync(path.join(folder, "output.log"), "a");
  const child = spawn(binary, [`--config-file=${path.join(folder, "config.xml")}`], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  let ended = false;
  child.on("exit", () => {
    ended = true;
  });
  child.on("error", () => {
    ended = true;
  });
  if (child.pid !== undefined) writeFileSync(path.join(folder, "pid"), String(child.pid));
  const deadline = Date.now() + READY_MS;
  while (!(await answers(http))) {
    if (ended || Date.now() > deadline)
      throw new Error(`ClickHouse did not start; its log:\n${tail(path.join(folder, "output.log"))}`);
    await pause(50);
  }
}

/** Ends a shard at once, as a power cut would. */
export async function killShard(folder) {
  const pidFile = path.join(folder, "pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8"));
  if (isShard(pid, folder)) process.kill(pid, "SIGKILL");
  const deadline = Date.now() + STOPPED_MS;
  while (isShard(pid, folder) && Date.now() < deadline) await pause(20);
  rmSync(pidFile, { force: true });
}

/** The number may have passed to another process meanwhile. */
function isShard(pid, folder) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`${folder}/config.xml`);
  } catch {
    return false;
  }
}

/** Debian's package, without the service that it would start. */
function install(log) {
  if (process.getuid?.() !== 0)
    throw new Error("clickhouse-server is not installed; install Debian's package clickhouse-server, or run as root");
  log("installing Debian's clickhouse-server");
  const policy = "/usr/sbin/policy-rc.d";
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  const apt = (...args) =>
    execFileSync("apt-get", args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  try {
    apt("update", "-qq");
    apt("install", "-y", "-qq", "--no-install-recommends", "clickhouse-server");
  } finally {
    if (isOurs) rmSync(policy, { force: true });
  }
  const binary = BINARIES.find(existsSync);
  if (binary === undefined) throw new Error("clickhouse-server was installed, but is not where it is expected");
  return binary;
}

async function answers(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/ping`, { signal: AbortSignal.timeout(1000) });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

/** Held all at once, so that they differ. */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve, reject) => {
          const server = createServer();
          server.on("error", reject);
          server.listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function tail(file) {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(-20).join("\n") : "(none)";
}

function configuration({ folder, http, tcp, interserver }, shards) {
  const replicas = shards.map(
    (shard) => `<shard><replica><host>127.0.0.1</host><port>${shard.tcp}</port></replica></shard>`,
  );
  return `<?xml version="1.0"?>
<yandex>
  <logger><level>warning</level><log>${folder}/server.log</log><errorlog>${folder}/error.log</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${http}</http_port>
  <tcp_port>${tcp}</tcp_port>
  <interserver_http_port>${interserver}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <max_connections>256</max_connections>
  <keep_alive_timeout>30</keep_alive_timeout>
  <max_concurrent_queries>100</max_concurrent_queries>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <mark_cache_size>67108864</mark_cache_size>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/data/tmp/</tmp_path>
  <user_files_path>${folder}/data/user_files/</user_files_path>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>America/Chicago</timezone>
  <default_session_timeout>60</default_session_timeout>
  <max_session_timeout>3600</max_session_timeout>
  <remote_servers><${CLUSTER}>${replicas.join("")}</${CLUSTER}></remote_servers>
</yandex>
`;
}

/** A user who may do everything; with a password one who may only read, one who may also make temporary tables, and one whose profile cuts groups off. */
const USERS = `<?xml version="1.0"?>
<yandex>
  <profiles>
    <default><max_memory_usage>4000000000</max_memory_usage></default>
    <reader><readonly>1</readonly></reader>
    <curator><readonly>2</readonly></curator>
    <limited><max_rows_to_group_by>1000</max_rows_to_group_by><group_by_overflow_mode>any</group_by_overflow_mode></limited>
  </profiles>
  <users>
    ${user("default", "")}
    ${["reader", "curator", "limited"].map((name) => user(name, "only-for-tests")).join("\n    ")}
  </users>
  <quotas><default></default></quotas>
</yandex>
`;

function user(profile, password) {
  return `<${profile}><password>${password}</password><networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota></${profile}>`;
}
