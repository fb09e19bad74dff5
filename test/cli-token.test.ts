/** The built token commands: a token is printed once, listed without its secret, and shut out for good. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { root, runNode, veilgrid, veilgridDone } from "./support/cli.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const TOKEN = /^vg_([A-Za-z0-9_-]{12})_([A-Za-z0-9_-]{32})\n$/;
const ANN = ["--role", "curator", "--name", "Ann"];
const DAY_MS = 86_400_000;

/** What an import of the built service does in a process of its own, printed as JSON. */
async function service(folder: string, work: string): Promise<unknown> {
  const script = path.join(temporaryFolder(), "script.mjs");
  const [tokens, store] = ["tokens.js", "store.js"].map((file) =>
    JSON.stringify(pathToFileURL(path.join(root, "dist", "apps", "service", file)).href),
  );
  writeFileSync(
    script,
    `import { authenticate, redeem, createToken } from ${tokens};
     import { ServiceStore } from ${store};
     const store = ServiceStore.open("state");
     console.log(JSON.stringify(${work}) ?? "null");`,
  );
  const run = await runNode([script], { in: folder });
  expect(run).toMatchObject({ status: 0, stderr: "" });
  return JSON.parse(run.stdout);
}

async function createIn(folder: string, ...flags: string[]): Promise<{ id: string; secret: string; token: string }> {
  const run = await veilgridDone(["token", "create", "--state", "state", ...flags], { in: folder });
  const [line, id, secret] = TOKEN.exec(run.stdout) as unknown as [string, string, string];
  return { id, secret, token: line.trimEnd() };
}

describe.concurrent("token create", () => {
  test("prints the token alone, says once that it is shown once, and makes a private folder", async () => {
    const folder = temporaryFolder();
    const run = await veilgridDone(["token", "create", "--state", "state", ...ANN], { in: folder });
    expect(run.stdout).toMatch(TOKEN);
    expect(run.stderr).toBe(
      "note: the token is shown this once and not kept; send it as Authorization: Bearer TOKEN\n",
    );
    expect(readdirSync(path.join(folder, "state"))).toEqual(["service.db"]);
    expect(statSync(path.join(folder, "state")).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, "state", "service.db")).mode & 0o777).toBe(0o600);
    const [, , secret] = TOKEN.exec(run.stdout)!;
    expect(readFileSync(path.join(folder, "state", "service.db")).includes(secret!)).toBe(false);
    expect(await service(folder, `authenticate(store, "Bearer ${run.stdout.trimEnd()}", new Date())`)).toMatchObject({
      role: "curator",
      datasets: null,
    });
  });

  test("--json has the token and what it is for, and no hash", async () => {
    const flags = [
      "--role",
      "analyst",
      "--name",
      "Ben",
      "--datasets",
      "city, region",
      "--expires-days",
      "90",
      "--json",
    ];
    const run = await veilgridDone(["token", "create", "--state", "state", ...flags], { in: temporaryFolder() });
    const made = JSON.parse(run.stdout);
    expect(Object.keys(made)).toEqual("token id name role datasets created expires revoked oneTime state".split(" "));
    expect(made).toMatchObject({ name: "Ben", role: "analyst", datasets: ["city", "region"], state: "valid" });
    expect(made.token).toMatch(/^vg_/);
    expect(Date.parse(made.expires) - Date.parse(made.created)).toBe(90 * DAY_MS);
  });
});

describe.concurrent("token list and token revoke", () => {
  test("show everything but secrets, and shut one out", async () => {
    const folder = temporaryFolder();
    const ann = await createIn(folder, ...ANN);
    const ben = await createIn(
      folder,
      "--role",
      "analyst",
      "--name",
      "Ben",
      "--datasets",
      "a,b",
      "--expires-days",
      "7",
    );
    const revoked = await veilgridDone(["token", "revoke", "--state", "state", "--id", ann.id], { in: folder });
    expect(revoked.stdout).toMatch(/^revoked: .{12}, token of Ann, at \d{4}-\d\d-\d\d \d\d:\d\d UTC\n$/);
    const again = await veilgridDone(["token", "revoke", "--state", "state", "--id", ann.token, "--json"], {
      in: folder,
    });
    expect(JSON.parse(again.stdout)).toMatchObject({ id: ann.id, state: "revoked" });

    const { stdout } = await veilgridDone(["token", "list", "--state", "state"], { in: folder });
    const [header, ...rows] = stdout.trimEnd().split("\n");
    expect(header).toMatch(/^ {2}id +state +role +name +datasets +made \(UTC\) +until$/);
    expect(rows.map((row) => row.trim().split(/ {2,}/).slice(0, 5))).toEqual([
      [ann.id, "revoked", "curator", "Ann", "all"],
      [ben.id, "valid", "analyst", "Ben", "a, b"],
    ]);
    const json = await veilgridDone(["token", "list", "--state", "state", "--json"], { in: folder });
    expect(JSON.parse(json.stdout)).toMatchObject([
      { id: ann.id, state: "revoked" },
      { id: ben.id, state: "valid" },
    ]);
    for (const text of [stdout, json.stdout, again.stdout]) {
      expect(text).not.toMatch(/hash|[0-9a-f]{64}/i);
      for (const { secret } of [ann, ben]) expect(text).not.toContain(secret);
    }
    const callers = [ann, ben].map(({ token }) => `authenticate(store, "Bearer ${token}", new Date()) ?? null`);
    expect(await service(folder, `[${callers}]`)).toEqual([
      null,
      { tokenId: ben.id, role: "analyst", datasets: ["a", "b"] },
    ]);
  });

  test("of a state without tokens says so", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "state"));
    writeFileSync(path.join(folder, "state", "service.db"), "");
    const { stdout } = await veilgridDone(["token", "list", "--state", "state"], { in: folder });
    expect(stdout).toBe("there are no tokens; veilgrid token create makes one\n");
  });
});

