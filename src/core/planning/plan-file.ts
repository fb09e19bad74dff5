/** Freezes a plan with its hash, writes it as one line of canonical JSON, and reads it back. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { type Rational, tryParseExact } from "../arithmetic/index.ts";
import { VeilgridError } from "../errors/index.ts";
import { type Bounds, ESTIMATORS, makeBounds, type Objective, parseStatistic } from "../influence/index.ts";
import { ABOUT_OPTIONS, type About, checkedTexts, optionTexts } from "../options/index.ts";
import type { Spread } from "./balanced/spread.ts";
import type { BalancedTerms } from "./balanced/terms.ts";
import { checkPlanContent, checkPlanShape } from "./check-plan.ts";
import type { Plan, PlanBound, PlanContent, PlanNoise, PlanOccupancy, PlanStrategy } from "./plan.ts";
import { STRATEGY_NAMES } from "./strategies.ts";

/** How a part of the file is read, and how it is handed to JSON; as it is where `write` is absent. `name` is how errors call the part. */
interface Field<Value> {
  read(value: unknown, name: string): Value;
  write?: ((value: Value) => unknown) | undefined;
  /** May be absent, and is not written then. */
  readonly isOptional?: true;
}

class Malformed extends Error {}

/** A field of a basic kind: `parse` gives undefined for whatever is not `kind`. */
function field<Value>(kind: string, parse: (value: unknown) => Value | undefined): Field<Value> {
  return {
    read(value, name) {
      const read = parse(value);
      if (read === undefined) throw new Malformed(`${name} is not ${kind}`);
      return read;
    },
  };
}

const text = field("text", (value) => (typeof value === "string" ? value : undefined));
const flag = field("true or false", (value) => (typeof value === "boolean" ? value : undefined));
const count = field("a whole number from 0", (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined,
);
const weight = field("a whole number from 0 to 2^32 - 1", (value) =>
  typeof value === "number" && value >>> 0 === value ? value : undefined,
);
const exact = field("an exact number", (value) => (typeof value === "string" ? tryParseExact(value) : undefined));
const price: Field<bigint> = {
  ...field("a whole number", (value) => (typeof value === "string" && /^\d+$/.test(value) ? BigInt(value) : undefined)),
  write: String,
};

function oneOf<Choice extends string>(...choices: readonly Choice[]): Field<Choice> {
  return field(`one of ${choices.join(", ")}`, (value) => choices.find((each) => each === value));
}

function orNull<Value>({ read, write }: Field<Value>): Field<Value | null> {
  return {
    read: (value, name) => (value === null ? null : read(value, name)),
    write: write && ((value) => (value === null ? null : write(value))),
  };
}

function optional<Value>({ read, write }: Field<Value>): Field<Value | undefined> {
  return {
    isOptional: true,
    read,
    write: write && ((value) => (value === undefined ? undefined : write(value))),
  };
}

function listOf<Item>({ read, write }: Field<Item>): Field<readonly Item[]> {
  const list = field("a list", (value): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined));
  return {
    read: (value, name) => list.read(value, name).map((item) => read(item, name)),
    write: write && ((items) => items.map(write)),
  };
}

/** As many as entries, so kept as numbers of 32 bits; in the file a list like others. */
const typedList: Field<Uint32Array> = {
  read(value, name) {
    const list = listOf(weight).read(value, name);
    return Uint32Array.from(list);
  },
  write: (items) => Array.from(items),
};

function tuple<Items extends readonly unknown[]>(
  ...items: { [Index in keyof Items]: Field<Items[Index]> }
): Field<Items> {
  return {
    read(value, name) {
      const values = listOf(anything).read(value, name);
      if (values.length !== items.length) throw new Malformed(`${name} has not ${items.length} items`);
      return items.map((item, at) => item.read(values[at], name)) as unknown as Items;
    },
  };
}

const anything: Field<unknown> = { read: (value) => value };
const ROOT = "the file";

const record = field("an object", (value): Readonly<Record<string, unknown>> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined,
);

/** Texts by name. */
const texts: Field<Readonly<Record<string, string>>> = {
  read: (value, name) =>
    Object.fromEntries(
      Object.entries(record.read(value, name)).map(([key, each]) => [key, text.read(each, `${name}.${key}`)]),
    ),
};

/** Unit, title and description, at least one of them. */
const about: Field<About | undefined> = {
  isOptional: true,
  write: (value) => value && optionTexts(ABOUT_OPTIONS, value),
  read: (value, name) => {
    const given = texts.read(value, name);
    const checked = checkedTexts(ABOUT_OPTIONS, given);
    if (checked === undefined || Object.keys(given).length !== Object.keys(checked).length)
      throw new Malformed(`${name} has keys that no plan has`);
    return checked;
  },
};

/** Exactly these keys; written in this order. */
function object<Value extends object>(fields: { readonly [Key in keyof Value]: Field<Value[Key]> }): Field<Value> {
  const entries = Object.entries<Field<unknown>>(fields as Record<string, Field<unknown>>);
  return {
    read(value, name) {
      const given = record.read(value, name);
      const missing = entries.find(([key, { isOptional }]) => !isOptional && !Object.hasOwn(given, key));
      if (missing !== undefined) throw new Malformed(`${name} lacks ${missing[0]}`);
      const found = entries.filter(([key]) => Object.hasOwn(given, key));
      if (Object.keys(given).length !== found.length) throw new Malformed(`${name} has keys that no plan has`);
      const read = found.map(([key, each]) => [key, each.read(given[key], name === ROOT ? key : `${name}.${key}`)]);
      return Object.fromEntries(read) as Value;
    },
    write: (value) =>
      Object.fromEntries(
        entries.flatMap(([key, { write, isOptional }]) => {
          const each = value[key as keyof Value];
          if (isOptional && each === undefined) return [];
          return [[key, write === undefined ? each : write(each)]];
        }),
      ),
  };
}

