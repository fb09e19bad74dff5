/** What a table of options yields: types, flags, values as text, choices, and what is wrong with a value. */
import { parseDecimal, Rational } from "../arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../errors/index.ts";

/** One option, declared once: commands, config files, requests, programs and forms take it from here. */
export interface Option {
  /** What the flag takes, as help shows it: `<number>`. Without it the flag is on or off. */
  readonly takes?: `<${string}>`;
  readonly help: string;
  /** As help shows it; what uses the option decides. */
  readonly default?: string;
  /** Programs may give a number or a Rational instead of text. */
  readonly type?: "number";
  readonly choices?: readonly string[];
  /** Requests to the service and forms take it too: text of at most 400 characters, or of this pattern. */
  readonly served?: boolean | { readonly pattern: string };
  /** The strategies it goes with; all of them if absent. */
  readonly strategies?: readonly string[];
}

export const MOST_CHARACTERS = 400;
/** Of a decimal in a request. */
export const DECIMAL = { pattern: "^\\d{1,30}(\\.\\d{1,30})?$" } as const;

export type OptionTable = Readonly<Record<string, Option>>;

/** A number is read as its shortest decimal text: 0.1 is one tenth. */
export type Decimal = string | number | Rational;

/** A decimal as an exact number. */
export function exactDecimal(value: Decimal, name: string): Rational {
  if (value instanceof Rational) return value;
  return parseDecimal(String(value), name);
}

/** A whole number of a range, written in digits. */
export function wholeNumber(text: string, flag: string, least: number, most: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new VeilgridError(
    "PARAMETER_INVALID",
    `${flag} ${quoteForMessage(text)} must be a whole number from ${least} to ${most}`,
  );
}

type Takes<Entry, Given> = Entry extends { readonly takes: string } ? Given : boolean;

/** Values as flags, config files and requests give them. */
export type OptionTexts<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: Takes<Table[Name], string> | undefined;
};

/** Values as programs give them. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]?:
    | Takes<Table[Name], Table[Name] extends { readonly type: "number" } ? Decimal : string>
    | undefined;
};

/** `timeLimit` → `--time-limit`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `time-limit` → `timeLimit`. */
export function optionName(flag: string): string {
  return flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The table's options of some values, as text; those that are absent or off are left out. */
export function optionTexts<Table extends OptionTable>(table: Table, values: OptionValues<Table>): OptionTexts<Table> {
  const texts = Object.entries(table).flatMap(([name, { takes }]) => {
    const value: unknown = values[name];
    if (value === undefined || value === false) return [];
    return [[name, value === true && takes === undefined ? value : decimalText(value as Decimal, name)] as const];
  });
  return Object.fromEntries(texts) as OptionTexts<Table>;
}

function decimalText(value: Decimal, name: string): string {
  // The shortest text of a number may have an exponent, which not every option reads.
  return typeof value === "string" ? value : exactDecimal(value, flagOf(name)).toString();
}

type ChoiceOf<Entry> = Entry extends { readonly choices: ReadonlyArray<infer Choice> } ? Choice : never;

/** One of the option's choices: the one that is given, or `standard`. */
export function chosen<Table extends OptionTable, Name extends keyof Table & string, Standard = undefined>(
  table: Table,
  name: Name,
  given: string | undefined,
  standard?: Standard,
): ChoiceOf<Table[Name]> | Standard {
  if (given === undefined) return standard as Standard;
  const choices = table[name]?.choices ?? [];
  if (choices.includes(given)) return given as ChoiceOf<Table[Name]>;
  throw new VeilgridError(
    "USAGE",
    `${flagOf(name)} ${quoteForMessage(given)} is unknown; use ${choices.join(choices.length > 2 ? ", " : " or ")}`,
  );
}

/** The table's texts, each held to its pattern; undefined where none is given. */
export function checkedTexts<Table extends OptionTable>(
  table: Table,
  values: OptionValues<Table>,
): OptionTexts<Table> | undefined {
  const texts = optionTexts(table, values);
  for (const [name, text] of Object.entries(texts)) {
    const { served, help } = table[name] ?? {};
    if (typeof text === "string" && typeof served === "object" && !fits(text, served.pattern))
      throw new VeilgridError("PARAMETER_INVALID", `${flagOf(name)} ${quoteForMessage(text)} does not fit: ${help}`);
  }
  return Object.keys(texts).length === 0 ? undefined : texts;
}

/** What a form says of its values that a request could not have, by option. */
export function optionProblems<Table extends OptionTable>(
  table: Table,
  values: OptionTexts<Table>,
): ReadonlyMap<string, string> {
  const found = Object.entries(optionTexts(table, values)).flatMap(([name, text]) => {
    const problem = typeof text === "string" ? optionProblem(table[name] ?? { help: "" }, text) : undefined;
    return problem === undefined ? [] : [[name, problem] as const];
  });
  return new Map(found);
}

function optionProblem(option: Option, text: string): string | undefined {
  if (option.choices !== undefined && !option.choices.includes(text)) return `One of: ${option.choices.join(", ")}.`;
  if (option.served === DECIMAL && !fits(text, DECIMAL.pattern)) return "A number, such as 0.5.";
  if (typeof option.served === "object") return fits(text, option.served.pattern) ? undefined : option.help;
  return [...text].length > MOST_CHARACTERS ? `At most ${MOST_CHARACTERS} characters.` : undefined;
}

/** Counts characters as request schemas do: an emoji is one. */
function fits(text: string, pattern: string): boolean {
  return new RegExp(pattern, "u").test(text);
}
