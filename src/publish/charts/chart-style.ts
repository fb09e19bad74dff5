/** Colours and fonts of the charts: themes for charts that stand on their own, and the style sheet of those that belong to a page. */
export interface ChartTheme {
  readonly paper: string;
  readonly ink: string;
  readonly inkSoft: string;
  readonly grid: string;
  readonly warning: string;
  /** In the same order of hues in every theme: grey, blue, vermilion, green, purple, ochre, sky, black. */
  readonly lines: readonly [first: string, second: string, ...others: string[]];
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

/** The style sheet of charts with classes; a page sets the custom properties, light or dark. */
export const CHART_STYLE = `
.vg-map{position:relative}
.vg-map svg{display:block;width:100%;height:auto}
.vg-hex{stroke:var(--hex-edge);stroke-width:1;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.vg-hex:hover,.vg-hex.vg-chosen{stroke:var(--ink);stroke-width:2.5}
.vg-fine .vg-hex{stroke-width:.4}
.vg-weak{display:none;fill:none;stroke:#fff;stroke-width:2.5;stroke-linecap:round;paint-order:stroke;pointer-events:none;vector-effect:non-scaling-stroke;filter:drop-shadow(0 0 1px #000)}
.vg-fine .vg-weak{stroke-width:1;filter:none}
.vg-off{display:none}
.vg-scale{position:absolute;left:12px;bottom:10px;border:1.5px solid var(--ink-soft);border-top:0;height:6px;box-sizing:border-box}
.vg-scale span{position:absolute;left:0;bottom:7px;font-size:12px;line-height:1;white-space:nowrap;color:var(--ink-soft)}
.vg-legend{font-size:12px;color:var(--ink-soft)}
.vg-legend i{display:block;height:12px;border-radius:3px;margin:4px 0 3px;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.vg-legend div{display:flex;justify-content:space-between;font-variant-numeric:tabular-nums}
.vg-intervals{display:block;width:100%;overflow:visible;font-size:12px;font-variant-numeric:tabular-nums}
.vg-intervals text{fill:var(--ink-soft)}
.vg-intervals .vg-label,.vg-intervals .vg-value{paint-order:stroke;stroke:var(--card);stroke-width:5px}
.vg-intervals .vg-label{fill:var(--ink);font-family:var(--mono);font-size:11px}
.vg-intervals .vg-value{fill:var(--ink);text-anchor:end}
.vg-intervals .vg-tick{stroke:var(--line);stroke-width:1}
.vg-intervals .vg-reference{stroke:var(--accent-2);stroke-width:1.5;stroke-dasharray:5 4}
.vg-intervals .vg-reference-label{fill:var(--accent-2)}
.vg-intervals .vg-whisker{stroke:var(--accent);stroke-width:3;stroke-linecap:round;opacity:.45}
.vg-intervals circle{fill:var(--accent)}
.vg-intervals .vg-muted .vg-whisker{stroke:var(--ink-soft);opacity:.3}
.vg-intervals .vg-muted circle{fill:var(--card);stroke:var(--ink-soft);stroke-width:1.5}
`;
