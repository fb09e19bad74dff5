/** docs/figures/figures.json, which the dashboard draws, says what the CSV and SVG files beside it say. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type LineChart, lineChart, PRINT_THEME } from "../src/publish/charts/index.ts";

const folder = path.join(import.meta.dirname, "..", "docs", "figures");
const read = (name: string): string => readFileSync(path.join(folder, name), "utf8");

interface Figure {
  readonly id: string;
  readonly chart: LineChart;
  readonly columns: ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<number | null> }>;
}

test("sixteen figures, each with the numbers of its CSV and the drawing of its SVG", () => {
  const text = read("figures.json");
  const { figures } = JSON.parse(text) as { figures: Figure[] };
  expect(figures).toHaveLength(16);
  expect(text).toBe(`${JSON.stringify(JSON.parse(text))}\n`);
  for (const { id, chart, columns } of figures) {
    const rows = columns[0]!.values.map((_, row) => columns.map(({ values }) => values[row] ?? "").join(","));
    expect(`${[columns.map(({ name }) => name).join(","), ...rows].join("\n")}\n`).toBe(read(`${id}.csv`));
    // Eight digits are far finer than a tenth of a pixel, but for one that lies just between two.
    expect(sameDrawing(lineChart(chart, PRINT_THEME), read(`${id}.svg`).trimEnd())).toBe(true);
  }
});

function sameDrawing(one: string, other: string): boolean {
  const numbers = (svg: string): number[] => (svg.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  return (
    one.replace(/\d+(\.\d+)?/g, "") === other.replace(/\d+(\.\d+)?/g, "") &&
    left.every((value, index) => Math.abs(value - right[index]!) < 0.11)
  );
}
