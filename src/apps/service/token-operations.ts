/** Tokens from a command line: made, listed and revoked in a state folder, beside a running service or before there is one. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { TokenRow } from "./rows.ts";
import { ServiceStore } from "./store.ts";
import { drawToken, isValid, tokenIdIn } from "./tokens.ts";

/** As flags give it. */
export interface StateOptions {
  readonly state?: string | undefined;
}

export interface TokenCreateOptions extends StateOptions {
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  /** `city,region`; all if left out. */
  readonly datasets?: string | undefined;
  readonly expiresDays?: string | undefined;
}

export interface TokenRevokeOptions extends StateOptions {
  readonly id?: string | undefined;
}

export type TokenState = "valid" | "expired" | "revoked" | "used";

/** What may be said of a token: everything but its hash. */
export interface TokenFacts extends Omit<TokenRow, "secretHash"> {
  readonly state: TokenState;
}

/** Makes the state folder where there is none; what is refused is refused before that. */
export function tokenCreate(
  options: TokenCreateOptions,
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
export function tokenList(options: StateOptions, now: Date): TokenFacts[] {
  using store = ServiceStore.open(stateOf(options));
  return store.tokens().map((row) => factsOf(row, now));
}

/** Revoked for good, from the next request on; one that was revoked before stays as it was. */
export function tokenRevoke(options: TokenRevokeOptions, now: Date): TokenFacts {
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

function stateOf({ state }: StateOptions): string {
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
