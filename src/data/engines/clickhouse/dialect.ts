/** ClickHouse's dialect, for servers from 2018 on: integers have 64 bits and no sign, and nothing is null. */
import type { InputLattice } from "../../../core/planning/index.ts";
import {
  type Dialect,
  type ExpressionDialect,
  type ExpressionPrinter,
  expressionPrinter,
} from "../pipeline/dialect.ts";

const ESCAPES: Readonly<Record<string, string>> = { "\0": "\\0", "\\": "\\\\", "'": "\\'", "`": "\\`" };

/** Escapes by backslash are understood by every version; doubled quotes are not. */
export function identifier(name: string): string {
  return `\`${name.replace(/[\0\\`]/g, (character) => ESCAPES[character]!)}\``;
}

export function text(value: string): string {
  return `'${value.replace(/[\0\\']/g, (character) => ESCAPES[character]!)}'`;
}

/** Exactly this double, by its bytes: old servers round decimals to a neighbour of the nearest double. */
export function double(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Number.isInteger(value) && Math.abs(value) < 2 ** 31 && !Object.is(value, -0)
    ? `toFloat64(${value})`
    : `reinterpretAsFloat64(unhex('${bytes.toString("hex").toUpperCase()}'))`;
}

/** 64 bits with a sign: a literal alone takes the narrowest type that holds it. */
export function signed(value: bigint): string {
  return `toInt64(${value})`;
}

export function unsigned(value: bigint): string {
  return `toUInt64(${value})`;
}

const FIRST_32_BITS = unsigned(2n ** 32n - 1n);

/** Conditions are 0 or 1; those that are known beforehand are left out of what is asked. */
const joined =
  (word: "OR" | "AND", neutral: string, decisive: string) =>
  (conditions: readonly string[]): string => {
    const open = conditions.filter((each) => each !== neutral);
    if (open.includes(decisive)) return decisive;
    return open.length > 1 ? `(${open.join(` ${word} `)})` : (open[0] ?? neutral);
  };
export const anyOf = joined("OR", "0", "1");
export const allOf = joined("AND", "1", "0");

export function not(condition: string): string {
  return condition === "0" ? "1" : condition === "1" ? "0" : `not(${condition})`;
}

export function choose(condition: string, then: string, otherwise: string): string {
  return condition === "0" ? otherwise : condition === "1" ? then : `if(${condition}, ${then}, ${otherwise})`;
}

/** Names that no column of a table begins like: within one query they stand beside the table's own. */
export type Names = (name: string) => string;

export function namesBeside(columns: Iterable<string>): Names {
  const taken = [...columns];
  let prefix = "v_";
  for (let attempt = 1; taken.some((column) => column.startsWith(prefix)); attempt++) prefix = `v${attempt}_`;
  return (name) => `${prefix}${name}`;
}

