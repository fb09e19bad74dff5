/** Chooses the light, dark or system theme, and keeps it for the next visit. */
import { useState } from "preact/hooks";

type Theme = "auto" | "light" | "dark";

const KEPT_AS = "veilgrid-theme";
const NEXT = { auto: "dark", dark: "light", light: "auto" } as const;
const SIGNS = { auto: "◐", light: "☀", dark: "☾" } as const;

function keptTheme(): Theme {
  const kept = localStorage.getItem(KEPT_AS);
  return kept === "light" || kept === "dark" ? kept : "auto";
}

export function applyTheme(theme: Theme = keptTheme()): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState(keptTheme);
  const change = (): void => {
    const next = NEXT[theme];
    if (next === "auto") localStorage.removeItem(KEPT_AS);
    else localStorage.setItem(KEPT_AS, next);
    applyTheme(next);
    setTheme(next);
  };
  const name = theme === "auto" ? "as the system" : theme;
  return (
    <button type="button" class="quiet" onClick={change} aria-label={`Colours: ${name}`} title={`Colours: ${name}`}>
      {SIGNS[theme]}
    </button>
  );
}
