/** The rows of the state: datasets, plans and jobs as callers read them, and tokens. */
import type { Static } from "typebox";
import type { Dataset, Job, Plan, Redeemed } from "./schemas.ts";

/** `datasets` is null for all of them. */
export interface TokenRow extends Readonly<Omit<Static<typeof Redeemed>, "token">> {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string;
  readonly created: string;
  readonly revoked: string | null;
  /** May be exchanged once for a lasting token; of no other use. */
  readonly oneTime: boolean;
}

/** `source` is an absolute real path, a glob inside a data folder, or a table's address; `plan` and its release `key` are null until a curator sets one. */
export type ServedDataset = Readonly<Omit<Static<typeof Dataset>, "surveyed" | "counted" | "warnings">>;

export interface JobRow extends Readonly<Static<typeof Job>> {
  readonly wishes: Readonly<Record<string, unknown>>;
}

export type PlanRow = Readonly<Static<typeof Plan>>;
