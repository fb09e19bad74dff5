/** The PostgreSQL engine and what happens around a query: rights, connections that are lost, cancellation, records that change meanwhile. */
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresServer } from "../../scripts/servers/postgres-server.mjs";
import type { Plan } from "../../src/core/planning/index.ts";
import type { Records } from "../../src/data/engines/index.ts";
import { PostgresEngine } from "../../src/data/engines/postgres/postgres-engine.ts";
import { parseDatabaseUrl } from "../../src/data/sources/index.ts";
import { baselinePlan, PLAIN, recordsAt, refusalOf } from "../conformance/harness.ts";
import { CuttingProxy } from "./support/cutting-proxy.ts";
import { openPostgres, setUpClient, sourceOf } from "./support/postgres-tables.ts";
import { postgresAddress, runFolder } from "./support/servers.ts";

const client = setUpClient();
let engine: PostgresEngine;
const RECIPE = { user: "who", value: "speed", by: "shop" };
const SECRET = "61.2718";

beforeAll(async () => {
  engine = await openPostgres();
  await client().query(
    `DROP TABLE IF EXISTS sessions_records CASCADE;
     CREATE TABLE sessions_records AS SELECT 'u' || x % 7 AS who, CAST(x % 60 AS double precision) + 0.2718 AS speed, 's' || x % 5 AS shop FROM generate_series(1, 3000) AS t(x);
     CREATE VIEW sessions_slow AS SELECT who, speed, shop FROM sessions_records WHERE pg_sleep(0.05) IS NOT NULL`,
  );
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await client().query("DROP TABLE sessions_records CASCADE");
});

const source = (): string => sourceOf("sessions_records");

/** The same records, of a view that takes minutes. */
const slowly = (records: Records): Records => ({
  ...records,
  source: { ...records.source, source: sourceOf("sessions_slow") },
});

/** A plan that keeps a few records of everybody. */
async function cappedPlan(): Promise<Plan> {
  const { occupancy } = await engine.readOccupancy(await recordsAt(engine, source(), RECIPE));
  const plan = baselinePlan(occupancy, PLAIN);
  return { ...plan, caps: plan.grids.map(() => 3) };
}

const at = (address: string): Promise<PostgresEngine> => PostgresEngine.open(parseDatabaseUrl(address)!);
const addressWith = (change: (url: URL) => void): string => {
  const url = new URL(postgresAddress());
  change(url);
  return url.href;
};

describe("getting in", () => {
  test.each([
    [
      "nothing listens",
      (url: URL) => {
        url.port = "1";
      },
      "ENGINE_UNAVAILABLE",
      "nothing listens",
    ],
    [
      "no such host",
      (url: URL) => {
        url.hostname = "no-such-host.invalid";
      },
      "ENGINE_UNAVAILABLE",
      "cannot be reached",
    ],
    [
      "no such database",
      (url: URL) => {
        url.pathname = "/no_such_database";
      },
      "INPUT_NOT_FOUND",
      "no such database",
    ],
    [
      "no such user",
      (url: URL) => {
        url.username = "nobody_at_all";
      },
      "ENGINE_UNAVAILABLE",
      "does not let this user in",
    ],
  ])("%s", async (_, change, code, says) => {
    const error = await refusalOf(at(addressWith(change)));
    expect(error.code).toBe(code);
    expect(error.message).toContain(says);
  });

  test("a size of memory that is none", async () => {
    const error = await refusalOf(PostgresEngine.open(parseDatabaseUrl(postgresAddress())!, { memory: "lots" }));
    expect(error.code).toBe("PARAMETER_INVALID");
  });

  test("a source in another database than the one that is open", async () => {
    const error = await refusalOf(
      engine.describe(
        `${addressWith((url) => {
          url.pathname = "/postgres";
        })}?table=x`,
      ),
    );
    expect(error.code).toBe("USAGE");
  });
});

