/** Follows asynchronous work: pending, done or failed. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export type Async<Value> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "ready"; readonly value: Value };

export interface Asked<Value> {
  readonly answer: Async<Value>;
  /** Ask again, keeping what is shown until the answer is there. */
  again(): void;
}

/** Asks when mounted and whenever `keys` change; an answer that has been overtaken is dropped. */
export function useAsync<Value>(ask: (signal: AbortSignal) => Promise<Value>, keys: readonly unknown[]): Asked<Value> {
  const [answer, setAnswer] = useState<Async<Value>>({ state: "loading" });
  const [round, setRound] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  const seen = useRef<string>("");
  // The keys are the caller's.
  useEffect(() => {
    const key = JSON.stringify(keys);
    if (seen.current !== key) setAnswer({ state: "loading" });
    seen.current = key;
    const mine = new AbortController();
    latest.current(mine.signal).then(
      (value) => !mine.signal.aborted && setAnswer({ state: "ready", value }),
      (error: unknown) => !mine.signal.aborted && setAnswer({ state: "failed", error }),
    );
    return () => mine.abort();
  }, [...keys, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { answer, again };
}
