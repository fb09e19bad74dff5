/** Renders the frame of every page: who is signed in, navigation, and failures. */
import { useEffect, useState } from "preact/hooks";
import { fetchWhenIdle, lazyPage } from "./lazy-page.tsx";
import { HomePage } from "./pages/home.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { Failure } from "./parts/failure.tsx";
import { Loading } from "./parts/loading.tsx";
import { TopBar } from "./parts/top-bar.tsx";
import { goTo, type Place, type Route, useRoute } from "./router.ts";
import { codeInAddress, mayResume, resumeSession, type Session, SIGN_IN_WANTED, signOut } from "./session.ts";
import { useAsync } from "./use-async.ts";
import { useFileDrop } from "./use-file-drop.ts";

const AddPage = lazyPage(() => import("./pages/add.tsx").then((page) => page.AddPage));
const DataPage = lazyPage(() => import("./pages/data.tsx").then((page) => page.DataPage));
const PlanPage = lazyPage(() => import("./pages/plan.tsx").then((page) => page.PlanPage));
const ReleasePage = lazyPage(() => import("./pages/release.tsx").then((page) => page.ReleasePage));
const LedgerPage = lazyPage(() => import("./pages/ledger.tsx").then((page) => page.LedgerPage));
const PublishedPage = lazyPage(() => import("./pages/published.tsx").then((page) => page.PublishedPage));
const PaperPage = lazyPage(() => import("./pages/paper.tsx").then((page) => page.PaperPage));

export function App() {
  const route = useRoute();
  const [signedIn, setSignedIn] = useState<Session | null>(null);
  const { answer, again } = useAsync(resumeSession, []);
  const [expected] = useState(mayResume);
  const session = signedIn ?? (answer.state === "ready" ? answer.value : undefined);
  const enter = (next: Session): void => {
    setSignedIn(next);
    // Whoever was here before may have been allowed more.
    if (next.role !== "curator" && isForCurators(route.place)) goTo({ page: "home" });
  };
  const leave = (): void => {
    signOut();
    setSignedIn(null);
    again();
  };
  useEffect(() => {
    if (answer.state === "ready" && answer.value !== undefined) setSignedIn(answer.value);
  }, [answer]);
  // An address with a code, pasted where the dashboard is open already, loads nothing anew.
  useEffect(() => {
    const redeem = (): void => {
      if (codeInAddress() !== null) again();
    };
    addEventListener("hashchange", redeem);
    return () => removeEventListener("hashchange", redeem);
  }, []);
  useFileDrop(session?.role === "curator");
  useEffect(fetchWhenIdle, []);
  useEffect(() => {
    addEventListener(SIGN_IN_WANTED, leave);
    return () => removeEventListener(SIGN_IN_WANTED, leave);
  }, []);
  // A change of settings within a page is no change of place.
  useEffect(() => {
    document.title = titleOf(route);
    document.getElementById("content")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [JSON.stringify(route.place)]);
  return (
    <>
      <button type="button" class="skip" onClick={skipToContent}>
        Skip to content
      </button>
      <TopBar route={route} session={session} isExpected={expected && answer.state === "loading"} onLeave={leave} />
      <main id="content" tabIndex={-1}>
        {session !== undefined ? (
          <Page route={route} session={session} />
        ) : route.place.page === "paper" ? (
          <PaperPage figure={route.place.figure} query={route.query} />
        ) : answer.state === "loading" ? (
          <Loading what="the dashboard" />
        ) : (
          <SignInPage onSignedIn={enter} error={answer.state === "failed" ? answer.error : undefined} />
        )}
      </main>
    </>
  );
}

function isForCurators(place: Place): boolean {
  return place.page === "add" || (place.page === "dataset" && place.tab !== "published");
}

function Page({ route: { place, query }, session }: { route: Route; session: Session }) {
  if (session.role !== "curator" && isForCurators(place)) return <ForCurators />;
  if (place.page === "paper") return <PaperPage figure={place.figure} query={query} />;
  if (place.page === "home") return <HomePage session={session} />;
  if (place.page === "add") return <AddPage session={session} />;
  const { dataset, tab } = place;
  const props = { key: dataset, dataset, session, query };
  if (tab === "published") return <PublishedPage {...props} />;
  if (tab === "data") return <DataPage {...props} />;
  if (tab === "plan") return <PlanPage {...props} />;
  if (tab === "release") return <ReleasePage {...props} />;
  return <LedgerPage {...props} />;
}

function ForCurators() {
  return (
    <Failure
      error={new Error("This page is for curators. With your token you can read what is released.")}
      title="Not for analysts"
    />
  );
}

/** The address belongs to the pages, so this is no link. */
function skipToContent(): void {
  document.getElementById("content")?.focus();
}

function titleOf({ place }: Route): string {
  if (place.page === "dataset") return `${place.dataset}: ${place.tab} · Veilgrid`;
  return place.page === "home" ? "Veilgrid" : `${place.page === "add" ? "Add data" : "The paper"} · Veilgrid`;
}
