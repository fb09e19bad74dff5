/** Checks the synthetic arrays against the model's description: who is where, what is inflated, what a seed decides. */
import { expect, test } from "vitest";
import { type Occupancy, occupancyHash } from "../../core/occupancy/index.ts";
import { type SyntheticOptions, synthesise } from "./synthetic.ts";

const PAPER = { gamma: 3, q: 0.01, seed: 1 };

function countsOfGrid(occupancy: Occupancy, grid: number): Map<number, number> {
  const { byGrid, byUser } = occupancy;
  const counts = new Map<number, number>();
  for (let at = byGrid.start[grid]!; at < byGrid.start[grid + 1]!; at++) {
    counts.set(byGrid.user[at]!, byUser.count[byGrid.entry[at]!]!);
  }
  return counts;
}

test.each([1, 2, 5, 12])("with %i grids, user l in [2^j, 2^(j+1) - 1] occupies exactly G - j", (grids) => {
  const occupancy = synthesise({ ...PAPER, grids });
  expect(occupancy.users.length).toBe(2 ** grids - 1);
  expect(occupancy.grids.length).toBe(grids);
  for (let j = 0; j < grids; j++) {
    for (let user = 2 ** j; user < 2 ** (j + 1); user++) expect(occupancy.gridsOfUser(user - 1)).toBe(grids - j);
  }
});

test("ids are zero-padded, so that their order is that of the numbers", () => {
  const occupancy = synthesise(PAPER);
  expect([...occupancy.users]).toEqual(
    Array.from({ length: 4095 }, (_, user) => `u${String(user + 1).padStart(4, "0")}`),
  );
  expect([...occupancy.grids]).toEqual([
    "g01",
    "g02",
    "g03",
    "g04",
    "g05",
    "g06",
    "g07",
    "g08",
    "g09",
    "g10",
    "g11",
    "g12",
  ]);
});

test.each([
  3, 6, 9,
])("gamma %i multiplies the largest count of each grid by 1 + gamma and changes no other", (gamma) => {
  const plain = synthesise({ ...PAPER, gamma: 0 });
  const inflated = synthesise({ ...PAPER, gamma });
  expect(inflated.byUser.grid).toEqual(plain.byUser.grid);
  for (let grid = 0; grid < 12; grid++) {
    const before = countsOfGrid(plain, grid);
    const after = countsOfGrid(inflated, grid);
    const changed = [...before].filter(([user, count]) => after.get(user) !== count);
    expect(changed).toHaveLength(1);
    const [user, count] = changed[0]!;
    expect(count).toBe(Math.max(...before.values()));
    expect(after.get(user)).toBe(count * (1 + gamma));
  }
});

test("grids are drawn evenly and counts have mean 1/q (false-alarm rate 2e-6)", () => {
  const occupancy = synthesise({ ...PAPER, gamma: 0 });
  // Each of the 2048 users with one grid picks each grid with 1/12; 5.5 standard deviations, twelve grids: 5e-7.
  const picks = new Array<number>(12).fill(0);
  for (let user = 2047; user < 4095; user++) picks[occupancy.byUser.grid[occupancy.byUser.start[user]!]!]! += 1;
  for (const pick of picks) expect(Math.abs(pick - 2048 / 12)).toBeLessThan(5.5 * Math.sqrt((2048 * 11) / 144));
  // Geometric(q) has mean 100 and standard deviation sqrt(1 − q)/q = 99.5; five standard deviations of the mean: 6e-7.
  const mean = occupancy.samples / occupancy.entries;
  const deviation = Math.sqrt(0.99) / 0.01 / Math.sqrt(occupancy.entries);
  expect(Math.abs(mean - 100)).toBeLessThan(5 * deviation);
  expect(Math.abs(mean - 110)).toBeGreaterThan(5 * deviation);
});

test("a seed decides the array, and seeds differ", () => {
  const hash = (options: SyntheticOptions) => occupancyHash(synthesise({ grids: 8, ...options }));
  expect(hash(PAPER)).toBe(hash({ ...PAPER }));
  const seeds = [0, 1, 2, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
  expect(new Set(seeds.map((seed) => hash({ ...PAPER, seed }))).size).toBe(seeds.length);
});

test("the array of seed 1 is pinned, since published figures rest on it", () => {
  expect(occupancyHash(synthesise(PAPER))).toBe("b0419a1741f6fa3e3ab6c63c8a953c4c3c1dfb965c87123246f3ce7988bc004b");
});

test.each([
  { gamma: -1 },
  { gamma: 0.5 },
  { gamma: Number.NaN },
  { gamma: 1_000_001 },
  { seed: -1 },
  { seed: 1.5 },
  { seed: 2 ** 53 },
  { grids: 0 },
  { grids: 21 },
  { grids: 2.5 },
  { q: 0 },
  { q: 2 },
  { q: Number.NaN },
])("%o is refused in one line that names it", (wrong) => {
  const [[name, value]] = Object.entries(wrong) as [[string, number]];
  expect(() => synthesise({ ...PAPER, ...wrong })).toThrow(
    expect.objectContaining({
      code: "PARAMETER_INVALID",
      message: expect.stringMatching(`^${name} ${value} must .+$`),
    }),
  );
});
