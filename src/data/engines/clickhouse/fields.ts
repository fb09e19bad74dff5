/** Reads a table's columns by their types: ids, numbers, points and cells. None of these expressions is ever null. */
import { quoteForMessage, VeilgridError } from "../../../core/errors/index.ts";
import type { InputLattice } from "../../../core/planning/index.ts";
import { type Recipe, WRITTEN_CELL, WRITTEN_NUMBER } from "../../partition/index.ts";
import type { Capabilities } from "./capabilities.ts";
import type { ColumnType } from "./column-type.ts";
import {
  allOf,
  anyOf,
  argument,
  choose,
  type Definitions,
  double,
  identifier,
  type Names,
  not,
  text,
} from "./dialect.ts";

export interface RecordsTable {
  /** As messages call it. */
  readonly name: string;
  /** Quoted, with its database. */
  readonly sql: string;
  readonly types: ReadonlyMap<string, ColumnType>;
  /** Whether text becomes the nearest double on this server. */
  readonly exactDoubles: boolean;
  readonly names: Names;
}

/** What a query is made from. */
export interface RecordsQuery {
  readonly table: RecordsTable;
  readonly recipe: Recipe;
  /** Absent: only counts are wanted. */
  readonly lattice: InputLattice | undefined;
  readonly geoToH3: Capabilities["geoToH3"];
  /** A temporary table of points and their cells: every point of the records, or those of which the server's own hexagon is in doubt. */
  readonly points: { readonly table: string; readonly holds: "every point" | "doubtful points" } | undefined;
  /** The first and the last clock reading of all records, where they were asked for. */
  readonly clocks: { readonly from: bigint; readonly to: bigint } | undefined;
  /** A temporary table of grids: only their records are read. */
  readonly asked?: string | undefined;
}

/** A number and what may be the matter with it. Conditions are 0 or 1. */
export interface NumberField {
  /** A double; NaN where there is none. */
  readonly value: string;
  readonly absent: string;
  /** Something is there, and it is no number. */
  readonly wrong: string;
  /** A number is there, and this server cannot give the double nearest to it. */
  readonly unread: string;
}

/** As in regular expressions. */
const BLANK = `[${WRITTEN_NUMBER.blanks}]*`;
const FILLED = `[^${WRITTEN_NUMBER.blanks}]`;
const NUMBER = WRITTEN_NUMBER.pattern;

/** The first group of a regular expression that must match from end to end but for blanks; empty where it does not. */
export function wholeMatch(subject: string, pattern: string): string {
  return `extract(${subject}, ${text(`^${BLANK}(${pattern})${BLANK}$`)})`;
}

export function isFilled(subject: string): string {
  return `match(${subject}, ${text(FILLED)})`;
}

export class TableFields {
  readonly #table: RecordsTable;
  readonly #definitions: Definitions;

  constructor(table: RecordsTable, definitions: Definitions) {
    this.#table = table;
    this.#definitions = definitions;
  }

  define(name: string, expression: string): string {
    return this.#definitions.define(name, expression);
  }

