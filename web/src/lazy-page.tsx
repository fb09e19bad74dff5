/** Loads pages when they are first wanted, or when the browser is idle. */
import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "./parts/failure.tsx";
import { Loading } from "./parts/loading.tsx";
import { useAsync } from "./use-async.ts";

const waiting: Array<() => Promise<unknown>> = [];

export function lazyPage<Props extends object>(fetchPage: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let fetched: ComponentType<Props> | undefined;
  const fetchOnce = async (): Promise<ComponentType<Props>> => {
    fetched ??= await fetchPage();
    return fetched;
  };
  waiting.push(fetchOnce);
  return function OnDemand(props: Props) {
    // As it was when it first appeared: a page that was waited for must not start anew when its settings change.
    const [{ Page }] = useState(() => ({ Page: fetched }));
    if (Page !== undefined) return <Page {...props} />;
    return <Fetching fetchOnce={fetchOnce} props={props} />;
  };
}

function Fetching<Props extends object>({
  fetchOnce,
  props,
}: {
  fetchOnce: () => Promise<ComponentType<Props>>;
  props: Props;
}) {
  // In an object, because a component is a function, and states call functions.
  const { answer, again } = useAsync(async () => ({ Page: await fetchOnce() }), []);
  if (answer.state === "loading") return <Loading what="the page" />;
  if (answer.state === "failed") return <Failure error={answer.error} onRetry={again} />;
  const { Page } = answer.value;
  return <Page {...props} />;
}

/** So that every page is there even if the connection is lost later. */
export function fetchWhenIdle(): void {
  const idle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 500));
  idle(() => {
    for (const fetchOnce of waiting) fetchOnce().catch(() => undefined);
  });
}
