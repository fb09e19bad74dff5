/** Devices that report by the clock, and people who come when they like. */
import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../../test/support/random.ts";
import { reportingInterval } from "./reporting-interval.ts";

const START = Date.UTC(2026, 2, 10, 6);
const COLUMNS = { user: "bus", time: "at", format: "iso" } as const;

/** Rows of several users in the order of time, each user's by gaps of its own. */
function rowsOf(
  users: number,
  records: number,
  gapOf: (user: number) => number,
  write = (ms: number): string | number => new Date(ms).toISOString(),
) {
  const rows: Array<{ bus: string; ms: number }> = [];
  for (let user = 0; user < users; user++) {
    let ms = START + user * 7_000;
    for (let record = 0; record < records; record++) {
      rows.push({ bus: `bus ${user}`, ms });
      ms += 1000 * gapOf(user);
    }
  }
  return rows.sort((left, right) => left.ms - right.ms).map(({ bus, ms }) => ({ bus, at: write(ms), speed: 1 }));
}

test("an interval for every device, with some reports lost and some late", () => {
  const random = new SeededRandom(1);
  const rows = rowsOf(12, 40, (user) => {
    const interval = 10 * (1 + (user % 3));
    return (random.uniform() < 0.1 ? 2 : 1) * interval + Math.round(random.uniform());
  });
  expect(reportingInterval(rows, COLUMNS)).toBeGreaterThanOrEqual(20);
  expect(reportingInterval(rows, COLUMNS)).toBeLessThanOrEqual(21);
});

test.each([
  ["exponential gaps", (random: SeededRandom) => -600 * Math.log(1 - random.uniform())],
  ["any gap up to a limit", (random: SeededRandom) => 1 + 1200 * random.uniform()],
  [
    "a few at once, then none for long",
    (random: SeededRandom) => (random.uniform() < 0.5 ? 5 + 60 * random.uniform() : 3000 * random.uniform()),
  ],
])("%s are no interval", (_, gapOf) => {
  // Seeded: whether it passes is no matter of chance.
  for (let seed = 1; seed <= 20; seed++) {
    const random = new SeededRandom(seed);
    expect(
      reportingInterval(
        rowsOf(10, 12, () => gapOf(random)),
        COLUMNS,
      ),
    ).toBeUndefined();
  }
});

test("once a day is none, nor are too few rows, nor rows that do not say who or when", () => {
  expect(
    reportingInterval(
      rowsOf(10, 12, () => 86_400),
      COLUMNS,
    ),
  ).toBeUndefined();
  expect(
    reportingInterval(
      rowsOf(10, 5, () => 10),
      COLUMNS,
    ),
  ).toBeUndefined();
  expect(
    reportingInterval(
      rowsOf(1, 12, () => 10),
      COLUMNS,
    ),
  ).toBeUndefined();
  expect(reportingInterval([], COLUMNS)).toBeUndefined();
  expect(
    reportingInterval(
      rowsOf(10, 12, () => 10),
      { ...COLUMNS, user: "none" },
    ),
  ).toBeUndefined();
  expect(
    reportingInterval(
      rowsOf(
        10,
        12,
        () => 10,
        () => "soon",
      ),
      COLUMNS,
    ),
  ).toBeUndefined();
});

test("rows that stand twice in the file change nothing", () => {
  const rows = rowsOf(5, 12, () => 30);
  expect(reportingInterval([...rows, ...rows], COLUMNS)).toBe(30);
});

describe("however times are written", () => {
  const two = (part: number): string => String(part).padStart(2, "0");
  const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
  const date = (ms: number): [string, string, string] => {
    const day = new Date(ms);
    return [String(day.getUTCFullYear()), two(day.getUTCMonth() + 1), two(day.getUTCDate())];
  };
  test.each([
    ["iso", (ms: number) => new Date(ms).toISOString().replace("T", " ").slice(0, 19)],
    ["iso", (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}+05:30`],
    ["iso", (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}+00`],
    ["epoch-s", (ms: number) => ms / 1000],
    ["epoch-ms", (ms: number) => String(ms)],
    ["date:dd/mm/yyyy", (ms: number) => `${date(ms).reverse().join("/")} ${clock(ms)}`],
    ["date:mm/dd/yyyy", (ms: number) => `${date(ms)[1]}/${date(ms)[2]}/${date(ms)[0]} ${clock(ms)}`],
    ["date:yyyy/mm/dd", (ms: number) => `${date(ms).join("/")} ${clock(ms)}`],
  ] as const)("%s", (format, write) => {
    expect(
      reportingInterval(
        rowsOf(5, 12, () => 30, write),
        { ...COLUMNS, format },
      ),
    ).toBe(30);
  });
});
