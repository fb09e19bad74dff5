/** Tests the state folder on disk: its permissions, when it is made, its lock, and one clear line for each damage. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Driver from "libsql";
import { describe, expect, test } from "vitest";
import { expectRefusal, newFolder, plan, thrownBy, token } from "../../../test/support/service-state.ts";
import { lockState } from "./state-folder.ts";
import { ServiceStore } from "./store.ts";

function execute(file: string, sql: string): void {
  const database = new Driver(file);
  database.exec(sql);
  database.close();
}

function metaOf(format: string, version: string): string {
  return `CREATE TABLE meta (name, value); INSERT INTO meta VALUES ('format', '${format}'), ('version', '${version}')`;
}

describe("the state folder", () => {
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  test("is for its owner only, whatever the umask", () => {
    const before = process.umask(0);
    try {
      const folder = newFolder();
      using store = ServiceStore.open(folder, { create: true });
      store.putPlan(plan, "text");
      expect(store.folder).toBe(folder);
      expect([folder, join(folder, "plans")].map(modeOf)).toEqual(["700", "700"]);
      expect([join(folder, "service.db"), store.planFile(plan.hash)].map(modeOf)).toEqual(["600", "600"]);
    } finally {
      process.umask(before);
    }
  });

  test("is made only when asked for, and no folder above it", () => {
    const folder = newFolder();
    expectRefusal(
      () => ServiceStore.open(folder),
      "INPUT_NOT_FOUND",
      /^no service state in '.*'; veilgrid token create/,
    );
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    expectRefusal(() => ServiceStore.open(folder), "INPUT_NOT_FOUND", /^no service state/);
    expectRefusal(
      () => ServiceStore.open(join(folder, "a", "b"), { create: true }),
      "LEDGER_UNAVAILABLE",
      /cannot be opened/,
    );
    expect(readdirSync(folder)).toEqual([]);
    using store = ServiceStore.open(folder, { create: true });
    expect(store.tokens()).toEqual([]);
  });

  test("may not be a file, nor its database a folder", () => {
    const file = newFolder();
    writeFileSync(file, "");
    const folder = newFolder();
    mkdirSync(join(folder, "service.db"), { recursive: true });
    for (const options of [{ create: true }, {}]) {
      expect(thrownBy(() => ServiceStore.open(file, options)).code).toMatch(/^(LEDGER_UNAVAILABLE|INPUT_NOT_FOUND)$/);
      expectRefusal(() => ServiceStore.open(folder, options), "LEDGER_UNAVAILABLE", /cannot be opened/);
    }
  });

  test.each([
    ["text", (file: string) => writeFileSync(file, "just some text, long enough to be looked at".repeat(40))],
    ["another database", (file: string) => execute(file, "CREATE TABLE t (a)")],
    [
      "a database with other notes",
      (file: string) => execute(file, "CREATE TABLE meta (format TEXT); INSERT INTO meta VALUES ('x')"),
    ],
    ["a ledger", (file: string) => execute(file, metaOf("veilgrid ledger", "1"))],
    ["one whose version is no number", (file: string) => execute(file, metaOf("veilgrid service", "x"))],
  ])("of %s is refused, and left as it was", (_, write) => {
    const folder = newFolder();
    mkdirSync(folder);
    const file = join(folder, "service.db");
    write(file);
    const before = readFileSync(file);
    for (const options of [{ create: true }, {}])
      expectRefusal(
        () => ServiceStore.open(folder, options),
        "LEDGER_UNAVAILABLE",
        /^service state '.*' has a service\.db that is not of a service/,
      );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(["service.db"]);
  });

  test("of a later veilgrid is refused", () => {
    const folder = newFolder();
    ServiceStore.open(folder, { create: true })[Symbol.dispose]();
    execute(join(folder, "service.db"), "UPDATE meta SET value = '7' WHERE name = 'version'");
    expectRefusal(
      () => ServiceStore.open(folder),
      "LEDGER_UNAVAILABLE",
      /has format version 7, this veilgrid knows up to 1; update veilgrid$/,
    );
  });

  test("that is damaged says so", () => {
    const folder = newFolder();
    ServiceStore.open(folder, { create: true })[Symbol.dispose]();
    execute(join(folder, "service.db"), "DROP TABLE tokens");
    using store = ServiceStore.open(folder);
    expectRefusal(() => store.tokens(), "LEDGER_UNAVAILABLE", /damaged/);
  });

  test.each([
    ["a text that is no UTF-8", "UPDATE tokens SET name = CAST(x'c328' AS TEXT)"],
    ["a list that is no JSON", "UPDATE tokens SET datasets = '[a secret'"],
  ])("with %s says so, and shows none of it", (_, damage) => {
    const folder = newFolder();
    using store = ServiceStore.open(folder, { create: true });
    store.putToken(token);
    execute(join(folder, "service.db"), damage);
    expectRefusal(
      () => store.tokens(),
      "LEDGER_UNAVAILABLE",
      /has a damaged service\.db; restore the folder from a backup$/,
    );
  });

  test("whose own name is no UTF-8 is not taken for one of a service", () => {
    const folder = newFolder();
    ServiceStore.open(folder, { create: true })[Symbol.dispose]();
    execute(join(folder, "service.db"), "UPDATE meta SET value = CAST(x'c328' AS TEXT) WHERE name = 'format'");
    expectRefusal(() => ServiceStore.open(folder), "LEDGER_UNAVAILABLE", /damaged/);
  });

  test("waits for another that writes, and gives up in one line", () => {
    const folder = newFolder();
    using store = ServiceStore.open(folder, { create: true, busyMs: 50 });
    const other = new Driver(join(folder, "service.db"));
    other.exec("BEGIN EXCLUSIVE");
    expectRefusal(
      () => store.putToken(token),
      "LEDGER_UNAVAILABLE",
      /is locked by another process; nothing was changed/,
    );
    other.exec("ROLLBACK");
    other.close();
    store.putToken(token);
    expect(store.tokens()).toEqual([token]);
  });

  test.skipIf(process.getuid?.() === 0)("that may not be written is refused", () => {
    const folder = newFolder();
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    expectRefusal(() => ServiceStore.open(folder, { create: true }), "LEDGER_UNAVAILABLE", /permissions/);
    chmodSync(folder, 0o700);
  });

  test("is let go: a store that is closed does nothing more", () => {
    const store = ServiceStore.open(newFolder(), { create: true });
    store.putToken(token);
    store[Symbol.dispose]();
    store[Symbol.dispose]();
    expect(() => store.tokens()).toThrow();
  });
});

describe("the lock of a state folder", () => {
  const made = (): string => {
    const folder = newFolder();
    mkdirSync(folder);
    return folder;
  };

  test("refuses a second server until the first has gone", () => {
    const folder = made();
    const first = lockState(folder);
    expect(() => lockState(folder)).toThrow("another process serves this state folder");
    first[Symbol.dispose]();
    lockState(folder)[Symbol.dispose]();
  });

  test("is for its owner only, whatever the umask, also where an earlier version made it", () => {
    const before = process.umask(0);
    try {
      const folder = made();
      const file = join(folder, "serving.lock");
      for (const _ of ["made", "found"]) {
        using _lock = lockState(folder);
        expect(readdirSync(folder)).toEqual(["serving.lock"]);
        expect(statSync(file).mode & 0o777).toBe(0o600);
        chmodSync(file, 0o644);
      }
    } finally {
      process.umask(before);
    }
  });
});
