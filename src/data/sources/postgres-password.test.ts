/** Where a password comes from: the environment, or the first line that fits of a file that nobody else may read. */
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { postgresPassword } from "./postgres-login.ts";

const folder = temporaryFolder();
const file = path.join(folder, "pgpass");
beforeEach(() => {
  for (const name of Object.keys(process.env).filter((each) => each.startsWith("PG"))) vi.stubEnv(name, undefined);
  vi.stubEnv("PGPASSFILE", file);
  writeFileSync(
    file,
    "# db:5432:traffic:reader:not this\ntoo:few\ndb:5432:traffic:reader:one\ndb:*:*:reader:two\n*:5433:odd\\:name:*:th\\\\ree:more\nlocalhost:5432:reader:reader:four\n",
    { mode: 0o600 },
  );
  chmodSync(file, 0o600);
});
afterEach(() => void vi.unstubAllEnvs());

const login = { host: "db", port: undefined, user: "reader", database: "traffic" };

test.each([
  [login, "one"],
  [{ ...login, port: 5434 }, "two"],
  [{ ...login, host: "other", port: 5433, user: "any", database: "odd:name" }, "th\\ree:more"],
  [{ ...login, host: undefined, database: undefined }, "four"],
  [{ ...login, host: "other" }, ""],
  [{ ...login, user: "Reader" }, ""],
])("%j", async (asked, password) => {
  expect(await postgresPassword(asked)).toBe(password);
});

test("the environment comes first; a file that others may read, or none, is no file", async () => {
  vi.stubEnv("PGPASSWORD", "mine");
  expect(await postgresPassword(login)).toBe("mine");
  vi.stubEnv("PGPASSWORD", undefined);
  chmodSync(file, 0o640);
  expect(await postgresPassword(login)).toBe("");
  vi.stubEnv("PGPASSFILE", path.join(folder, "none"));
  expect(await postgresPassword(login)).toBe("");
});
