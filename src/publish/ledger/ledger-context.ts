/** Holds what every rule of the ledger works on, and finds rows by name or says that there are none. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import type { DatasetRow, LedgerState, LedgerStore, ReleaseRow } from "./store.ts";
import { sha256 } from "./stored-text.ts";

export interface LedgerContext {
  readonly store: LedgerStore;
  readonly clock: () => Date;
  /** The curator's secret, for datasets that keep users as hashes. */
  readonly usersKey: string | undefined;
}

export interface ReleaseName {
  readonly dataset: string;
  readonly key: string;
}

export async function datasetNamed(state: LedgerState, name: string): Promise<DatasetRow> {
  const datasets = await state.datasets();
  const found = datasets.find((row) => row.name === name);
  if (found !== undefined) return found;
  const others = datasets.map((row) => quoteForMessage(row.name)).join(", ");
  throw new VeilgridError(
    "LEDGER_NOT_FOUND",
    `the ledger has no dataset ${quoteForMessage(name)}; it has ${others || "none"}; make it with veilgrid ledger init`,
  );
}

export async function releaseNamed(state: LedgerState, { dataset, key }: ReleaseName): Promise<ReleaseRow> {
  const found = await state.release((await datasetNamed(state, dataset)).name, key);
  if (found !== undefined) return found;
  throw new VeilgridError(
    "LEDGER_NOT_FOUND",
    `dataset ${quoteForMessage(dataset)} has no release ${quoteForMessage(key)}; see its keys with veilgrid ledger show`,
  );
}

/** Refuses, with KEY_CONFLICT, a release key that belongs to another plan (docs/mathematics.md, Theorem 14). */
export function checkPlan(release: ReleaseRow, planHash: string): void {
  if (release.planHash === planHash) return;
  throw new VeilgridError(
    "KEY_CONFLICT",
    `release ${quoteForMessage(release.key)} belongs to plan ${release.planHash.slice(0, 12)}, not to ${planHash.slice(0, 12)}; choose another --key`,
  );
}

/** Texts as they were committed. What was altered since is not given out as if it had been released. */
export async function soundTexts(
  state: LedgerState,
  { dataset, key }: ReleaseName,
  parts: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [part, { text, sha256: recorded }] of await state.texts(dataset, key, parts)) {
    if (sha256(text) !== recorded)
      throw new VeilgridError(
        "LEDGER_UNAVAILABLE",
        `part ${quoteForMessage(part)} of release ${quoteForMessage(key)} is not the text that was committed: the ledger was altered, and nothing of this release is given out; run veilgrid ledger verify`,
      );
    texts.set(part, text);
  }
  return texts;
}
