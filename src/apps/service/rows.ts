/** The rows of the state: tokens, datasets, plans and jobs. */
import type { RecordsTexts } from "../../core/options/index.ts";

export type Role = "curator" | "analyst";

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** null: all datasets. */
  readonly datasets: readonly string[] | null;
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string;
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
  /** May be exchanged once for a lasting token; of no other use. */
  readonly oneTime: boolean;
}

export interface ServedDataset {
  readonly name: string;
  /** Absolute real path, or a glob inside a data folder. */
  readonly source: string;
  /** What `--config` would say of columns, grids and filters. */
  readonly recipe: RecordsTexts;
  /** `0,65`. */
  readonly bounds: string;
  readonly statistics: string | null;
  readonly unit: string | null;
  /** The plan that questions are answered under, and its release key; null until a curator sets one. */
  readonly plan: string | null;
  readonly key: string | null;
  /** Analysts get only what is released already. */
  readonly onlyReleased: boolean;
  readonly created: string;
}

type JobKind = "survey" | "plan" | "compare" | "release";
type JobState = "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";

export interface JobRow {
  readonly id: string;
  readonly kind: JobKind;
  readonly dataset: string;
  readonly wishes: Readonly<Record<string, unknown>>;
  readonly state: JobState;
  readonly created: string;
  readonly started: string | null;
  readonly ended: string | null;
  /** JSON; null until done. */
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface PlanRow {
  readonly hash: string;
  readonly dataset: string;
  readonly created: string;
  /** JSON, as `plan --json` gives it. */
  readonly summary: unknown;
}
