/** A release's last step: texts become final, and what is final is the only thing that is given out. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type Books, checkPlan, type ReleaseName, releaseNamed } from "./books.ts";
import { appendToJournal } from "./journal.ts";
import type { LedgerState, ReleaseRow } from "./store.ts";
import { checkText, sha256 } from "./texts.ts";

export interface CommitRequest extends ReleaseName {
  readonly planHash: string;
  readonly parts: Iterable<readonly [part: string, text: string]>;
}

export interface CommittedRequest extends ReleaseName {
  readonly parts?: readonly string[] | undefined;
}

/** What may be disclosed: these bytes, never the caller's own copy. */
export interface Committed {
  readonly planHash: string;
  readonly header: string;
  readonly texts: ReadonlyMap<string, string>;
}

/** Makes texts final, and returns what is stored: a part keeps the first text it was committed with (docs/mathematics.md, Theorem 14). Disclose what this returns, nothing else. */
export async function commit(books: Books, request: CommitRequest): Promise<Committed> {
  const texts = new Map(request.parts);
  for (const text of texts.values()) checkText(text, "a part's text");
  return books.store.transact(async (state) => {
    const release = await releaseNamed(state, request);
    checkPlan(release, request.planHash);
    const { dataset, key } = release;
    const rows = new Map((await state.parts(dataset, key)).map((row) => [row.part, row]));
    const hashes: Array<[string, string]> = [];
    for (const [part, text] of texts) {
      const row = rows.get(part);
      if (row === undefined || row.state === "void")
        throw new VeilgridError(
          "RESERVATION_VOID",
          `part ${quoteForMessage(part)} of release ${quoteForMessage(key)} is not reserved, or was given up; reserve it again`,
        );
      if (row.state === "committed") continue;
      await state.putPart({ ...row, state: "committed", sha256: sha256(text) }, text);
      hashes.push([part, sha256(text)]);
    }
    if (hashes.length > 0) await appendToJournal(state, books.clock(), { kind: "commit", dataset, key, parts: hashes });
    return committedOf(state, release, [...texts.keys()]);
  });
}

/** The texts of the asked parts that are committed; of all such parts if none are named. Undefined if nothing was reserved under this key. */
export async function committed(books: Books, request: CommittedRequest): Promise<Committed | undefined> {
  return books.store.transact(async (state) => {
    const release = await state.release(request.dataset, request.key);
    if (release === undefined) return undefined;
    // Only what is committed has a text, so that one part among thousands is found at once.
    if (request.parts !== undefined) return committedOf(state, release, [...new Set(request.parts)]);
    const rows = await state.parts(request.dataset, request.key);
    const parts = rows.filter((row) => row.state === "committed").map((row) => row.part);
    return committedOf(state, release, parts);
  }, "read");
}

async function committedOf(state: LedgerState, release: ReleaseRow, parts: readonly string[]): Promise<Committed> {
  return {
    planHash: release.planHash,
    header: release.header,
    texts: await soundTexts(state, release, parts),
  };
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
