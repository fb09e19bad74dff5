/** Draws error against loss in characters, for a terminal of 80 columns. */

export interface PlotLine {
  /** One character. */
  readonly mark: string;
  readonly label: string;
  /** Ascending by loss, all above 0. */
  readonly points: ReadonlyArray<{ readonly loss: number; readonly error: number }>;
}

export interface TerminalPlot {
  /** Later lines are drawn over earlier ones. */
  readonly lines: readonly PlotLine[];
  readonly free: { readonly error: number; readonly label: string };
  /** Losses to write below the axis. */
  readonly losses: readonly number[];
  format(value: number): string;
}

const COLUMNS = 64;
const ROWS = 17;
const HEADROOM = 1.2;
const MARGIN = 10;

export function terminalPlot({ lines, free, losses, format }: TerminalPlot): string {
  const points = lines.flatMap((line) => line.points);
  // What is worse than nothing is cut off, unless there is nothing else to show.
  const least = points.reduce((smallest, { error }) => Math.min(smallest, error), Infinity);
  const most = HEADROOM * (least <= HEADROOM * free.error || points.length === 0 ? free.error : least);
  const all = points.filter(({ error }) => error <= most);
  const ends = all.length === 0 ? losses : all.map(({ loss }) => loss);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const span = Math.log(high / low) || 1;
  const column = (loss: number): number => Math.round(((COLUMNS - 1) * Math.log(loss / low)) / span);
  const row = (error: number): number => Math.round((ROWS - 1) * (1 - error / most));
  const canvas = Array.from({ length: ROWS }, () => new Array<string>(COLUMNS).fill(" "));
  const put = (x: number, y: number, mark: string): void => {
    if (x >= 0 && x < COLUMNS) canvas[y]?.splice(x, 1, mark);
  };
  const freeRow = row(free.error);
  for (let x = 0; x < COLUMNS; x++) put(x, freeRow, "┄");
  for (const { points: dots } of lines) {
    for (const [at, from] of dots.entries()) {
      const to = dots[at + 1];
      if (to === undefined) break;
      const [left, right] = [column(from.loss), column(to.loss)];
      for (let x = left + 1; x < right; x++) {
        const share = (x - left) / (right - left);
        // Errors go about with 1/loss: straight lines between logarithms.
        put(x, row(from.error * (to.error / from.error) ** share), "·");
      }
    }
  }
  for (const { points: dots, mark } of lines) for (const { loss, error } of dots) put(column(loss), row(error), mark);
  const label = (y: number): string => {
    if (y === freeRow) return format(free.error);
    return y % 4 === 0 && Math.abs(y - freeRow) > 1 ? format((most * (ROWS - 1 - y)) / (ROWS - 1)) : "";
  };
  return [
    ...canvas.map((cells, y) => `${label(y).padStart(MARGIN)} │${cells.join("")}`.trimEnd()),
    `${" ".repeat(MARGIN)} └${"─".repeat(COLUMNS)}`,
    axis(
      losses.filter((loss) => loss >= low * 0.999 && loss <= high * 1.001).map((loss) => [column(loss), format(loss)]),
    ),
    ...lines.map(({ mark, label: name }) => `${" ".repeat(MARGIN)}  ${mark}  ${name}`),
    `${" ".repeat(MARGIN)}  ┄  ${free.label}`,
  ].join("\n");
}

/** Labels centred below their columns; one that would touch the last is left out. */
function axis(labels: ReadonlyArray<readonly [column: number, text: string]>): string {
  let line = "";
  for (const [at, text] of labels) {
    const start = Math.min(MARGIN + 2 + at - Math.floor(text.length / 2), MARGIN + 2 + COLUMNS - text.length);
    if (start < line.length + 1) continue;
    line = line.padEnd(start) + text;
  }
  return line;
}