/** Names for expressions that a query uses more than once: `WITH expression AS name`. */
export class Definitions {
  readonly #names: Names;
  readonly #expressions = new Map<string, string>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** The name by which the expression goes from here on; constants and what has a name go by themselves. */
  define(name: string, expression: string): string {
    if (/^\d+$/.test(expression) || this.#expressions.has(expression)) return expression;
    const own = this.#names(name);
    this.#expressions.set(own, expression);
    return own;
  }

  /** The query with what it needs before it, and no more: old servers ask shards only for some columns of what nobody uses. */
  before(query: string): string {
    const needed = new Set<string>();
    const visit = (sql: string): void => {
      for (const [word] of sql.matchAll(/\w+/g)) {
        const expression = needed.has(word) ? undefined : this.#expressions.get(word);
        if (expression === undefined) continue;
        needed.add(word);
        visit(expression);
      }
    };
    visit(query);
    const listed = [...this.#expressions].filter(([name]) => needed.has(name));
    return listed.length === 0 ? query : `WITH ${listed.map(([name, sql]) => `${sql} AS ${name}`).join(", ")} ${query}`;
  }
}

/**
 * The body with values bound to names. Servers put an alias's whole expression wherever it is used, so that expressions over
 * expressions over a time would grow by multiplication; arguments of a function are worked out once.
 */
export function bound(values: ReadonlyArray<readonly [name: string, value: string]>, body: string): string {
  const names = values.map(([name]) => name);
  const argument = names.length === 1 ? names[0] : `(${names.join(", ")})`;
  return `arrayMap(${argument} -> ${body}, ${values.map(([, value]) => `[${value}]`).join(", ")})[1]`;
}

/** What a field of a neutral expression is called inside `bound`: unlike any alias, which servers would put in its place. */
export function argument(names: Names, field: string): string {
  return names(`the_${field}`);
}

const SIGNED: Omit<ExpressionDialect, "identifier"> = {
  integer: signed,
  quotient: (dividend, divisor) => `intDiv(${dividend}, ${divisor})`,
  commonBits: (left, right) => `bitAnd(${left}, ${right})`,
  shiftedRight: (of, bits) => `bitShiftRight(${of}, ${bits})`,
};

/** Fields are arguments of `bound`. */
export function printerWith(names: Names): ExpressionPrinter {
  return expressionPrinter({ ...SIGNED, identifier: (name) => argument(names, name) });
}

/** Of numbers below 2⁶⁴, none of them negative. A difference has a sign for the server; its bits are right without. */
export function unsignedPrinter(field: (name: string) => string): ExpressionPrinter {
  return expressionPrinter({
    ...SIGNED,
    identifier: field,
    integer: unsigned,
    difference: (left, right) => `toUInt64(${left} - ${right})`,
    choose: (when, then, otherwise) => `if(${when}, ${then}, ${otherwise})`,
  });
}

/** What is added up of one column: in halves of 32 bits, whose sums over 2³² groups stay below 2⁶⁴. */
function halves(of: string): readonly [low: string, high: string] {
  return [`bitAnd(${of}, ${FIRST_32_BITS})`, `bitShiftRight(${of}, 32)`];
}

/**
 * Squares as two halves of 32 bits, so that no sum wraps around: i ≤ N ≤ 2³² and a group has n < 2³² records (more are refused),
 * hence Σ i ≤ n·N < 2⁶⁴, and each half is at most 2³², its sum at most n·2³² < 2⁶⁴. 2³²·2³² is the one square of 65 bits: what is
 * left of it is 0, which is right for the lower half and not for the higher one.
 */
function squares(i: string, { steps }: InputLattice): Array<{ name: string; of: string; unit: bigint }> {
  const [low, high] = halves(`${i} * ${i}`);
  const most = unsigned(2n ** 32n);
  return [
    { name: "q_low", of: low, unit: 1n },
    { name: "q_high", of: steps < 2n ** 32n ? high : `if(${i} = ${most}, ${most}, ${high})`, unit: 2n ** 32n },
  ];
}

/** `names` keep our columns apart from the table's own. */
export function dialectWith(names: Names): Dialect {
  const sum = (of: string, when?: string): string => (when === undefined ? `sum(${of})` : `sumIf(${of}, ${when})`);
  const element = (of: string, at: number): string => `tupleElement(${of}, ${at})`;
  return {
    ...SIGNED,
    identifier,
    name: names,
    double,
    choose: (cases, otherwise) => cases.reduceRight((rest, [when, then]) => choose(when, then, rest), otherwise),
    not,
    relation: (query) => `(${query})`,
    fenced: (query) => query,
    count: (when) => (when === undefined ? "count()" : `countIf(${when})`),
    sum,
    wideSum: ({ name, of }, when) => {
      const [low, high] = halves(of);
      return [
        { name: `${name}_low`, sql: sum(low, when), unit: 1n },
        { name: `${name}_high`, sql: sum(high, when), unit: 2n ** 32n },
      ];
    },
    squares,
    latticeInteger: (of) => `toUInt64(${of})`,
    latticeLiteral: unsigned,
    pack: ({ missing, instant, i, outside }) => `(toUInt8(${missing}), ${instant}, ${i} * 2 + toUInt8(${outside}))`,
    unpack: (packed) => ({
      missing: element(packed, 1),
      instant: element(packed, 2),
      i: `bitShiftRight(${element(packed, 3)}, 1)`,
      outside: `toUInt8(bitAnd(${element(packed, 3)}, 1))`,
    }),
    found: (column) => `${column} != 0`,
    same: (left, right) => `${left} = ${right}`,
    join: (left, right, columns) => `${left} ALL INNER JOIN ${right} USING (${columns.join(", ")})`,
    leftJoin: (left, right, columns) => `${left} ANY LEFT JOIN ${right} USING (${columns.join(", ")})`,
    rank: (group, order) =>
      `toUInt64(row_number() OVER (PARTITION BY ${group.join(", ")} ORDER BY ${order.join(", ")}) - 1)`,
    integers: () => unsignedPrinter(names),
  };
}