test("processes that come at once: each makes its token, and one of them redeems a code", async () => {
  const folder = temporaryFolder();
  const made = await Promise.all(
    ["a", "b", "c", "d"].map((name) => createIn(folder, "--role", "analyst", "--name", name)),
  );
  const listed = await service(folder, "store.tokens()");
  expect((listed as Array<{ id: string }>).map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
  const options = '{ name: "first visit", role: "curator", oneTime: true }';
  const { token } = (await service(folder, `createToken(store, ${options}, new Date())`)) as { token: string };
  const redeemed = await Promise.all(
    Array.from({ length: 4 }, () => service(folder, `redeem(store, "${token}", new Date()) ?? null`)),
  );
  expect(redeemed.filter((each) => each !== null)).toHaveLength(1);
});

describe.concurrent("bad input gets one clear line, and nothing is written", () => {
  const create = ["token", "create", "--state", "state"];
  test.each<[status: number, message: RegExp, ...args: string[]]>([
    [2, /^--state is missing: the folder in which the service keeps/, "token", "create", ...ANN],
    [2, /^--state is missing/, "token", "create", "--state", "", ...ANN],
    [2, /^--state is missing/, "token", "list"],
    [2, /^--id is missing: which token/, "token", "revoke", "--state", "state"],
    [2, /^--role is missing: curator, who plans and releases, or analyst/, ...create, "--name", "Ann"],
    [2, /^--name is missing: whose token/, ...create, "--role", "curator"],
    [2, /^--role 'root' is unknown; use curator or analyst\n$/, ...create, "--role", "root", "--name", "Ann"],
    [2, /^--name 'a\\u001bb' holds invisible characters/, ...create, "--role", "curator", "--name", "a\u001bb"],
    [2, /^--datasets: a name has 0 characters/, ...create, ...ANN, "--datasets", "a,,b"],
    [2, /^--expires-days 'soon' is no whole number of days/, ...create, ...ANN, "--expires-days", "soon"],
    [2, /^--expires-days '-1' is no whole number of days/, ...create, ...ANN, "--expires-days", "-1"],
    [2, /^--expires-days 0 is no whole number from 1 to 3650/, ...create, ...ANN, "--expires-days", "0"],
    [2, /^unknown option '--rolle'/, ...create, "--rolle", "curator"],
    [
      1,
      /^service state 'no\/state' cannot be opened; .*the one above it is there/,
      "token",
      "create",
      "--state",
      "no/state",
      ...ANN,
    ],
    [1, /^no service state in 'state'; veilgrid token create/, "token", "list", "--state", "state"],
    [1, /^no service state in 'state'/, "token", "revoke", "--state", "state", "--id", "x"],
  ])("%i %s", async (status, message, ...args) => {
    const folder = temporaryFolder();
    const run = await veilgrid(args, { in: folder });
    expect({ status: run.status, stdout: run.stdout }).toEqual({ status, stdout: "" });
    expect(run.stderr).toMatch(/^veilgrid: [^\n]+\n$/);
    expect(run.stderr.slice("veilgrid: ".length)).toMatch(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("an unknown token, and a token of another service whose secret is not repeated", async () => {
    const folder = temporaryFolder();
    const { id } = await createIn(folder, ...ANN);
    const other = `vg_${id.startsWith("A") ? "B" : "A"}${id.slice(1)}_${"s".repeat(32)}`;
    for (const [text, shown] of [
      ["nobody", "nobody"],
      [other, other.slice(3, 15)],
    ] as const) {
      const run = await veilgrid(["token", "revoke", "--state", "state", "--id", text], { in: folder });
      expect(run).toMatchObject({ status: 1, stdout: "" });
      expect(run.stderr).toBe(`veilgrid: there is no token '${shown}'; veilgrid token list shows them\n`);
    }
  });

  test("a folder whose service.db is of another program", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "state"));
    writeFileSync(path.join(folder, "state", "service.db"), "not a database at all, but a longer text".repeat(50));
    for (const args of [
      [...create, ...ANN],
      ["token", "list", "--state", "state"],
    ]) {
      const run = await veilgrid(args, { in: folder });
      expect(run).toMatchObject({ status: 1, stdout: "" });
      expect(run.stderr).toMatch(
        /^veilgrid: service state '.*state' has a service\.db that is not of a service[^\n]*\n$/,
      );
    }
  });
});
