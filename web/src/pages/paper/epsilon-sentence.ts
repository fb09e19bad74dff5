/** Describes in sentences what a figure's lines say at one ε. */
import { type LineChart, type LineReading, readingsAt } from "../../../../src/publish/charts/index.ts";
import { formatNumber, formatPercent } from "../../format.ts";

export function epsilonSentence(chart: LineChart, epsilon: number): string {
  const readings = readingsAt(chart, epsilon).filter(({ y }) => y !== null);
  if (readings.length === 0) return `At ε = ${formatNumber(epsilon)} no line is drawn.`;
  const told = readings.map(toldOf);
  return [
    `At ε = ${formatNumber(epsilon)}: ${told.join("; ")}.`,
    ...comparison(readings),
    ...againstMidpoints(chart, readings),
  ].join(" ");
}

/** For keeping room: nothing below moves when ε does. */
export function longestSentence(chart: LineChart, epsilons: readonly number[]): string {
  return epsilons
    .map((epsilon) => epsilonSentence(chart, epsilon))
    .reduce((longest, each) => (each.length > longest.length ? each : longest), "");
}

function toldOf({ line, y, low, high, exact }: LineReading): string {
  const spread =
    low === undefined || high === undefined || low === high
      ? ""
      : ` (${formatNumber(low)} to ${formatNumber(high)} over the draws)`;
  return `${quoted(line.label)} is ${exact ? "" : "about "}${formatNumber(y ?? NaN)}${spread}`;
}

/** The line to look at, held against the one it wants to beat: the grey one that is no mere count. */
function comparison(readings: readonly LineReading[]): string[] {
  const strong = readings.find(({ line }) => line.strong);
  const base = readings.find(({ line }) => line.colour === 0 && line.dash !== "dotted");
  if (strong === undefined || base === undefined || base.y === 0) return [];
  const less = 1 - (strong.y ?? NaN) / (base.y ?? NaN);
  const names = [strong, base].map(({ line }) => quoted(line.label)) as [string, string];
  if (Math.abs(less) < 0.0005) return [`${names[0]} is the same as ${names[1]}.`];
  return [`${names[0]} is ${formatPercent(Math.abs(less))} ${less > 0 ? "below" : "above"} ${names[1]}.`];
}

/** Where the figure has the line of what can be published without any data. */
function againstMidpoints({ rules }: LineChart, readings: readonly LineReading[]): string[] {
  const free = rules.find(({ axis, tone }) => axis === "y" && tone === "warning");
  if (free === undefined) return [];
  const better = readings.filter(({ y }) => (y ?? Infinity) < 0.9995 * free.at).map(({ line }) => quoted(line.label));
  const midpoints = `publishing midpoints (${formatNumber(free.at)})`;
  if (better.length === 0) return [`None of them guarantees more than ${midpoints}, which needs no data.`];
  if (better.length === readings.length) return [`All of them guarantee more than ${midpoints}.`];
  return [
    `Of them, only ${better.join(" and ")} ${better.length === 1 ? "guarantees" : "guarantee"} more than ${midpoints}.`,
  ];
}

function quoted(label: string): string {
  return `“${label}”`;
}
