/** Tests tokens: their form, who gets in with one, and that nobody gets in with something close to one. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import { VeilgridError } from "../../core/errors/index.ts";
import { ServiceStore } from "./store.ts";
import { authenticate, type Caller, createToken, mayUse, redeem, type TokenOptions, tokenIdIn } from "./tokens.ts";

const folder = mkdtempSync(join(tmpdir(), "veilgrid-tokens-"));
const store = ServiceStore.open(join(folder, "state"), { create: true });
afterAll(() => {
  store[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const now = new Date("2026-01-05T08:00:00.000Z");
const DAY_MS = 86_400_000;
const inDays = (days: number): Date => new Date(now.getTime() + days * DAY_MS);
const ann: TokenOptions = { name: "Ann", role: "analyst", datasets: ["city"] };
const make = (options: Partial<TokenOptions> = {}) => createToken(store, { ...ann, ...options }, now);
const enter = (token: string, when = now): Caller | undefined => authenticate(store, `Bearer ${token}`, when);

function refusalOf(options: Partial<TokenOptions>): string {
  const before = store.tokens().length;
  try {
    make(options);
  } catch (error) {
    expect(error).toBeInstanceOf(VeilgridError);
    expect((error as VeilgridError).code).toBe("PARAMETER_INVALID");
    expect(store.tokens()).toHaveLength(before);
    return (error as VeilgridError).message;
  }
  throw new Error("nothing was refused");
}

describe("a token", () => {
  test("is vg_, an id of 12 and a secret of 32 characters, never the same twice", () => {
    const made = Array.from({ length: 20 }, () => make());
    for (const { token, row } of made) {
      expect(token).toMatch(/^vg_[A-Za-z0-9_-]{12}_[A-Za-z0-9_-]{32}$/);
      expect(token.slice(3, 15)).toBe(row.id);
      for (const text of [token, ` ${token}`, `${token}\n`, token.slice(0, 30), row.id])
        expect(tokenIdIn(text)).toBe(row.id);
    }
    expect(new Set(made.map(({ row }) => row.id)).size).toBe(20);
    expect(new Set(made.map(({ token }) => token.slice(16))).size).toBe(20);
  });

  test("is kept as the SHA-256 of its secret; the secret is not in the file", () => {
    const { token, row } = make();
    const secret = token.slice(16);
    expect(row.secretHash).toBe(createHash("sha256").update(secret).digest("hex"));
    expect(store.token(row.id)).toEqual(row);
    const file = readFileSync(join(store.folder, "service.db"));
    expect(file.includes(row.secretHash)).toBe(true);
    expect(file.includes(secret)).toBe(false);
  });

  test("lets its owner in, under any case of the scheme", () => {
    const { token, row } = make();
    const caller = { tokenId: row.id, role: "analyst", datasets: ["city"] };
    expect(enter(token)).toEqual(caller);
    expect(authenticate(store, `bearer ${token}`, now)).toEqual(caller);
    const curator = make({ role: "curator", datasets: undefined });
    expect(enter(curator.token)).toEqual({ tokenId: curator.row.id, role: "curator", datasets: null });
  });

  test("is good for the datasets it names, by their whole names, or for all", () => {
    const scoped: Caller = { tokenId: "a", role: "curator", datasets: ["city", "süd"] };
    expect(["city", "süd"].every((name) => mayUse(scoped, name))).toBe(true);
    for (const name of ["", "City", "city ", "cit", "city,süd", "city\0", "su\u0308d", "other"])
      expect(mayUse(scoped, name)).toBe(false);
    expect(mayUse({ ...scoped, datasets: [] }, "city")).toBe(false);
    expect(mayUse({ ...scoped, datasets: null }, "anything")).toBe(true);
    expect(make({ datasets: ["b", "a", "b"] }).row.datasets).toEqual(["b", "a"]);
  });

  test("ends on the millisecond", () => {
    const { token, row } = make({ expiresDays: 3 });
    expect(row.expires).toBe(inDays(3).toISOString());
    expect(enter(token, new Date(inDays(3).getTime() - 1))).toBeDefined();
    for (const when of [inDays(3), inDays(4), inDays(400)]) expect(enter(token, when)).toBeUndefined();
    expect(enter(make().token, inDays(100_000))).toBeDefined();
  });

  test("with an end that cannot be read, or a clock that cannot, lets nobody in", () => {
    const { token, row } = make({ expiresDays: 3 });
    const odd = make();
    store.putToken({ ...row, id: "odd-odd-odd-", expires: "next week" });
    expect(enter(`vg_odd-odd-odd-_${token.slice(16)}`)).toBeUndefined();
    expect(enter(token, new Date(Number.NaN))).toBeUndefined();
    expect(enter(odd.token)).toBeDefined();
  });

  test("that is revoked lets nobody in from the next request on", () => {
    const { token, row } = make();
    using other = ServiceStore.open(store.folder);
    expect(enter(token)).toBeDefined();
    other.revokeToken(row.id, now.toISOString());
    expect(enter(token)).toBeUndefined();
  });

  test.each<[changed: Partial<TokenOptions>, message: RegExp]>([
    [{ role: "admin" }, /^--role 'admin' is unknown; use curator or analyst$/],
    [{ role: "" }, /^--role '' is unknown/],
    [{ role: "Curator" }, /^--role 'Curator' is unknown/],
    [{ name: "" }, /^--name has 0 characters; give it 1 to 200$/],
    [{ name: "x".repeat(201) }, /^--name has 201 characters/],
    [{ name: "a\u001b[2Jb" }, /^--name 'a\\u001b\[2Jb' holds invisible characters/],
    [{ name: " a" }, /blanks at an end/],
    [{ datasets: [] }, /^--datasets names none/],
    [{ datasets: ["city", ""] }, /^--datasets: a name has 0 characters/],
    [{ datasets: ["a\0"] }, /^--datasets: a name 'a\\u0000' holds invisible/],
    [{ expiresDays: 0 }, /^--expires-days 0 is no whole number from 1 to 3650$/],
    [{ expiresDays: -1 }, /^--expires-days -1 is/],
    [{ expiresDays: 1.5 }, /^--expires-days 1\.5 is/],
    [{ expiresDays: 3651 }, /^--expires-days 3651 is/],
    [{ expiresDays: Number.NaN }, /^--expires-days NaN is/],
  ])("of %j is refused in one line", (changed, message) => expect(refusalOf(changed)).toMatch(message));
});

describe("a one-time token", () => {
  test("is of no use but to be exchanged, once, for a token of the same rights that lasts a day", () => {
    const code = make({ oneTime: true, role: "curator", datasets: ["city", "süd"] });
    expect(code.row.expires).toBe(inDays(1).toISOString());
    expect(enter(code.token)).toBeUndefined();
    const got = redeem(store, code.token, now)!;
    expect(got.row).toMatchObject({ name: "Ann", role: "curator", datasets: ["city", "süd"], oneTime: false });
    expect(got.row.expires).toBe(inDays(1).toISOString());
    expect(enter(got.token)).toEqual({ tokenId: got.row.id, role: "curator", datasets: ["city", "süd"] });
    expect(redeem(store, code.token, now)).toBeUndefined();
    expect(enter(code.token)).toBeUndefined();
    const forAll = redeem(store, make({ oneTime: true, datasets: undefined }).token, now)!;
    expect(forAll.row.datasets).toBeNull();
  });

  test("is not exchanged when it is wrong, late, revoked or a lasting one", () => {
    const wrong = make({ oneTime: true });
    const other = make({ oneTime: true });
    const before = store.tokens().length;
    expect(redeem(store, wrong.token.slice(0, 16) + other.token.slice(16), now)).toBeUndefined();
    expect(redeem(store, `${wrong.token} `, now)).toBeUndefined();
    expect(redeem(store, `Bearer ${wrong.token}`, now)).toBeUndefined();
    expect(redeem(store, "", now)).toBeUndefined();
    expect(redeem(store, wrong.token, inDays(1))).toBeUndefined();
    store.revokeToken(other.row.id, now.toISOString());
    expect(redeem(store, other.token, now)).toBeUndefined();
    expect(store.tokens()).toHaveLength(before);
    expect(redeem(store, make().token, now)).toBeUndefined();
    expect(redeem(store, wrong.token, now)).toBeDefined();
  });

  test("is exchanged by one of two that come at once", () => {
    using other = ServiceStore.open(store.folder);
    const { token } = make({ oneTime: true });
    const both = [redeem(store, token, now), redeem(other, token, now)];
    expect(both.filter((each) => each !== undefined)).toHaveLength(1);
  });
});

describe("something close to a token lets nobody in", () => {
  const first = make();
  const second = make();
  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const { token } = first;
  const [id, secret] = [token.slice(3, 15), token.slice(16)];
  const place = fc.nat(token.length - 1);
  const header = (text: string): string => `Bearer ${text}`;

  const nearMisses = fc.oneof(
    // A changed, lost, doubled or added character, of the alphabet or of none.
    fc
      .tuple(place, fc.constantFrom(...ALPHABET))
      .map(([at, other]) => token.slice(0, at) + other + token.slice(at + 1)),
    fc
      .tuple(place, fc.string({ unit: "binary", minLength: 1, maxLength: 3 }))
      .map(([at, other]) => token.slice(0, at) + other + token.slice(at + 1)),
    place.map((at) => token.slice(0, at) + token.slice(at + 1)),
    place.map((at) => token.slice(0, at)),
    place.map((at) => token.slice(at + 1)),
    place.map((at) => token.slice(0, at) + token[at] + token.slice(at)),
    fc.string({ minLength: 1, maxLength: 40 }).map((more) => token + more),
    // Two neighbours change places.
    fc.nat(token.length - 2).map((at) => token.slice(0, at) + token[at + 1] + token[at] + token.slice(at + 2)),
    // Another case, in one place or everywhere.
    place.map((at) => token.slice(0, at) + token[at]!.toUpperCase() + token.slice(at + 1)),
    place.map((at) => token.slice(0, at) + token[at]!.toLowerCase() + token.slice(at + 1)),
    fc.constantFrom(token.toUpperCase(), token.toLowerCase()),
    // Blanks of any kind, anywhere.
    fc
      .tuple(place, fc.constantFrom(" ", "\t", "\n", "\r\n", "\u00a0", "\u200b", "\ufeff", "\0"))
      .map(([at, blank]) => token.slice(0, at) + blank + token.slice(at)),
    fc.constantFrom(` ${token}`, `${token} `, `${token}\n`, `"${token}"`, `${token}=`, `${token},${token}`),
    // Parts of two tokens, no part, or the hash for the secret.
    fc.constantFrom(
      `vg_${second.row.id}_${secret}`,
      `vg_${id}_${second.token.slice(16)}`,
      `vg_${secret.slice(0, 12)}_${secret}`,
      `vg_${id}_`,
      `vg_${id}_${" ".repeat(32)}`,
      `vg_${id}_${"A".repeat(32)}`,
      `vg_${id}_${first.row.secretHash}`,
      `vg_${id}_${first.row.secretHash.slice(0, 32)}`,
      `vg_${"A".repeat(12)}_${secret}`,
      `vg__${secret}`,
      `${id}_${secret}`,
      "vg__",
      "",
    ),
    // Letters that look the same.
    place.map((at) => token.slice(0, at) + String.fromCodePoint(token.codePointAt(at)! + 0xfee0) + token.slice(at + 1)),
    place.map((at) => `${token.slice(0, at + 1)}\u0301${token.slice(at + 1)}`),
    fc.string({ unit: "binary" }),
  );

  test("as a header", () => {
    expect(authenticate(store, header(token), now)).toBeDefined();
    fc.assert(
      fc.property(nearMisses, (text) => {
        fc.pre(text !== token);
        expect(authenticate(store, header(text), now)).toBeUndefined();
      }),
      { numRuns: 3_000 },
    );
  });

  test("nor a token in something close to a header", () => {
    const schemes = [
      "",
      "Bearer",
      "Bearer  ",
      " Bearer ",
      "Bearer\t",
      "Bearer\u00a0",
      "Basic ",
      "Token ",
      "Bearer: ",
      "Bearer Bearer ",
      "Bea\u212aer ",
      "\0Bearer ",
    ];
    for (const scheme of schemes) expect(authenticate(store, scheme + token, now)).toBeUndefined();
    for (const other of [undefined, "", "Bearer", "Bearer "]) expect(authenticate(store, other, now)).toBeUndefined();
  });

  test("as a code", () => {
    const code = make({ oneTime: true });
    fc.assert(
      fc.property(nearMisses, (text) => {
        const close = code.token.slice(0, 3) + text.slice(3);
        fc.pre(close !== code.token);
        expect(redeem(store, close, now)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
    expect(redeem(store, code.token, now)).toBeDefined();
  });

  test("and what cannot be a token is not looked up: a megabyte costs as much as a few letters", () => {
    const lookUp = vi.spyOn(store, "token");
    const exec = vi.spyOn(RegExp.prototype, "exec");
    for (const long of ["x".repeat(1 << 20), token.repeat(20_000), `vg_${"_".repeat(1 << 20)}`, " ".repeat(1 << 20)]) {
      expect(authenticate(store, header(long), now)).toBeUndefined();
      expect(authenticate(store, long, now)).toBeUndefined();
      expect(redeem(store, long, now)).toBeUndefined();
    }
    expect(exec).not.toHaveBeenCalled();
    expect(lookUp).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  test("an unknown id takes the same steps as a known one", async () => {
    const compared = vi.fn((left: Uint8Array, right: Uint8Array) => left.length === right.length);
    vi.resetModules();
    vi.doMock("node:crypto", async (original) => ({ ...(await original<object>()), timingSafeEqual: compared }));
    const { authenticate: watched } = await import("./tokens.ts");
    vi.doUnmock("node:crypto");
    expect(watched(store, header(`vg_${"A".repeat(12)}_${secret}`), now)).toBeUndefined();
    expect(compared).toHaveBeenCalledTimes(1);
    watched(store, header(token), now);
    expect(compared.mock.calls.map((pair) => pair.map(({ length }) => length))).toEqual([
      [32, 32],
      [32, 32],
    ]);
  });
});
