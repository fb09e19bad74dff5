/** Servers killed, stopped and failed over while a ledger is written: what was confirmed stays, the rest is told, and a server that forgot is found out. */
import { expect, test, vi } from "vitest";
import { PostgresServer } from "../../scripts/servers/postgres-server.mjs";
import { parseDecimal } from "../../src/core/arithmetic/index.ts";
import { type Ledger, openLedgerDatabase } from "../../src/publish/ledger/index.ts";
import { CuttingProxy } from "./support/cutting-proxy.ts";
import { runFolder } from "./support/servers.ts";

function release(key: string) {
  return {
    ...{ dataset: "d", key, planHash: "p", header: "", parts: ["a"] },
    chargesOf: () => [["ann", 1n]] as const,
  };
}

/** Reserves and commits keys one after another until told to stop; remembers what it was told. */
class Writer {
  readonly done: string[] = [];
  readonly failures: string[] = [];
  readonly #ledger: Ledger;
  readonly #name: string;
  #isStopping = false;
  #running: Promise<void> | undefined;

  constructor(ledger: Ledger, name: string) {
    this.#ledger = ledger;
    this.#name = name;
  }

  start(): this {
    this.#running = this.#run();
    return this;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  /** Returns when it has done that many more. */
  async more(count: number): Promise<void> {
    const target = this.done.length + count;
    await vi.waitFor(() => expect(this.done.length).toBeGreaterThanOrEqual(target), { timeout: 120_000, interval: 20 });
  }

  async #run(): Promise<void> {
    for (let turn = 0; !this.#isStopping; ) {
      const key = `${this.#name} ${turn}`;
      try {
        await this.#ledger.reserve(release(key));
        const { texts } = await this.#ledger.commit({ ...release(key), parts: [["a", key]] });
        expect(texts.get("a")).toBe(key);
        this.done.push(key);
        turn += 1;
      } catch (error) {
        // The same key again, as anyone would.
        this.failures.push(`${(error as { code?: string }).code} ${(error as Error).message}`);
      }
    }
  }
}

async function makeLedger(address: string): Promise<void> {
  await using ledger = await openLedgerDatabase(address, { create: true });
  await ledger.init({ dataset: "d", budget: parseDecimal("1"), occupancyIsPublic: true });
}

/** Everything that was confirmed is there and charged once; nothing else is beyond what was under way. */
async function expectWhole(address: string, writers: readonly Writer[]): Promise<void> {
  await using ledger = await openLedgerDatabase(address);
  expect((await ledger.verify()).problems).toEqual([]);
  const [standing] = await ledger.show();
  const done = writers.flatMap((writer) => writer.done);
  const committed = standing!.releases.filter(({ state }) => state === "committed").map(({ key }) => key);
  expect(done.filter((key) => !committed.includes(key))).toEqual([]);
  expect(standing!.releases.length - done.length).toBeLessThanOrEqual(writers.length);
  expect(String(standing!.loss)).toBe(String(parseDecimal(`${standing!.releases.length}e-18`)));
  for (const { failures } of writers)
    for (const failure of failures) expect(failure).toMatch(/^LEDGER_UNAVAILABLE ledger '.*' (lost|cannot be reached)/);
}

test("a server that is killed, stopped and started again: commits are on disk whatever it would rather", async () => {
  // Without a word of ours these settings lose the last seconds of commits in a crash.
  const settings = ["synchronous_commit = off", "wal_writer_delay = 10s"];
  const server = await PostgresServer.create({ folder: runFolder(), name: "crashing", settings });
  vi.stubEnv("PGPASSWORD", server.password);
  try {
    await makeLedger(server.address);
    await using one = await openLedgerDatabase(server.address);
    await using two = await openLedgerDatabase(server.address);
    const writers = [new Writer(one, "one").start(), new Writer(two, "two").start()];
    for (const end of ["kill", "immediate", "fast", "kill"] as const) {
      for (const writer of writers) await writer.more(5);
      await (end === "kill" ? server.kill() : server.stop(end));
      await server.start();
    }
    for (const writer of writers) await writer.more(5);
    for (const writer of writers) await writer.stop();
    await expectWhole(server.address, writers);
  } finally {
    vi.unstubAllEnvs();
    await server.stop("immediate");
  }
});

