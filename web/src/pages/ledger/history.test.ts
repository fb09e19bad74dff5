/** Tests the history of spending on audit trails as the service writes them. */
import { expect, test } from "vitest";
import { historyOf, readable } from "./history.ts";
import type { TrailLine } from "./standing.ts";

const KEY = "7698f04fe3c625669fd3b0b7e9a9b1816af68dad12981ce0a0df1956101d9687";
const line = (minute: number, kind: TrailLine["kind"], what: string): TrailLine => ({
  time: `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z`,
  kind,
  what,
});
const TRAIL = [
  line(0, "init", "made with budget 3"),
  line(1, "reserve", `'${KEY}': 1 reserved, 278 users charged up to 0.5`),
  line(2, "commit", `'${KEY}': 1 committed`),
  line(3, "reserve", `'${KEY}': 6 reserved, 1369 users charged up to 0.75`),
  line(4, "raise", "budget raised to 4.5: because of 17 complaints"),
];

test("charges add up, and never to more than what is known to be lost", () => {
  const { spent, budget } = historyOf({ trail: TRAIL, loss: 0.9999, created: TRAIL[0]!.time, releases: [] });
  expect(spent.map(({ value }) => value)).toEqual([0, 0.5, 0.9999]);
  expect(budget.map(({ value }) => value)).toEqual([3, 4.5]);
});

test("under one key, no user lost more than the release took from its worst", () => {
  const release = {
    key: KEY,
    planHash: KEY,
    created: "",
    state: "committed",
    loss: 0.75,
    exactLoss: "0.75",
    committed: 7,
    pending: [] as string[],
  } as const;
  const trail = [...TRAIL, line(5, "reserve", "'may': 2 reserved, 10 users charged up to 0.5")];
  const { spent } = historyOf({ trail, loss: 1.25, created: TRAIL[0]!.time, releases: [release] });
  expect(spent.map(({ value }) => value)).toEqual([0, 0.5, 0.75, 1.25]);
});

test("what was refunded since does not hide what was charged", () => {
  const trail = [...TRAIL, line(5, "void", `'${KEY}': 6 given up and refunded`)];
  const { spent } = historyOf({ trail, loss: 0.64, created: TRAIL[0]!.time, releases: [] });
  expect(spent.map(({ value }) => value)).toEqual([0, 0.5, 0.5 + 0.75, 0.64]);
  expect(spent.at(-1)!.at).toBe(Date.parse(trail.at(-1)!.time));
});

test("a ledger without releases has a history, too", () => {
  expect(historyOf({ trail: TRAIL.slice(0, 1), loss: 0, created: TRAIL[0]!.time, releases: [] }).spent).toHaveLength(1);
  expect(historyOf({ trail: [], loss: 0, created: TRAIL[0]!.time, releases: [] }).spent).toHaveLength(1);
});

test("what was never refunded is bounded by what is known now", () => {
  const trail = [
    ...TRAIL,
    line(5, "reserve", "'may': 2 reserved, 10 users charged up to 0.25"),
    line(6, "void", "'may': 2 given up and refunded"),
  ];
  const { spent } = historyOf({ trail, loss: 1, created: TRAIL[0]!.time, releases: [] });
  expect(spent.map(({ value }) => value)).toEqual([0, 0.5, 1, 1.25, 1]);
});

test("what is long is cut short, losses upwards", () => {
  expect(readable(`'${KEY}': 1 committed`)).toBe("'7698f04fe3c6…': 1 committed");
  expect(readable("'may': 6 reserved, 9 users charged up to 0.947493899683337658")).toMatch(/up to 0\.9475$/);
  expect(readable("budget raised to 4.5: because")).toBe("budget raised to 4.5: because");
});