describe("rights", () => {
  /** An engine of a role with a password of its own, which may log in and nothing else. */
  async function as<Result>(
    grants: string,
    work: (other: PostgresEngine, source: string) => Promise<Result>,
  ): Promise<Result> {
    const database = parseDatabaseUrl(postgresAddress())!.database!;
    await client().query(
      `DROP ROLE IF EXISTS sessions_reader; CREATE ROLE sessions_reader LOGIN PASSWORD 'reader';
       REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC; ${grants}`,
    );
    const password = process.env["PGPASSWORD"];
    process.env["PGPASSWORD"] = "reader";
    try {
      const address = addressWith((url) => {
        url.username = "sessions_reader";
      });
      await using other = await at(address);
      return await work(other, `${address}?table=sessions_records`);
    } finally {
      if (password === undefined) delete process.env["PGPASSWORD"];
      else process.env["PGPASSWORD"] = password;
      await client().query(
        `GRANT TEMPORARY ON DATABASE ${database} TO PUBLIC; DROP OWNED BY sessions_reader; DROP ROLE sessions_reader`,
      );
    }
  }

  test("none on the table", async () => {
    const { code, message } = await as("", (other, mine) => refusalOf(recordsAt(other, mine, RECIPE)));
    expect(code).toBe("INPUT_UNREADABLE");
    expect(message).toContain("GRANT SELECT");
  });

  test("none in the schema", async () => {
    await client().query(
      "CREATE SCHEMA sessions_hidden; CREATE TABLE sessions_hidden.t AS SELECT * FROM sessions_records",
    );
    try {
      const { code, message } = await as("GRANT SELECT ON sessions_hidden.t TO sessions_reader", (other, mine) =>
        refusalOf(recordsAt(other, mine.replace("sessions_records", "sessions_hidden.t"), RECIPE)),
      );
      expect(code).toBe("INPUT_UNREADABLE");
      expect(message).toContain("GRANT USAGE");
    } finally {
      await client().query("DROP SCHEMA sessions_hidden CASCADE");
    }
  });

  test("to read but not to make temporary tables: a survey works, totals say what is missing", async () => {
    const plan = await cappedPlan();
    await as("GRANT SELECT ON sessions_records TO sessions_reader", async (other, mine) => {
      const records = await recordsAt(other, mine, RECIPE);
      const { occupancy } = await other.readOccupancy(records);
      expect(occupancy.samples).toBe(3000);
      const { code, message } = await refusalOf(other.readTotals(records, plan));
      expect(code).toBe("ENGINE_UNSUPPORTED");
      expect(message).toContain("GRANT TEMPORARY");
      // Told before anything is charged.
      expect((await refusalOf(other.checkTotals())).message).toBe(message);
    });
  });
});

test("a standby can be surveyed; totals are read from the primary", async () => {
  const folder = runFolder();
  const primary = await PostgresServer.create({ folder, name: `engine-primary-${process.pid}` });
  await primary.query(
    "CREATE TABLE records AS SELECT 'u' || x % 7 AS who, x % 60 AS speed, 's' || x % 5 AS shop FROM generate_series(1, 300) AS t(x)",
  );
  const standby = await primary.standby({ folder, name: `engine-standby-${process.pid}` });
  const password = process.env["PGPASSWORD"];
  process.env["PGPASSWORD"] = primary.password;
  try {
    await using first = await at(primary.address);
    await using second = await at(standby.address);
    const { occupancy } = await first.readOccupancy(await recordsAt(first, `${primary.address}?table=records`, RECIPE));
    const there = await recordsAt(second, `${standby.address}?table=records`, RECIPE);
    const copy = await second.readOccupancy(there);
    expect(copy.occupancy.samples).toBe(occupancy.samples);
    const { code, message } = await refusalOf(second.readTotals(there, baselinePlan(occupancy, PLAIN)));
    expect(code).toBe("ENGINE_UNSUPPORTED");
    expect(message).toContain("primary");
  } finally {
    process.env["PGPASSWORD"] = password;
    await standby.stop();
    await primary.stop();
  }
});

describe("connections that are lost", () => {
  test("at any message of counting and adding up: a clear error, nothing of a value in it, and the next reading works", async () => {
    const plan = await cappedPlan();
    const expected = await engine.readTotals(await recordsAt(engine, source(), RECIPE), plan, { clampedSums: true });
    await using proxy = await CuttingProxy.open(Number(new URL(postgresAddress()).port));
    const address = addressWith((url) => {
      url.port = String(proxy.port);
    });
    const through = `${address}?table=sessions_records`;
    await using other = await at(address);
    const records = await recordsAt(other, through, RECIPE);
    proxy.arm(undefined);
    await other.readTotals(records, plan, { clampedSums: true });
    const { request, answer } = { ...proxy.seen };
    expect(request).toBeGreaterThan(10);
    const cuts = [
      ...Array.from({ length: request }, (_, message) => ({ of: "request" as const, message: message + 1 })),
      ...Array.from({ length: 12 }, (_, index) => ({
        of: "answer" as const,
        message: 1 + Math.floor((index * (answer - 1)) / 11),
      })),
    ];
    for (const [index, cut] of cuts.entries()) {
      proxy.arm(cut);
      const failure = await other.readTotals(records, plan, { clampedSums: true }).then(
        (totals) => totals,
        (error: unknown) => error,
      );
      // What is lost after the last answer that matters is not missed.
      if (failure instanceof Error) {
        const { code, message } = await refusalOf(Promise.reject(failure), [SECRET]);
        expect(code, JSON.stringify(cut)).toBe("ENGINE_UNAVAILABLE");
        expect(message).toContain("try again");
      } else expect(failure).toEqual(expected);
      if (index % 8 !== 0) continue;
      proxy.arm(undefined);
      expect(await other.readTotals(records, plan, { clampedSums: true })).toEqual(expected);
    }
  });

  test("ended by an administrator while reading", async () => {
    await using other = await openPostgres();
    const records = await recordsAt(other, source(), RECIPE);
    const slow = other.readOccupancy(slowly(records));
    slow.catch(() => undefined);
    await busy();
    await client().query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'veilgrid' AND wait_event = 'PgSleep'",
    );
    expect((await refusalOf(slow)).code).toBe("ENGINE_UNAVAILABLE");
    expect((await other.readOccupancy(records)).occupancy.samples).toBe(3000);
  });
});

