/** Where a password comes from: the environment, or the first line that fits of a file that nobody else may read. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { postgresPassword } from "./postgres-password.ts";

const folder = mkdtempSync(path.join(tmpdir(), "veilgrid-pgpass-"));
const file = path.join(folder, "pgpass");
const before = { ...process.env };
beforeEach(() => {
  for (const name of Object.keys(process.env).filter((each) => each.startsWith("PG"))) delete process.env[name];
  process.env["PGPASSFILE"] = file;
  writeFileSync(
    file,
    "# db:5432:traffic:reader:not this\ntoo:few\ndb:5432:traffic:reader:one\ndb:*:*:reader:two\n*:5433:odd\\:name:*:th\\\\ree:more\nlocalhost:5432:reader:reader:four\n",
    { mode: 0o600 },
  );
  chmodSync(file, 0o600);
});
afterEach(() => {
  process.env = { ...before };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
  process.env["PGPASSWORD"] = "mine";
  expect(await postgresPassword(login)).toBe("mine");
  delete process.env["PGPASSWORD"];
  chmodSync(file, 0o640);
  expect(await postgresPassword(login)).toBe("");
  process.env["PGPASSFILE"] = path.join(folder, "none");
  expect(await postgresPassword(login)).toBe("");
});
