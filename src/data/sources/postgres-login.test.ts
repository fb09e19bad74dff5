/** What protects the way to a server is said, never guessed down. */
import { afterEach, expect, test, vi } from "vitest";
import { parseDatabaseUrl } from "./database-url.ts";
import { postgresLogin } from "./postgres-login.ts";

afterEach(() => vi.unstubAllEnvs());
const login = (address: string) => postgresLogin(parseDatabaseUrl(address)!);

test("on this machine nothing is needed, elsewhere the certificate is verified", async () => {
  for (const here of ["127.0.0.1", "localhost", "[::1]", ""])
    expect(await login(`postgres://${here}/d`)).toMatchObject({ ssl: false, database: "d" });
  expect((await login("postgres://db.example/d")).ssl).toEqual({ rejectUnauthorized: true });
  vi.stubEnv("PGHOST", "db.example");
  expect((await login("postgres:///d")).ssl).toEqual({ rejectUnauthorized: true });
});

test("an address may say less or more, in the words of the server's own tools", async () => {
  expect((await login("postgres://db.example/d?sslmode=disable")).ssl).toBe(false);
  expect((await login("postgres://db.example/d?sslmode=require")).ssl).toMatchObject({ rejectUnauthorized: false });
  const anyName = (await login("postgres://127.0.0.1/d?sslmode=verify-ca")).ssl;
  expect(anyName).toMatchObject({ rejectUnauthorized: true, checkServerIdentity: expect.any(Function) });
  expect((await login("postgres://127.0.0.1/d?sslmode=verify-full")).ssl).toEqual({ rejectUnauthorized: true });
  vi.stubEnv("PGSSLMODE", "verify-full");
  expect((await login("postgres://127.0.0.1/d")).ssl).toEqual({ rejectUnauthorized: true });
});

test("modes that fall back in silence, and certificates that cannot be read, are refused", async () => {
  await expect(login("postgres://h/d?sslmode=prefer")).rejects.toThrow("sslmode 'prefer' is none of disable, require");
  await expect(login("postgres://h/d?sslrootcert=/no/such.pem")).rejects.toThrow("cannot read sslrootcert");
});
