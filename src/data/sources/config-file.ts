/** Config files: YAML whose keys are the long flag names, one dataset per file. Read only when asked for; flags win. */
import { readFile } from "node:fs/promises";
import type { Document } from "yaml";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { optionName } from "../../core/options/index.ts";
import { asReadError } from "./read-error.ts";

/** Flags by camel-case name, as the option parser gives them. */
export type ConfigValues = Readonly<Record<string, string | boolean>>;

/** `known` are the long flag names the command has, with whether they take a value. */
export async function readConfigFile(path: string, known: ReadonlyMap<string, boolean>): Promise<ConfigValues> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw asReadError(error, path);
  }
  const { parseDocument } = await import("yaml");
  // Scalars stay text: 0.10 is not a double on its way, and 007 is an id.
  // The parser's own warnings would be lines that are not ours; a key that is a list is refused as no flag.
  const document = parseDocument(text, { schema: "failsafe", uniqueKeys: true, logLevel: "error" });
  const shown = quoteForMessage(path);
  const [wrong] = document.errors;
  if (wrong !== undefined) {
    const line = wrong.linePos?.[0].line;
    throw malformed(`${shown}${line === undefined ? "" : `: line ${line}`}: not YAML; write one 'flag: value' a line`);
  }
  const content = plainContent(document, shown);
  if (content === null || content === "") return {};
  if (typeof content !== "object" || Array.isArray(content))
    throw malformed(`${shown}: not a config file; write one 'flag: value' a line`);
  return Object.fromEntries(
    Object.entries(content).map(([key, value]) => [optionName(key), settingOf(key, value, known, shown)]),
  );
}

function malformed(message: string): VeilgridError {
  return new VeilgridError("INPUT_MALFORMED", message);
}

/** Aliases that lead nowhere, or to ever more aliases, are found out only here. */
function plainContent(document: Document, shown: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw malformed(`${shown}: aliases (*name) are not for config files; put the text into quotes`);
  }
}

function settingOf(key: string, value: unknown, known: ReadonlyMap<string, boolean>, shown: string): string | boolean {
  const takesValue = known.get(key);
  if (takesValue === undefined)
    throw malformed(
      `${shown}: ${quoteForMessage(key)} is no flag of this command; keys are long flag names without dashes`,
    );
  const text = Array.isArray(value) && value.every((each) => typeof each === "string") ? value.join(",") : value;
  if (typeof text !== "string") throw malformed(`${shown}: ${key} must be one value or a list`);
  if (takesValue) return text;
  if (text !== "true" && text !== "false") throw malformed(`${shown}: ${key} must be true or false`);
  return text === "true";
}

/** The text of a config file with these flags, in this order. */
export function configText(
  flags: ReadonlyArray<readonly [name: string, value: string | boolean]>,
  about: readonly string[],
): string {
  const comments = about.map((line) => `# ${line.replace(/[\r\n]+/g, " ")}\n`);
  return [...comments, ...flags.map(([name, value]) => `${name}: ${scalar(String(value))}\n`)].join("");
}

/** Plain where YAML cannot take it for anything but this text; a JSON string is YAML as well. */
function scalar(value: string): string {
  return /^[A-Za-z_][\w./,-]*$/.test(value) ? value : JSON.stringify(value);
}
