/** Checks that an expression means what its parts say, with each node beside a plain function of the same meaning. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  atLeast,
  below,
  both,
  type Condition,
  choice,
  commonBits,
  type Expression,
  either,
  equal,
  evaluate,
  type Fields,
  field,
  flag,
  floorTo,
  holds,
  integer,
  minus,
  noneOf,
  plus,
  shiftedRight,
  smaller,
} from "./expression.ts";

const NOTHING: Fields = { integers: {} };

test("floorTo is the largest multiple that is not above, on both sides of 0", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }),
      fc.bigInt({ min: 1n, max: 2n ** 40n }),
      (value, step) => {
        const floor = evaluate(floorTo(integer(value), step), NOTHING);
        expect(floor % step).toBe(0n);
        expect(floor <= value && value < floor + step).toBe(true);
      },
    ),
  );
});

test("comparisons are half-open: at least includes the limit, below does not", () => {
  for (const [left, isAtLeast] of [
    [4n, false],
    [5n, true],
    [6n, true],
  ] as const) {
    expect(holds(atLeast(integer(left), integer(5n)), NOTHING)).toBe(isAtLeast);
    expect(holds(below(integer(left), integer(5n)), NOTHING)).toBe(!isAtLeast);
  }
});

test("a flag that a record does not carry is not set", () => {
  expect(holds(flag("seen"), { integers: {}, flags: { seen: true } })).toBe(true);
  expect(holds(flag("seen"), { integers: {}, flags: { seen: false } })).toBe(false);
  expect(holds(flag("seen"), { integers: {}, flags: { other: true } })).toBe(false);
  expect(holds(flag("seen"), NOTHING)).toBe(false);
});

interface Meant<Node, Meaning> {
  readonly node: Node;
  readonly meaning: (fields: Fields) => Meaning;
}
type MeantNumber = Meant<Expression, bigint>;
type MeantCondition = Meant<Condition, boolean>;

const number = fc.bigInt({ min: -1000n, max: 1000n });
const name = fc.constantFrom("a", "b", "c");

function combined<Part, Whole>(
  parts: fc.Arbitrary<Part>,
  combine: (left: Part, right: Part) => Whole,
): fc.Arbitrary<Whole> {
  return fc.tuple(parts, parts).map(([left, right]) => combine(left, right));
}

/** Bits are asked of numbers that are not negative: of these, how far they are from 0. */
function positive(parts: fc.Arbitrary<MeantNumber>): fc.Arbitrary<MeantNumber> {
  return parts.map(({ node, meaning }) => ({
    node: choice(atLeast(node, integer(0n)), node, minus(integer(0n), node)),
    meaning: (fields) => {
      const value = meaning(fields);
      return value < 0n ? -value : value;
    },
  }));
}

const { expression, condition } = fc.letrec<{ expression: MeantNumber; condition: MeantCondition }>((tie) => {
  const part = tie("expression");
  const clause = tie("condition");
  return {
    expression: fc.oneof(
      { maxDepth: 5 },
      name.map((name): MeantNumber => ({ node: field(name), meaning: ({ integers }) => integers[name]! })),
      number.map((value): MeantNumber => ({ node: integer(value), meaning: () => value })),
      combined(
        part,
        (l, r): MeantNumber => ({ node: plus(l.node, r.node), meaning: (f) => l.meaning(f) + r.meaning(f) }),
      ),
      combined(
        part,
        (l, r): MeantNumber => ({ node: minus(l.node, r.node), meaning: (f) => l.meaning(f) - r.meaning(f) }),
      ),
      combined(
        part,
        (l, r): MeantNumber => ({
          node: smaller(l.node, r.node),
          meaning: (f) => [l.meaning(f), r.meaning(f)].sort((x, y) => Number(x - y))[0]!,
        }),
      ),
      combined(positive(part), (l, r): MeantNumber => {
        const bits = (value: bigint): string => value.toString(2).padStart(64, "0");
        return {
          node: commonBits(l.node, r.node),
          meaning: (f) => {
            const other = bits(r.meaning(f));
            return BigInt(`0b${[...bits(l.meaning(f))].map((bit, at) => (bit === other[at] ? bit : "0")).join("")}`);
          },
        };
      }),
      fc.tuple(positive(part), fc.nat({ max: 12 })).map(
        ([of, count]): MeantNumber => ({
          node: shiftedRight(of.node, count),
          meaning: (f) => of.meaning(f) / 2n ** BigInt(count),
        }),
      ),
      fc.tuple(part, fc.bigInt({ min: 1n, max: 50n })).map(
        ([of, step]): MeantNumber => ({
          node: floorTo(of.node, step),
          meaning: (f) => BigInt(Math.floor(Number(of.meaning(f)) / Number(step))) * step,
        }),
      ),
      fc.tuple(clause, part, part).map(
        ([when, l, r]): MeantNumber => ({
          node: choice(when.node, l.node, r.node),
          meaning: (f) => (when.meaning(f) ? l.meaning(f) : r.meaning(f)),
        }),
      ),
    ),
    condition: fc.oneof(
      { maxDepth: 5 },
      name.map((name): MeantCondition => ({ node: flag(name), meaning: ({ flags }) => flags![name]! })),
      combined(
        part,
        (l, r): MeantCondition => ({ node: atLeast(l.node, r.node), meaning: (f) => l.meaning(f) >= r.meaning(f) }),
      ),
      combined(
        part,
        (l, r): MeantCondition => ({ node: below(l.node, r.node), meaning: (f) => l.meaning(f) < r.meaning(f) }),
      ),
      combined(
        part,
        (l, r): MeantCondition => ({ node: equal(l.node, r.node), meaning: (f) => l.meaning(f) === r.meaning(f) }),
      ),
      fc.tuple(part, fc.array(number, { minLength: 1, maxLength: 3 })).map(
        ([of, values]): MeantCondition => ({
          node: noneOf(of.node, values),
          meaning: (f) => values.every((value) => value !== of.meaning(f)),
        }),
      ),
      combined(
        clause,
        (l, r): MeantCondition => ({ node: both(l.node, r.node), meaning: (f) => l.meaning(f) && r.meaning(f) }),
      ),
      combined(
        clause,
        (l, r): MeantCondition => ({ node: either(l.node, r.node), meaning: (f) => l.meaning(f) || r.meaning(f) }),
      ),
    ),
  };
});

const fields: fc.Arbitrary<Fields> = fc.record({
  integers: fc.record({ a: number, b: number, c: number }),
  flags: fc.record({ a: fc.boolean(), b: fc.boolean(), c: fc.boolean() }),
});

test("any tree of nodes evaluates to what it was put together to mean", () => {
  fc.assert(
    fc.property(expression, condition, fields, (number, clause, record) => {
      expect(evaluate(number.node, record)).toBe(number.meaning(record));
      expect(holds(clause.node, record)).toBe(clause.meaning(record));
    }),
    { numRuns: 500 },
  );
});
