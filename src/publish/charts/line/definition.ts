/** Defines what a line chart is made of: plain data. */
import type { ScaleKind } from "../scales.ts";

/** A rectangle of the picture, in pixels. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface ChartAxis {
  /** With unit. */
  readonly label: string;
  readonly scale: ScaleKind;
  /** Unset: from points, spreads, rules and the ends of regions, with a little room above; a linear axis starts at 0. */
  readonly domain?: readonly [number, number] | undefined;
}

export interface LinePoint {
  readonly x: number;
  readonly y: number;
  /** Where its spread begins and ends, drawn as a light band. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

export interface ChartLine {
  readonly label: string;
  /** Below the label, such as where the line ends; "" for none. */
  readonly detail: string;
  /** Which of the theme's colours. */
  readonly colour: number;
  readonly dash: "solid" | "dashed" | "dotted";
  /** The line to look at. */
  readonly strong: boolean;
  /** A shape at every point, another for every colour. */
  readonly markers: boolean;
  /** Ascending x; a number that is not finite, or not positive on a logarithmic axis, interrupts the line. */
  readonly points: readonly LinePoint[];
}

/** A part of the plot that means something: shaded, labelled inside. */
export interface ChartRegion {
  readonly axis: "x" | "y";
  /** null: to the edge. */
  readonly from: number | null;
  readonly to: number | null;
  readonly label: string;
  readonly tone: "warning" | "neutral";
}

export interface ChartRule {
  readonly axis: "x" | "y";
  readonly at: number;
  readonly label: string;
  readonly tone: "warning" | "neutral";
}

export interface LineChart {
  /** Unique on a page; letters, digits, hyphens. */
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  readonly lines: readonly ChartLine[];
  readonly regions: readonly ChartRegion[];
  readonly rules: readonly ChartRule[];
  /** Small print below the plot, such as what bands are; "" for none. */
  readonly note: string;
}

/** What is asked for; names of lines are at their ends, or in a legend where that leaves too little for the plot. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
  /** `none`: the page names the lines itself. */
  readonly names?: "ends" | "legend" | "none" | undefined;
  /** Between the edge of the paper and any text; less on a page, whose card has its own. */
  readonly margin?: number | undefined;
}