  /** A name of ours for an argument of a function. */
  own(name: string): string {
    return argument(this.#table.names, name);
  }

  type(name: string): ColumnType {
    return this.#table.types.get(name)!;
  }

  /** The column without a dictionary around its values. */
  raw(name: string): string {
    const { plain } = this.type(name);
    return plain === null ? identifier(name) : `CAST(${identifier(name)} AS ${plain})`;
  }

  isNull(name: string): string | undefined {
    return this.type(name).nullable ? `isNull(${this.raw(name)})` : undefined;
  }

  /** The column where nulls are of no account. */
  present(name: string): string {
    return this.type(name).nullable ? `assumeNotNull(${this.raw(name)})` : this.raw(name);
  }

  /** As text, empty where there is none. */
  text(name: string): string {
    const { is, nullable } = this.type(name);
    // Padding of a FixedString is no part of a text; toString leaves it away. Clocks of other zones show one time twice a year.
    const zone = is.kind === "instant" ? ", 'UTC'" : "";
    const whole = is.kind === "text" && !is.padded ? this.raw(name) : `toString(${this.raw(name)}${zone})`;
    return nullable ? `ifNull(${whole}, '')` : whole;
  }

  /** An id as it is grouped by: whole numbers are told apart as they are, everything else by its text. `isNull` is undefined where there always is one. */
  id(name: string, flag: string): { readonly key: string; readonly isNull: string | undefined } {
    const { is } = this.type(name);
    const isNull = this.isNull(name);
    if (is.kind === "integer")
      return { key: isNull === undefined ? this.raw(name) : `ifNull(${this.raw(name)}, 0)`, isNull };
    if (["text", "label", "date", "instant"].includes(is.kind)) return { key: this.text(name), isNull };
    throw this.#unsupported(name, flag, "ids are text, whole numbers, dates, times, UUIDs or enums");
  }

  /** A user that is not there is the empty one. */
  user(name: string): string {
    const { is, nullable } = this.type(name);
    return is.kind === "integer" && nullable ? this.text(name) : this.id(name, "--user").key;
  }

  /** Whether there is a user: a whole number is one unless it is null. */
  hasUser(name: string): string {
    const { is, nullable } = this.type(name);
    return is.kind === "integer" && !nullable ? "1" : `(${this.user(name)} != '')`;
  }

  /** `as` begins the names of what is defined on the way. */
  number(name: string, flag: string, as: string): NumberField {
    const { is } = this.type(name);
    if (is.kind === "text") return this.#numberIn(this.text(name), as);
    if (is.kind === "float" || is.kind === "integer" || is.kind === "decimal") {
      const absent = this.isNull(name) ?? "0";
      const converted = `toFloat64(${this.present(name)})`;
      const value = this.define(as, choose(absent, "nan", converted));
      if (is.kind === "integer") return { value, absent, wrong: "0", unread: "0" };
      if (is.kind === "float") return { value, absent, wrong: `isInfinite(${value})`, unread: "0" };
      // A decimal of 53 bits becomes the nearest double by one division; one of more would be rounded twice.
      const largest = Math.floor(2 ** 53 / 10 ** is.scale);
      const isWide = is.precision > 15;
      if (is.scale > 22 || (isWide && largest < 1))
        throw this.#unsupported(name, flag, "decimals have at most 15 digits after the point");
      return { value, absent, wrong: "0", unread: isWide ? `abs(${value}) >= ${double(largest)}` : "0" };
    }
    throw this.#unsupported(name, flag, "numbers are text, integers, floats or decimals");
  }

  /** A number in text without the blanks around it; empty where it is none. */
  writtenNumber(written: string, as: string): string {
    const matched = this.define(`${as}_matched`, wholeMatch(written, NUMBER));
    return this.define(`${as}_digits`, `if(length(${matched}) > ${WRITTEN_NUMBER.longest}, '', ${matched})`);
  }

  /** What a written number is made of: ± significant · 10^power, where `significant` begins with no 0. */
  decimalParts(digits: string, as: string): { isNegative: string; significant: string; power: string } {
    const mantissa = this.define(
      `${as}_mantissa`,
      `replaceRegexpOne(${digits}, ${text("^[+]?([^eE]*).*$")}, ${text("\\1")})`,
    );
    const fraction = `extract(${mantissa}, ${text("\\.([0-9]*)")})`;
    const significant = this.define(
      `${as}_significant`,
      `extract(replaceAll(${mantissa}, '.', ''), ${text("^-?0*([0-9]*)$")})`,
    );
    // Exponents of many digits are as far beyond all doubles, or as near to 0, as one of four.
    const exponent = this.define(`${as}_exponent`, `extract(${digits}, ${text("[eE][+-]?0*([0-9]*)$")})`);
    const size = `if(length(${exponent}) > 4, toInt32(9999), toInt32OrZero(${exponent}))`;
    const sign = `if(match(${digits}, '[eE]-'), -1, 1)`;
    const power = this.define(`${as}_power`, `toInt32(${size} * ${sign} - toInt32(length(${fraction})))`);
    return { isNegative: `startsWith(${mantissa}, '-')`, significant, power };
  }

  #numberIn(written: string, as: string): NumberField {
    const digits = this.writtenNumber(written, as);
    const { value: read, unread } = this.#table.exactDoubles
      ? { value: `ifNull(toFloat64OrNull(${digits}), nan)`, unread: "0" }
      : this.#shortDecimal(digits, as);
    const value = this.define(as, read);
    // NaN is how some writers say that there is no value.
    const isNone = `match(${written}, ${text(`^${BLANK}${WRITTEN_NUMBER.none}${BLANK}$`)})`;
    return {
      value,
      absent: not(isFilled(written)),
      wrong: anyOf([allOf([isFilled(written), `${digits} = ''`, not(isNone)]), `isInfinite(${value})`]),
      unread: allOf([unread, `${digits} != ''`]),
    };
  }

