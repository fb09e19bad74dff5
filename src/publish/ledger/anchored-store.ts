/** A ledger whose journal head is remembered outside it, so that an older copy in its place is refused. */
import { checkHead, headText } from "./journal-head.ts";
import type { LedgerState, LedgerStore } from "./store.ts";

export interface LedgerAnchor {
  /** The head that the ledger must contain; undefined if none was seen yet. */
  read(): string | undefined;
  /** Called after each transaction that may have written. */
  keep(head: string): void;
}

export class AnchoredStore implements LedgerStore {
  readonly #store: LedgerStore;
  readonly #anchor: LedgerAnchor;
  #isChecked = false;

  constructor(store: LedgerStore, anchor: LedgerAnchor) {
    this.#store = store;
    this.#anchor = anchor;
  }

  /** Looks before the first transaction and before each that writes. */
  async transact<Result>(
    work: (state: LedgerState) => Promise<Result>,
    mode: "write" | "read" = "write",
  ): Promise<Result> {
    if (mode === "read" && this.#isChecked) return this.#store.transact(work, mode);
    const { result, head } = await this.#store.transact(async (state) => {
      const seen = this.#anchor.read();
      if (seen !== undefined) await checkHead(state, seen);
      return { result: await work(state), head: headText(await state.lastLine()) };
    }, mode);
    this.#isChecked = true;
    this.#anchor.keep(head);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
  }
}
