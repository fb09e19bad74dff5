/** Colours and letters of a chart that stands on its own: one theme for print, one for pages that are light or dark. */
export interface ChartTheme {
  readonly paper: string;
  readonly ink: string;
  readonly inkSoft: string;
  readonly grid: string;
  readonly warning: string;
  /** In the same order of hues in every theme: grey, blue, vermilion, green, purple, ochre, sky, black. */
  readonly lines: readonly string[];
  readonly font: string;
}

/** The first is in assets/fonts; the others are about as wide. */
const FONT = "'Source Sans 3', 'Source Sans Pro', 'Segoe UI', 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";

/** On white. Okabe and Ito's hues, told apart by most eyes, darkened until they can be read as text. */
export const PRINT_THEME: ChartTheme = {
  paper: "#ffffff",
  ink: "#1a1a1a",
  inkSoft: "#5a5f66",
  grid: "#dfe2e6",
  warning: "#a63a1e",
  lines: ["#666b72", "#0067a5", "#c24a00", "#007a59", "#a3467a", "#8f6400", "#2a7fb0", "#1a1a1a"],
  font: FONT,
};

/** In the page's custom properties. */
export const PAGE_THEME: ChartTheme = {
  paper: "var(--card)",
  ink: "var(--ink)",
  inkSoft: "var(--ink-soft)",
  grid: "var(--line)",
  warning: "var(--accent-2)",
  lines: ["var(--ink-soft)", "#2b83c9", "#d4621a", "#23936d", "#b85c94", "#a87a14", "#4a94c4", "var(--ink)"],
  font: FONT,
};