  /** [longitude, latitude] in one column. */
  point(name: string): { latitude: NumberField; longitude: NumberField; isNoPair: string } {
    const { is } = this.type(name);
    if (is.kind === "text") {
      const written = this.text(name);
      const number = `${BLANK}${NUMBER}${BLANK}`;
      const part = (as: string, pattern: string): NumberField => ({
        ...this.#numberIn(`extract(${written}, ${text(`^${BLANK}\\[${pattern}\\]${BLANK}$`)})`, as),
        absent: not(isFilled(written)),
      });
      const longitude = part("longitude", `(${number}),${number}`);
      const latitude = part("latitude", `${number},(${number})`);
      return { latitude, longitude, isNoPair: "0" };
    }
    if (is.kind !== "pair" && is.kind !== "list")
      throw this.#unsupported(
        name,
        "--point",
        "a point is a tuple or an array of two numbers, or text like [lon, lat]",
      );
    const column = identifier(name);
    const isPair = is.kind === "pair";
    const absent = isPair ? "0" : `empty(${column})`;
    const element = (at: number): NumberField => {
      const value = isPair ? `tupleElement(${column}, ${at})` : `${column}[${at}]`;
      return { value: choose(absent, "nan", `toFloat64(${value})`), absent, wrong: "0", unread: "0" };
    };
    return {
      latitude: element(2),
      longitude: element(1),
      isNoPair: isPair ? "0" : `length(${column}) NOT IN (0, 2)`,
    };
  }

  /** The number of an H3 cell that stands in the column; 0 if it holds none that is written like one. */
  cell(name: string): { readonly value: string; readonly absent: string } {
    const { is } = this.type(name);
    if (is.kind === "integer") {
      const absent = this.isNull(name) ?? "0";
      const whole = `toInt64(${this.present(name)})`;
      return { value: choose(absent, "toInt64(0)", whole), absent };
    }
    if (is.kind !== "text") throw this.#unsupported(name, "--cell", "cells are text or integers");
    const written = this.text(name);
    const digits = (pattern: string): string => `extract(${written}, ${text(`^ *(${pattern}) *$`)})`;
    const hexadecimal = this.define("cell_digits", digits(WRITTEN_CELL.hexadecimal));
    // The lowest byte first, as the server's integers have it.
    const number = `reinterpretAsInt64(reverse(unhex(concat('0', ${hexadecimal}))))`;
    const decimal = `toInt64OrZero(${digits(WRITTEN_CELL.decimal)})`;
    return { value: `if(${hexadecimal} != '', ${number}, ${decimal})`, absent: not(isFilled(written)) };
  }

  #unsupported(name: string, flag: string, remedy: string): VeilgridError {
    return new VeilgridError(
      "ENGINE_UNSUPPORTED",
      `${quoteForMessage(this.#table.name)}: column ${quoteForMessage(name)} (${flag}) is of a type that is not read here: ${remedy}; give a view with such a column`,
    );
  }

  /**
   * A decimal of at most 15 digits and a power of ten of at most 22 as the nearest double on servers whose own reader errs: both
   * are doubles exactly, and one multiplication or division rounds once. What is longer is refused, for want of a way.
   */
  #shortDecimal(digits: string, as: string): { value: string; unread: string } {
    const { isNegative, significant, power } = this.decimalParts(digits, as);
    const unscaled = `if(${isNegative}, -1, 1) * toInt64OrZero(${significant})`;
    // 10¹⁹ is the largest power of ten among 64-bit integers; it and its product with 10³ are doubles exactly.
    const size = `toInt32(abs(${power}))`;
    const scale = `(toFloat64(intExp10(least(${size}, toInt32(19)))) * toFloat64(intExp10(greatest(${size} - toInt32(19), toInt32(0)))))`;
    const whole = `toFloat64(${unscaled})`;
    const isZero = `(${digits} != '' AND ${significant} = '')`;
    // A zero has a sign, which an integer has not; on the lattice the two are one.
    return {
      value: `if(${isZero}, toFloat64(0), if(${digits} = '', nan, if(${power} < 0, ${whole} / ${scale}, ${whole} * ${scale})))`,
      unread: allOf([not(isZero), anyOf([`length(${significant}) > 15`, `abs(${power}) > 22`])]),
    };
  }
}
