/** Shows the bar above every page: name, pages of the dataset, and the switches that are always there. */
import { useState } from "preact/hooks";
import logo from "../logo.svg";
import { DATASET_PAGES, hrefOf, type Route } from "../router.ts";
import type { Session } from "../session.ts";
import { Dialog } from "./dialog.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

const NAMES = { data: "Data", plan: "Plan", release: "Release", ledger: "Ledger", published: "Published" } as const;

export function TopBar({
  route: { place },
  session,
  isExpected,
  onLeave,
}: {
  route: Route;
  session: Session | undefined;
  /** Somebody is being signed in: room is kept for what they will see. */
  isExpected: boolean;
  onLeave: () => void;
}) {
  const tabs = session?.role === "curator" ? DATASET_PAGES : (["published"] as const);
  const isRoomKept = session === undefined && isExpected;
  return (
    <header class="top-bar">
      <a class="brand" href={hrefOf({ page: "home" })} aria-label="Veilgrid: all datasets">
        <img src={logo} alt="" width="28" height="28" />
        <b>Veilgrid</b>
      </a>
      {place.page === "dataset" && (session !== undefined || isRoomKept) ? (
        <span class="dataset-name" title={place.dataset}>
          {place.dataset}
        </span>
      ) : null}
      {place.page === "dataset" && session !== undefined ? (
        <nav class="tabs" aria-label={`Pages of ${place.dataset}`}>
          {tabs.map((tab) => (
            <a
              key={tab}
              href={hrefOf({ page: "dataset", dataset: place.dataset, tab })}
              aria-current={place.tab === tab ? "page" : undefined}
            >
              {NAMES[tab]}
            </a>
          ))}
        </nav>
      ) : (
        <span class={place.page === "dataset" && isRoomKept ? "tabs kept" : "tabs"} />
      )}
      <nav class="always" aria-label="Everywhere">
        <a href={hrefOf({ page: "paper", figure: null })} aria-current={place.page === "paper" ? "page" : undefined}>
          Paper
        </a>
        <a href="/docs">API</a>
        <ThemeSwitch />
        {session !== undefined ? (
          <SignOut asks={session.role === "curator"} onLeave={onLeave} />
        ) : isRoomKept ? (
          <button type="button" class="quiet kept">
            Sign out
          </button>
        ) : null}
      </nav>
    </header>
  );
}

/** Asks those whose address works only once. */
function SignOut({ asks, onLeave }: { asks: boolean; onLeave: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => (asks ? setAsking(true) : onLeave())}>
        Sign out
      </button>
      {isAsking ? (
        <Dialog
          title="Sign out?"
          onClose={() => setAsking(false)}
          actions={
            <>
              <button type="button" onClick={() => setAsking(false)}>
                Stay
              </button>
              <button type="button" class="primary" onClick={onLeave}>
                Sign out now
              </button>
            </>
          }
        >
          <p>You will need a token or a new address to come back.</p>
        </Dialog>
      ) : null}
    </>
  );
}
