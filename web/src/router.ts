/** Reads and writes the current place in the dashboard as the part of the address after `#`, which is never sent to the service. */
import { useEffect, useState } from "preact/hooks";

export type DatasetPage = "data" | "plan" | "release" | "ledger" | "published";

export type Place =
  | { readonly page: "home" }
  | { readonly page: "add" }
  | { readonly page: "paper"; readonly figure: string | null }
  | { readonly page: "dataset"; readonly dataset: string; readonly tab: DatasetPage };

export interface Route {
  readonly place: Place;
  /** Settings of the page, such as a chosen loss. */
  readonly query: URLSearchParams;
}

export const DATASET_PAGES: readonly DatasetPage[] = ["data", "plan", "release", "ledger", "published"];

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#/, "").split("?", 2);
  const [first, second, third] = path.split("/").filter(Boolean).map(decoded);
  return { place: placeOf(first, second, third), query: new URLSearchParams(search) };
}

function placeOf(first?: string, second?: string, third?: string): Place {
  if (first === "add") return { page: "add" };
  if (first === "paper") return { page: "paper", figure: second ?? null };
  if (first === "d" && second !== undefined && second !== "") {
    const tab = DATASET_PAGES.find((each) => each === third) ?? "data";
    return { page: "dataset", dataset: second, tab };
  }
  return { page: "home" };
}

export function hrefOf(place: Place, query?: Readonly<Record<string, string>> | URLSearchParams): string {
  const search = new URLSearchParams(query).toString();
  return `#${pathOf(place)}${search === "" ? "" : `?${search}`}`;
}

function pathOf(place: Place): string {
  switch (place.page) {
    case "home":
      return "/";
    case "add":
      return "/add";
    case "paper":
      return place.figure === null ? "/paper" : `/paper/${encodeURIComponent(place.figure)}`;
    case "dataset":
      return `/d/${encodeURIComponent(place.dataset)}/${place.tab}`;
  }
}

export function goTo(place: Place, query?: Readonly<Record<string, string>> | URLSearchParams): void {
  location.hash = hrefOf(place, query);
}

/** The address follows what is shown: `push` is a step that Back undoes, `replace` is not. */
export function changeQuery(query: Readonly<Record<string, string>> | URLSearchParams, how: "push" | "replace"): void {
  const { place } = parseRoute(location.hash);
  const href = hrefOf(place, query);
  if (href === location.hash) return;
  if (how === "push") history.pushState(null, "", href);
  else history.replaceState(null, "", href);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("popstate", follow);
    };
  }, []);
  return parseRoute(hash);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
