/** The bar above every page: name, pages of the dataset, and the switches that are always there. */
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
  onLeave,
}: {
  route: Route;
  session: Session | undefined;
  onLeave: () => void;
}) {
  const tabs = session?.role === "curator" ? DATASET_PAGES : (["published"] as const);
  return (
    <header class="top-bar">
      <a class="brand" href={hrefOf({ page: "home" })} aria-label="Veilgrid: all datasets">
        <img src={logo} alt="" width="28" height="28" />
        <b>Veilgrid</b>
      </a>
      {place.page === "dataset" && session !== undefined ? (
        <nav class="tabs" aria-label={`Pages of ${place.dataset}`}>
          <span class="dataset-name" title={place.dataset}>
            {place.dataset}
          </span>
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
        <span class="tabs" />
      )}
      <nav class="always" aria-label="Everywhere">
        <a href={hrefOf({ page: "paper", figure: null })} aria-current={place.page === "paper" ? "page" : undefined}>
          Paper
        </a>
        <a href="/docs">API</a>
        <ThemeSwitch />
        {session === undefined ? null : <SignOut asks={session.role === "curator"} onLeave={onLeave} />}
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
