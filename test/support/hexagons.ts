/** Hexagons in rings around one, for tests: which lie beside which, and where their centres are. */
interface Hexagons {
  /** Those beside hexagon i are `other[start[i]]` up to `other[start[i + 1] - 1]`. */
  readonly start: Int32Array;
  readonly other: Int32Array;
  /** Distances between neighbours are 1. */
  readonly centres: ReadonlyArray<readonly [x: number, y: number]>;
}

const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
] as const;

export function hexagons(rings: number): Hexagons {
  const places: Array<readonly [q: number, r: number]> = [];
  for (let q = -rings; q <= rings; q++)
    for (let r = -rings; r <= rings; r++) if (Math.abs(q + r) <= rings) places.push([q, r]);
  const indices = new Map(places.map(([q, r], index) => [`${q} ${r}`, index]));
  const beside = places.map(([q, r]) => STEPS.flatMap(([dq, dr]) => indices.get(`${q + dq} ${r + dr}`) ?? []));
  const start = new Int32Array(places.length + 1);
  for (const [index, others] of beside.entries()) start[index + 1] = start[index]! + others.length;
  return {
    start,
    other: Int32Array.from(beside.flat()),
    centres: places.map(([q, r]) => [q + r / 2, (r * Math.sqrt(3)) / 2]),
  };
}
