/** Keeps showing the last answer while the next one is loading, so that nothing jumps. */
import { useRef } from "preact/hooks";
import type { Async } from "../../use-async.ts";

export function useLastAnswer<Value>(answer: Async<Value>): {
  readonly value: Value | undefined;
  readonly isNew: boolean;
} {
  const kept = useRef<Value | undefined>(undefined);
  if (answer.state === "ready") kept.current = answer.value;
  return { value: kept.current, isNew: answer.state === "ready" };
}