const STRATEGY = object<PlanStrategy>({
  name: oneOf(...STRATEGY_NAMES),
  epsilon: orNull(exact),
  errorBound: orNull(exact),
  errorTargets: orNull(listOf(exact)),
  lossTarget: orNull(exact),
  setAside: listOf(count),
  timeLimitSeconds: orNull(count),
  protectedGrid: orNull(count),
  wholeStages: flag,
  caps: flag,
});

const BALANCED = object<BalancedTerms>({
  spread: object<Spread>({ users: exact, records: exact, trend: exact }),
  aim: oneOf("typical", "worst"),
  passes: field("1 or 2", (value) => (value === 1 || value === 2 ? value : undefined)),
  ratios: listOf(exact),
  rates: listOf(exact),
  weights: typedList,
});

/** The keys of the file in their order, but for the hash, which comes last. */
const CONTENT = {
  format: oneOf("veilgrid-plan/2"),
  bounds: tuple<readonly [lower: Rational, upper: Rational]>(exact, exact),
  latticeStep: exact,
  statistics: listOf(text),
  weights: listOf(exact),
  metric: oneOf("sum", "relative"),
  estimator: oneOf(...ESTIMATORS, "weighted"),
  split: oneOf("even", "best"),
  partition: orNull(texts),
  about,
  keep: oneOf("spread", "first"),
  occupancy: object<PlanOccupancy>({ sha256: text, users: count, grids: count, entries: count, samples: count }),
  strategy: STRATEGY,
  balanced: optional(BALANCED),
  grids: listOf(text),
  noise: listOf(object<PlanNoise>({ epsilon: exact, epsilons: listOf(exact), scales: listOf(exact) })),
  caps: orNull(listOf(count)),
  users: listOf(text),
  suppressed: listOf(tuple<readonly [user: number, grid: number]>(count, count)),
  trimmed: listOf(tuple<readonly [user: number, grid: number, kept: number]>(count, count, count)),
  loss: exact,
  lossSimple: exact,
  bound: orNull(
    object<PlanBound>({
      of: oneOf("loss", "error", "degradation"),
      lowerBound: exact,
      weights: listOf(tuple<readonly [user: number, weight: number]>(count, count)),
      prices: orNull(listOf(price)),
    }),
  ),
};

type Document = {
  readonly [Key in keyof typeof CONTENT]: (typeof CONTENT)[Key] extends Field<infer Value> ? Value : never;
};

const DOCUMENT = object<Document>(CONTENT);
const FILE = object<Document & { readonly hash: string }>({ ...CONTENT, hash: text });

export function freezePlan(content: PlanContent): Plan {
  const hash = bytesToHex(sha256(new TextEncoder().encode(canonicalContent(content))));
  return deepFreeze({ ...content, hash });
}

/** One line of JSON with a fixed order of keys, exact numbers as text, the hash last: the same plan is always the same bytes. */
export function planText(plan: Plan): string {
  return `${canonicalContent(plan).slice(0, -1)},"hash":"${plan.hash}"}\n`;
}

function canonicalContent({ objective, ...content }: PlanContent): string {
  const { bounds, statistics, ...others } = objective;
  const document: Document = {
    about: undefined,
    balanced: undefined,
    ...content,
    ...others,
    format: "veilgrid-plan/2",
    bounds: [bounds.lower, bounds.upper],
    statistics: statistics.map((statistic) => statistic.key),
  };
  return JSON.stringify(DOCUMENT.write?.(document));
}

/** The plan in `planJson`; PLAN_MALFORMED or PLAN_ALTERED otherwise. `name` is how errors call the file. */
export function readPlan(planJson: string, name = "plan"): Plan {
  const { plan, hash } = orMalformed(name, () => {
    const { hash, ...document } = FILE.read(JSON.parse(planJson), ROOT);
    const content = contentOf(document);
    checkPlanShape(content);
    return { plan: freezePlan(content), hash };
  });
  if (plan.hash !== hash) {
    throw new VeilgridError(
      "PLAN_ALTERED",
      `${name}: the plan was altered after it was made: its hash does not match; plan again`,
    );
  }
  orMalformed(name, () => {
    checkPlanContent(plan);
    if (planText(plan).trimEnd() !== planJson.trimEnd())
      throw new Malformed("its text was rewritten and is not in canonical form");
  });
  return plan;
}

function contentOf({ format: _, bounds, statistics, weights, metric, estimator, ...rest }: Document): PlanContent {
  const range: Bounds = makeBounds(...bounds);
  const objective: Objective = {
    bounds: range,
    statistics: statistics.map((key) => parseStatistic(key, range, estimator)),
    weights,
    metric,
    estimator,
  };
  return { ...rest, objective };
}

/** Turns whatever is wrong with the content into one line. A parser's own message may quote the file, so only ours is passed on. */
function orMalformed<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const ours = error instanceof Malformed || error instanceof VeilgridError;
    if (!ours && !(error instanceof SyntaxError)) throw error;
    const what = ours ? error.message : "it is not JSON";
    throw new VeilgridError("PLAN_MALFORMED", `${name}: not a plan: ${what}; make one with 'veilgrid plan --out'`);
  }
}

/** Lists and plain objects all the way down; rationals and statistics have nothing to set, and typed arrays cannot be frozen. */
function deepFreeze<Value extends object>(value: Value): Value {
  for (const inner of Object.values(value)) {
    if (
      typeof inner === "object" &&
      inner !== null &&
      (Array.isArray(inner) || Object.getPrototypeOf(inner) === Object.prototype)
    )
      deepFreeze(inner);
  }
  return Object.freeze(value);
}
