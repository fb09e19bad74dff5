/** Makes, lists, revokes and checks tokens; only a hash of the secret is kept. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { checkLine } from "../../publish/ledger/index.ts";
import type { TokenRow } from "./rows.ts";
import { ServiceStore } from "./store.ts";

const ID_BYTES = 9;
const SECRET_BYTES = 24;
/** Base64url has `_` too: lengths, not separators, say where the id ends. */
const TOKEN = /^vg_([A-Za-z0-9_-]{12})_([A-Za-z0-9_-]{32})$/;
const TOKEN_LENGTH = 48;
const SCHEME = "Bearer ";
const DAY_MS = 86_400_000;
const MOST_DAYS = 3_650;
/** What an unknown id is compared with, so that it takes as long as a known one. No secret is known to have this hash. */
const NOBODY = Buffer.alloc(32);

/** Who asks, once a token was found good. */
export interface Caller extends Pick<TokenRow, "role" | "datasets"> {
  readonly tokenId: string;
}

export interface TokenOptions {
  readonly name: string;
  readonly role: string;
  /** All, if left out. */
  readonly datasets?: readonly string[] | undefined;
  /** Never, if left out; a one-time token lasts a day. */
  readonly expiresDays?: number | undefined;
  readonly oneTime?: boolean | undefined;
}

/** A token's text is shown once, and kept by nobody but its owner. */
type NewToken = ReturnType<typeof drawToken>;

/** Checks options and draws a token that no store knows yet. */
function drawToken(options: TokenOptions, now: Date) {
  const { name, role, datasets, oneTime = false } = options;
  checkLine(name, "--name");
  if (role !== "curator" && role !== "analyst")
    throw new VeilgridError("PARAMETER_INVALID", `--role ${quoteForMessage(role)} is unknown; use curator or analyst`);
  if (datasets?.length === 0)
    throw new VeilgridError("PARAMETER_INVALID", "--datasets names none; leave it out to allow all");
  for (const dataset of datasets ?? []) checkLine(dataset, "--datasets: a name");
  const days = options.expiresDays ?? (oneTime ? 1 : undefined);
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= MOST_DAYS))
    throw new VeilgridError("PARAMETER_INVALID", `--expires-days ${days} is no whole number from 1 to ${MOST_DAYS}`);
  const id = randomBytes(ID_BYTES).toString("base64url");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const row: TokenRow = {
    id,
    name,
    role,
    datasets: datasets === undefined ? null : [...new Set(datasets)],
    secretHash: hashOf(secret).toString("hex"),
    created: now.toISOString(),
    expires: days === undefined ? null : new Date(now.getTime() + days * DAY_MS).toISOString(),
    revoked: null,
    oneTime,
  };
  return { token: `vg_${id}_${secret}`, row };
}

export function createToken(store: ServiceStore, options: TokenOptions, now: Date): NewToken {
  const drawn = drawToken(options, now);
  store.putToken(drawn.row);
  return drawn;
}

/** Of `Authorization: Bearer vg_…`; undefined for a token that is wrong, revoked, expired or a one-time one. */
export function authenticate(store: ServiceStore, header: string | undefined, now: Date): Caller | undefined {
  // Its length first: nobody makes us look at a megabyte.
  if (header?.length !== SCHEME.length + TOKEN_LENGTH) return undefined;
  // Schemes are read in any case (RFC 9110, 11.1); tokens are not.
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME.toLowerCase()) return undefined;
  const row = goodToken(store, header.slice(SCHEME.length), now);
  if (row === undefined || row.oneTime) return undefined;
  return { tokenId: row.id, role: row.role, datasets: row.datasets };
}

/** A one-time token becomes a lasting one of the same role and datasets, for a day. */
export function redeem(store: ServiceStore, code: string, now: Date): NewToken | undefined {
  const row = goodToken(store, code, now);
  // The store decides who is first. A crash after this costs a code, and gives nothing to anyone.
  if (!row?.oneTime || !store.redeemToken(row.id, now.toISOString())) return undefined;
  const { name, role, datasets } = row;
  return createToken(store, { name, role, datasets: datasets ?? undefined, expiresDays: 1 }, now);
}

