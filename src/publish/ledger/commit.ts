/** How a release ends: its texts become final, and only they are given out; or what was not finished is given up and refunded. */
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { type Books, checkPlan, type ReleaseName, releaseNamed } from "./books.ts";
import { refund } from "./charges.ts";
import { appendToJournal } from "./journal.ts";
import type { LedgerState, PartRow, ReleaseRow } from "./store.ts";
import { checkText, sha256 } from "./texts.ts";

export interface Voided {
  /** Given up and refunded. */
  readonly parts: readonly string[];
  /** Still reserved and paid for: they were charged as one with parts that are committed. */
  readonly kept: readonly string[];
}

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

/** The texts of the asked parts that are committed, of all such parts if none are named; undefined if there is no such release. */
export async function committed(
  books: Books,
  { dataset, key, parts }: CommittedRequest,
): Promise<Committed | undefined> {
  return books.store.transact(async (state) => {
    const release = await state.release(dataset, key);
    if (release === undefined) return undefined;
    // Only what is committed has a text, so that one part among thousands is found at once.
    if (parts !== undefined) return committedOf(state, release, [...new Set(parts)]);
    const done = (await state.parts(dataset, key)).filter((row) => row.state === "committed");
    return committedOf(
      state,
      release,
      done.map((row) => row.part),
    );
  }, "read");
}

async function committedOf(state: LedgerState, release: ReleaseRow, parts: readonly string[]): Promise<Committed> {
  const { planHash, header } = release;
  return { planHash, header, texts: await soundTexts(state, release, parts) };
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

/** Gives up what is reserved but not committed, and refunds it: nothing of it was ever disclosed (docs/mathematics.md, Theorem 14). */
export async function giveUp(books: Books, request: ReleaseName): Promise<Voided> {
  return books.store.transact(async (state) => {
    const { dataset, key } = await releaseNamed(state, request);
    const rows = await state.parts(dataset, key);
    const spent = new Set(rows.filter((row) => row.state === "committed").map((row) => row.reservation));
    const pending = rows.filter((row) => row.state === "reserved");
    const given = pending.filter((row) => !spent.has(row.reservation));
    if (given.length === 0) throw nothingToVoid(key, pending);
    const ids = new Set(given.map((row) => row.reservation));
    for (const reservation of await state.reservations(dataset, key)) {
      if (!ids.has(reservation.id)) continue;
      await refund(state, reservation);
      await state.putReservation({ ...reservation, refunded: true });
    }
    for (const row of given) await state.putPart({ ...row, state: "void" });
    const parts = given.map((row) => row.part);
    await appendToJournal(state, books.clock(), { kind: "void", dataset, key, parts, reservations: [...ids] });
    return { parts, kept: pending.filter((row) => !ids.has(row.reservation)).map((row) => row.part) };
  });
}

function nothingToVoid(key: string, pending: readonly PartRow[]): VeilgridError {
  const release = `release ${quoteForMessage(key)}`;
  return new VeilgridError(
    "LEDGER_CONFLICT",
    pending.length === 0
      ? `nothing is pending under ${release}; what is committed stays charged`
      : `${release}: the ${pending.length} pending parts were charged as one with committed ones and are paid for; finish them with veilgrid ledger resume`,
  );
}
