/** Defines the page's colours for line charts: readable as text in light and dark, set in style/charts.css. */
import { type ChartTheme, PAGE_THEME } from "../../../../src/publish/charts/index.ts";

export const WEB_THEME: ChartTheme = {
  ...PAGE_THEME,
  lines: [
    "var(--ink-soft)",
    "var(--series-1)",
    ...[2, 3, 4, 5, 6].map((number) => `var(--series-${number})`),
    "var(--ink)",
  ],
};