test("with a standby that confirms, a fail-over loses nothing: by address and by proxy", async () => {
  const folder = runFolder();
  const primary = await PostgresServer.create({ folder, name: "primary" });
  const standby = await primary.standby({ folder, name: "standby" });
  vi.stubEnv("PGPASSWORD", primary.password);
  await using proxy = await CuttingProxy.open(primary.port);
  try {
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.query("SELECT pg_reload_conf()");
    await makeLedger(primary.address);
    const both = `${primary.address}?also=127.0.0.1:${standby.port}`;
    await using byAddress = await openLedgerDatabase(both);
    await using byProxy = await openLedgerDatabase(primary.address.replace(`:${primary.port}/`, `:${proxy.port}/`));
    const writers = [new Writer(byAddress, "address").start(), new Writer(byProxy, "proxy").start()];
    for (const writer of writers) await writer.more(10);

    await using follower = await openLedgerDatabase(standby.address);
    expect(await follower.show()).toMatchObject([{ dataset: "d" }]);
    await expect(follower.raise({ dataset: "d", budget: parseDecimal("2"), reason: "x" })).rejects.toThrow(
      "cannot be written: the server follows another one, or is set to read only; nothing was changed",
    );

    await primary.kill();
    await standby.promote();
    // Nobody confirms to the new one yet: it must not wait for it.
    await standby.query("ALTER SYSTEM RESET synchronous_standby_names");
    await standby.query("SELECT pg_reload_conf()");
    proxy.redirect(standby.port);
    for (const writer of writers) await writer.more(10);
    for (const writer of writers) await writer.stop();
    await expectWhole(standby.address, writers);
  } finally {
    vi.unstubAllEnvs();
    await primary.stop("immediate");
    await standby.stop("immediate");
  }
});

test("a commit waits for the standby that is to confirm it, and nobody is told that it is done", async () => {
  const folder = runFolder();
  const primary = await PostgresServer.create({ folder, name: "waiting" });
  const standby = await primary.standby({ folder, name: "confirming" });
  vi.stubEnv("PGPASSWORD", primary.password);
  try {
    await makeLedger(primary.address);
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.query("SELECT pg_reload_conf()");
    await using ledger = await openLedgerDatabase(primary.address, { answerMs: 1_000, patienceMs: 1_500, busyMs: 500 });
    await ledger.reserve(release("both"));
    await standby.stop();
    await expect(ledger.reserve(release("alone"))).rejects.toThrow(
      "repeat with the same key: nothing is charged twice",
    );
    await expect(ledger.reserve(release("later"))).rejects.toMatchObject({ code: "LEDGER_UNAVAILABLE" });
    await standby.start();
    await vi.waitFor(async () => expect(await ledger.reserve(release("alone"))).toMatchObject({ charged: [] }), 60_000);
    expect((await ledger.show())[0]!.releases.map(({ key }) => key)).toEqual(["both", "alone"]);
    // Told to stop waiting, the server counts it as done; we do not.
    await standby.stop();
    await using patient = await openLedgerDatabase(primary.address);
    const refused = expect(patient.reserve(release("unconfirmed"))).rejects.toThrow(
      "has committed, but its standby has not confirmed it; repeat with the same key",
    );
    await vi.waitFor(
      async () => {
        const cancelled = await primary.query(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
        );
        expect(cancelled).toHaveLength(1);
      },
      { timeout: 60_000, interval: 50 },
    );
    await refused;
  } finally {
    vi.unstubAllEnvs();
    await primary.stop("immediate");
    await standby.stop("immediate");
  }
});

test("a copy that was behind is found out by whoever was told more", async () => {
  const folder = runFolder();
  const primary = await PostgresServer.create({ folder, name: "ahead" });
  vi.stubEnv("PGPASSWORD", primary.password);
  await using proxy = await CuttingProxy.open(primary.port);
  await makeLedger(primary.address);
  const standby = await primary.standby({ folder, name: "behind" });
  try {
    await using ledger = await openLedgerDatabase(primary.address.replace(`:${primary.port}/`, `:${proxy.port}/`));
    await ledger.reserve(release("both have it"));
    await vi.waitFor(async () => expect(await standby.query("SELECT FROM veilgrid.releases")).toHaveLength(1), {
      timeout: 60_000,
      interval: 50,
    });
    await standby.stop();
    await ledger.reserve(release("only one has it"));
    await primary.kill();
    await standby.start();
    await standby.promote();
    proxy.redirect(standby.port);
    for (const key of ["only one has it", "another"])
      await expect(ledger.reserve(release(key))).rejects.toThrow(
        /has lost what it had confirmed before, .*; release nothing/,
      );
  } finally {
    vi.unstubAllEnvs();
    await primary.stop("immediate");
    await standby.stop("immediate");
  }
});