export function mayUse(caller: Caller, dataset: string): boolean {
  return caller.datasets === null || caller.datasets.includes(dataset);
}

/** The id in a token's text, or in the better part of one; of anything else, the text itself. */
export function tokenIdIn(text: string): string {
  return /^\s*vg_([A-Za-z0-9_-]{12})_/.exec(text)?.[1] ?? text;
}

function goodToken(store: ServiceStore, text: string, now: Date): TokenRow | undefined {
  const [, id, secret] = (text.length === TOKEN_LENGTH && TOKEN.exec(text)) || [];
  if (id === undefined || secret === undefined) return undefined;
  const row = store.token(id);
  const expected = row === undefined ? NOBODY : Buffer.from(row.secretHash, "hex");
  const same = timingSafeEqual(hashOf(secret), expected);
  return same && row !== undefined && isValid(row, now) ? row : undefined;
}

/** A date that cannot be read counts as past. */
function isValid(row: TokenRow, now: Date): boolean {
  return row.revoked === null && (row.expires === null || now.getTime() < Date.parse(row.expires));
}

/** The secret is random, not a password: one round is enough. */
function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** As flags give it, all as text. */
type Flags<Name extends string> = { readonly [Flag in Name]?: string | undefined };

/** What may be said of a token: everything but its hash. */
export interface TokenFacts extends Omit<TokenRow, "secretHash"> {
  readonly state: "valid" | "expired" | "revoked" | "used";
}

/** Makes the state folder where there is none; what is refused is refused before that. */
export function tokenCreate(
  options: Flags<"state" | "name" | "role" | "datasets" | "expiresDays">,
  now: Date,
): { readonly token: string; readonly facts: TokenFacts } {
  const state = stateOf(options);
  const drawn = drawToken(
    {
      role: needed(options.role, "--role", "curator, who plans and releases, or analyst, who asks"),
      name: needed(options.name, "--name", "whose token it is, for the list"),
      datasets: options.datasets?.split(",").map((name) => name.trim()),
      expiresDays: daysOf(options.expiresDays),
    },
    now,
  );
  using store = ServiceStore.open(state, { create: true });
  store.putToken(drawn.row);
  return { token: drawn.token, facts: factsOf(drawn.row, now) };
}

/** In the order they were made. */
export function tokenList(options: Flags<"state">, now: Date): TokenFacts[] {
  using store = ServiceStore.open(stateOf(options));
  return store.tokens().map((row) => factsOf(row, now));
}

/** Revoked for good, from the next request on; one that was revoked before stays as it was. */
export function tokenRevoke(options: Flags<"state" | "id">, now: Date): TokenFacts {
  const state = stateOf(options);
  // A whole token is taken for its id, and its secret is not repeated in a message.
  const id = tokenIdIn(needed(options.id, "--id", "which token; veilgrid token list shows them"));
  using store = ServiceStore.open(state);
  store.revokeToken(id, now.toISOString());
  const row = store.token(id);
  if (row === undefined)
    throw new VeilgridError("NOT_FOUND", `there is no token ${quoteForMessage(id)}; veilgrid token list shows them`);
  return factsOf(row, now);
}

function factsOf(row: TokenRow, now: Date): TokenFacts {
  const { secretHash, ...facts } = row;
  const ended = row.revoked === null ? "expired" : row.oneTime ? "used" : "revoked";
  return { ...facts, state: isValid(row, now) ? "valid" : ended };
}

function stateOf({ state }: Flags<"state">): string {
  // An empty name would be the folder we are in.
  return needed(state || undefined, "--state", "the folder in which the service keeps tokens, plans and the ledger");
}

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw new VeilgridError(
      "PARAMETER_INVALID",
      `--expires-days ${quoteForMessage(text)} is no whole number of days; write it like 90`,
    );
  return Number(text);
}

function needed(value: string | undefined, flag: string, what: string): string {
  if (value === undefined) throw new VeilgridError("USAGE", `${flag} is missing: ${what}`);
  return value;
}
