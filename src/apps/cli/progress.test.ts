/** The progress line: silent at first, a bar on a terminal, lines elsewhere, never wider than the terminal. */
import { expect, test } from "vitest";
import { ProgressLine } from "./progress.ts";

function watched(options: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = [];
  const clock = { now: 0 };
  const line = new ProgressLine({ ...options, write: (text) => written.push(text) }, () => clock.now);
  return { written, clock, line };
}

test("says nothing in the first second, and not at every step after it", () => {
  const { written, clock, line } = watched({ isTTY: true });
  for (const now of [0, 400, 999]) {
    clock.now = now;
    line.show({ step: "counting", done: now });
  }
  expect(written).toEqual([]);
  for (const now of [1000, 1050, 1099]) {
    clock.now = now;
    line.show({ step: "counting", done: now });
  }
  expect(written).toEqual(["\r\u001b[2Kcounting: 1,000 (1 s)"]);
});

test("draws a bar on a terminal where the end is known, and guesses what is left after a while", () => {
  const { written, clock, line } = watched({ isTTY: true });
  line.show({ step: "figures", done: 0, of: 400 });
  clock.now = 4000;
  line.show({ step: "figures", done: 100, of: 400 });
  expect(written.at(-1)).toBe(`\r\u001b[2Kfigures ${"█".repeat(6)}${"░".repeat(18)} 100 of 400 (4 s)`);
  clock.now = 10_000;
  line.show({ step: "figures", done: 200, of: 400 });
  expect(written.at(-1)).toContain(`${"█".repeat(12)}${"░".repeat(12)} 200 of 400 (10 s, about 10 s left)`);
  line.clear();
  expect(written.at(-1)).toBe("\r\u001b[2K");
});

test("what is left is guessed from the step under way, not from those before it", () => {
  const { written, clock, line } = watched();
  line.show({ step: "first", done: 0, of: 10 });
  clock.now = 60_000;
  line.show({ step: "second", done: 0, of: 10 });
  clock.now = 70_000;
  line.show({ step: "second", done: 5, of: 10 });
  expect(written.at(-1)).toBe("second: 5 of 10 (70 s, about 10 s left)\n");
});

test("where there is little room the bar shrinks and goes before the numbers do", () => {
  const shown = (columns: number): string => {
    const { written, clock, line } = watched({ isTTY: true, columns });
    clock.now = 2000;
    line.show({ step: "figures", done: 5, of: 10 });
    return written[0]!.replace("\r\u001b[2K", "");
  };
  expect(shown(0)).toBe(`figures ${"█".repeat(12)}${"░".repeat(12)} 5 of 10 (2 s)`);
  expect(shown(31)).toBe("figures ████░░░░ 5 of 10 (2 s)");
  expect(shown(24)).toBe("figures 5 of 10 (2 s)");
});

test("a live line is cut to the terminal's width, since one that wraps could not be taken away", () => {
  const { written, clock, line } = watched({ isTTY: true, columns: 20 });
  clock.now = 2000;
  line.show({ step: "a step with a long name", done: 1, of: 2 });
  expect([...written[0]!.replace("\r\u001b[2K", "")]).toHaveLength(20);
});