/** Until the server works on the slow view. */
async function busy(): Promise<void> {
  for (;;) {
    if ((await working()) > 0) return;
    await sleep(20);
  }
}

async function working(): Promise<number> {
  const { rows } = await client().query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'veilgrid' AND wait_event = 'PgSleep'",
  );
  return rows[0].n as number;
}

describe("cancellation", () => {
  test("stops the query on the server, and the engine goes on", async () => {
    await using other = await openPostgres();
    const slow = slowly(await recordsAt(other, source(), RECIPE));
    for (const read of [
      (signal: AbortSignal) => other.readOccupancy(slow, { signal }),
      async (signal: AbortSignal) => other.readTotals(slow, await cappedPlan(), {}, { signal }),
    ]) {
      const stop = new AbortController();
      const reading = read(stop.signal);
      reading.catch(() => undefined);
      await busy();
      stop.abort();
      expect((await refusalOf(reading)).code).toBe("CANCELLED");
      expect(await working()).toBe(0);
      expect((await other.readOccupancy(await recordsAt(other, source(), RECIPE))).occupancy.samples).toBe(3000);
    }
  });

  test("by somebody else is no cancellation of ours", async () => {
    await using other = await openPostgres();
    const reading = other.readOccupancy(slowly(await recordsAt(other, source(), RECIPE)));
    reading.catch(() => undefined);
    await busy();
    await client().query(
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'veilgrid' AND wait_event = 'PgSleep'",
    );
    const { code, message } = await refusalOf(reading);
    expect(code).toBe("ENGINE_UNAVAILABLE");
    expect(message).toContain("stopped the query");
  });
});

describe("records that change", () => {
  test("between the plan and the totals: refused", async () => {
    const plan = await cappedPlan();
    await client().query("INSERT INTO sessions_records VALUES ('u1', 5, 's1')");
    try {
      const error = await refusalOf(engine.readTotals(await recordsAt(engine, source(), RECIPE), plan));
      expect(error.code).toBe("PLAN_MISMATCH");
    } finally {
      await client().query(
        "DELETE FROM sessions_records WHERE ctid IN (SELECT ctid FROM sessions_records WHERE who = 'u1' AND speed = 5 AND shop = 's1' LIMIT 1)",
      );
    }
  });

  test("while they are read: counting and adding up see one moment", async () => {
    const plan = await cappedPlan();
    const records = await recordsAt(engine, source(), RECIPE);
    const expected = await engine.readTotals(records, plan);
    const script = `const pg = require("pg"); const client = new pg.Client({ connectionString: process.argv[1] });
      client.connect().then(() => client.query("UPDATE sessions_records SET speed = speed + 1; INSERT INTO sessions_records SELECT 'u1', 5, 's1' FROM generate_series(1, 100)")).then(() => client.end());`;
    let changed = 0;
    const onProgress = ({ step }: { step: string }): void => {
      if (step !== "sending the plan" || changed > 0) return;
      changed += 1;
      // Waits for the other process, and so does the engine.
      execFileSync(process.execPath, ["-e", script, postgresAddress()]);
    };
    expect(await engine.readTotals(records, plan, {}, { onProgress })).toEqual(expected);
    expect(changed).toBe(1);
    expect((await refusalOf(engine.readTotals(records, plan))).code).toBe("PLAN_MISMATCH");
  });
});

test("readings at once do not disturb each other, and leave no table behind", async () => {
  await client().query(
    [1, 2, 3]
      .map(
        (value) =>
          `DROP TABLE IF EXISTS sessions_at_once_${value}; CREATE TABLE sessions_at_once_${value} AS SELECT 'a' AS who, ${value} AS speed, 'x' AS shop UNION ALL SELECT 'b', ${10 * value}, 'x'`,
      )
      .join("; "),
  );
  const described = await Promise.all(
    [1, 2, 3].map((value) => recordsAt(engine, sourceOf(`sessions_at_once_${value}`), RECIPE)),
  );
  const { occupancy } = await engine.readOccupancy(described[0]!);
  const plan = baselinePlan(occupancy, { bounds: "0,64", step: "1" });
  const readings = await Promise.all(described.map((records) => engine.readTotals(records, plan)));
  expect(readings.map(({ totals }) => totals[0]!.sum)).toEqual([11n, 22n, 33n]);
  const { rows } = await client().query("SELECT count(*)::int AS n FROM pg_class WHERE relname LIKE 'veilgrid%'");
  expect(rows[0].n).toBe(0);
  await client().query([1, 2, 3].map((value) => `DROP TABLE sessions_at_once_${value}`).join("; "));
});
