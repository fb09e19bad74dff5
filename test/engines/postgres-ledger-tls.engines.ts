/** On the way to a ledger's server: certificates are verified, and what is said less is said in the address. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { PostgresServer } from "../../scripts/servers/postgres-server.mjs";
import { openLedgerAt } from "../../src/publish/ledger/index.ts";
import { runFolder } from "./support/servers.ts";

const told = (work: Promise<unknown>) => work.then(String, ({ code, message }) => `${code} ${message}`);

test("certificates: unknown, of another name, and known", async () => {
  const folder = runFolder();
  const server = await PostgresServer.create({ folder, name: "tls" });
  vi.stubEnv("PGPASSWORD", server.password);
  try {
    const [key, cert] = [path.join(folder, "tls", "own.key"), path.join(folder, "tls", "own.crt")];
    const made = spawnSync("openssl", [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
      ...["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert],
    ]);
    expect(made.status, "openssl makes a certificate").toBe(0);
    const { uid, gid } = statSync(path.join(folder, "tls"));
    for (const file of [key, cert]) {
      chownSync(file, uid, gid);
      chmodSync(file, 0o600);
    }
    server.configure(["ssl = on", "ssl_cert_file = 'own.crt'", "ssl_key_file = 'own.key'"]);
    await server.stop();
    await server.start();
    const open = async (host: string, parameters: string): Promise<string> => {
      const address = `${server.address.replace("127.0.0.1", host)}?${parameters}`;
      await using ledger = await openLedgerAt(address, { create: true });
      return (await ledger.datasets()).length === 0 ? "in" : "not empty";
    };
    const unverified = /^LEDGER_UNAVAILABLE .* shows a certificate that cannot be verified; give \?sslrootcert=FILE/;
    expect(await told(open("127.0.0.1", "sslmode=verify-full"))).toMatch(unverified);
    expect(await open("127.0.0.1", "sslmode=require")).toBe("in");
    const root = `sslrootcert=${encodeURIComponent(cert)}`;
    expect(await open("localhost", `sslmode=verify-full&${root}`)).toBe("in");
    expect(await told(open("127.0.0.1", `sslmode=verify-full&${root}`))).toMatch(unverified);
    expect(await open("127.0.0.1", `sslmode=verify-ca&${root}`)).toBe("in");
  } finally {
    vi.unstubAllEnvs();
    await server.stop("immediate");
  }
});
