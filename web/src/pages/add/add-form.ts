/** Converts guesses to the fields of the form for a new dataset, and the fields to a request. */
import { tryParseDecimal } from "../../../../src/core/arithmetic/index.ts";
import {
  measuredBound,
  parseBounds,
  parseStatistics,
  STATISTICS,
  type StatisticKind,
} from "../../../../src/core/influence/index.ts";
import { ABOUT_OPTIONS, optionName, optionProblems, RECORDS_OPTIONS } from "../../../../src/core/options/index.ts";
import { flagIn, plainWords } from "../../plain-words.ts";
import type { Service } from "../../session.ts";
import type { Dialect, Look } from "./first-look.ts";

/** What a statistic wants to know beside its name, such as a threshold. */
export type ArgumentField = `argument-${string}`;

export interface AddForm {
  readonly name: string;
  readonly user: string;
  readonly value: string;
  readonly unit: string;
  readonly lower: string;
  readonly upper: string;
  /** What a grid is made of beside time. */
  readonly place: "hexagons" | "columns" | "nothing";
  /** Latitude and longitude in two columns, or in one; or hexagons that the file has already. */
  readonly placeIn: "two" | "one" | "cell";
  readonly lat: string;
  readonly lon: string;
  readonly point: string;
  readonly cell: string;
  /** Empty: hexagons as the file has them. */
  readonly h3: string;
  readonly by: readonly string[];
  /** Empty: none. */
  readonly time: string;
  readonly timeFormat: string;
  readonly slot: string;
  readonly tz: string;
  readonly grids: "all" | "users" | "top";
  readonly minUsers: string;
  readonly top: string;
  readonly dedupe: readonly string[];
  readonly emptyUser: string;
  readonly oneRecordPerUser: boolean;
  readonly missing: string;
  /** Names. */
  readonly statistics: readonly string[];
  /** Missing until something is written. */
  readonly [argument: ArgumentField]: string | undefined;
  readonly budget: string;
  readonly isPublic: boolean;
}

export type AddField = keyof AddForm;
export type Problems = Readonly<Partial<Record<AddField, string>>>;
export type NewDataset = Parameters<Service["registerDataset"]>[0]["body"];

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const OFFSET = /^[+-]\d\d:\d\d$/;

export function formOf({ guess, columns }: Look, fileName: string): AddForm {
  const list = (text: string | undefined): string[] => (text === undefined ? [] : text.split(","));
  const isPlaced = ["lat", "point", "cell"].some((flag) => guess[flag] !== undefined);
  const placeIn = guess["point"] !== undefined ? "one" : guess["cell"] !== undefined ? "cell" : "two";
  const hasGroups = guess["by"] !== undefined;
  return {
    name: datasetName(fileName),
    user: guess["user"] ?? "",
    value: guess["value"] ?? "",
    unit: "",
    lower: "",
    upper: "",
    place: isPlaced ? "hexagons" : hasGroups || guess["time"] === undefined ? "columns" : "nothing",
    placeIn,
    lat: guess["lat"] ?? "",
    lon: guess["lon"] ?? "",
    point: guess["point"] ?? columns.find(({ type }) => type === "point")?.name ?? "",
    cell: guess["cell"] ?? columns.find(({ type }) => type === "cell")?.name ?? "",
    h3: guess["h3"] ?? sizeFor(placeIn, ""),
    by: list(guess["by"]),
    time: guess["time"] ?? "",
    timeFormat: guess["time-format"] ?? "auto",
    slot: guess["slot"] ?? "1h",
    tz: guess["tz"] ?? "UTC",
    grids: guess["top"] === undefined ? "all" : "top",
    minUsers: "20",
    top: guess["top"] ?? "50",
    dedupe: list(guess["dedupe"]),
    emptyUser: guess["empty-user"] ?? "refuse",
    oneRecordPerUser: false,
    missing: guess["missing"] ?? "refuse",
    statistics: ["mean"],
    budget: "3",
    isPublic: false,
  };
}

/** The user and the protected number are neither grids nor what records are compared by. */
export function changedForm(form: AddForm, fields: Partial<AddForm>): AddForm {
  const next = { ...form, ...fields };
  const isFree = (column: string): boolean => column !== next.value && column !== next.user;
  return { ...next, by: next.by.filter(isFree), dedupe: next.dedupe.filter(isFree) };
}

/** A name that the service takes, from a file's. */
export function datasetName(fileName: string): string {
  const plain = fileName
    .replace(/(\.(csv|tsv|txt|json|jsonl|ndjson|parquet|gz))+$/i, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+|[-.]+$/g, "")
    .slice(0, 64);
  return plain === "" ? "data" : plain;
}

/** The next name of the same kind: trips, trips-2, trips-3. */
export function otherName(name: string): string {
  const [, stem = name, number] = /^(.*?)-(\d{1,4})$/.exec(name) ?? [];
  return `${stem.slice(0, 58)}-${number === undefined ? 2 : Number(number) + 1}`;
}

export function argumentField({ name }: StatisticKind): ArgumentField {
  return `argument-${name}`;
}

/** Those that are chosen, in the order in which they are offered. */
export function chosenStatistics({ statistics }: AddForm): StatisticKind[] {
  return STATISTICS.filter(({ name }) => statistics.includes(name));
}

export function statisticsText(form: AddForm): string {
  return chosenStatistics(form)
    .map((kind) => statisticText(kind, form))
    .join();
}

function statisticText(kind: StatisticKind, form: AddForm): string {
  if (kind.argument === null) return kind.name;
  const argument = argumentText(kind, form);
  return `${kind.name}:${kind.argument.field.isList ? argument.split(/[\s,;/]+/).join("/") : argument}`;
}

function argumentText(kind: StatisticKind, form: AddForm): string {
  return (form[argumentField(kind)] ?? "").trim();
}

export function requestOf(form: AddForm, source: string, dialect: Dialect = {}): NewDataset {
  const hasTime = form.time !== "";
  const recipe: Record<string, string | boolean | undefined> = {
    user: form.user,
    value: form.value,
    by: form.place === "columns" && form.by.length > 0 ? form.by.join(",") : undefined,
    ...(form.place === "hexagons" ? placeOf(form) : {}),
    ...(hasTime
      ? {
          time: form.time,
          timeFormat: form.timeFormat === "auto" ? undefined : form.timeFormat,
          slot: form.slot === "" ? undefined : form.slot,
          tz: form.tz.trim(),
        }
      : {}),
    emptyUser: form.emptyUser === "refuse" ? undefined : form.emptyUser,
    oneRecordPerUser: form.oneRecordPerUser || undefined,
    dedupe: form.dedupe.length > 0 ? form.dedupe.join(",") : undefined,
    missing: form.missing === "refuse" ? undefined : form.missing,
    minUsers: form.grids === "users" ? form.minUsers.trim() : undefined,
    top: form.grids === "top" ? form.top.trim() : undefined,
    delimiter: dialect.delimiter,
    header: dialect.header,
  };
  return {
    name: form.name.trim(),
    source,
    recipe: Object.fromEntries(Object.entries(recipe).filter(([, value]) => value !== undefined)),
    bounds: boundsText(form),
    statistics: statisticsText(form),
    ...(form.unit.trim() === "" ? {} : { unit: form.unit.trim() }),
    budget: form.budget.trim(),
    occupancyIsPublic: true,
  };
}

function placeOf({ placeIn, lat, lon, point, cell, h3 }: AddForm): Record<string, string | undefined> {
  if (placeIn === "cell") return { cell, h3: h3 === "" ? undefined : h3 };
  return placeIn === "two" ? { lat, lon, h3 } : { point, h3 };
}

/** Points need a size; hexagons of the file have one. */
export function sizeFor(placeIn: AddForm["placeIn"], now: string): string {
  return placeIn === "cell" ? "" : now === "" ? "8" : now;
}

function boundsText({ lower, upper }: AddForm): string {
  return `${lower.trim()},${upper.trim()}`;
}

/** What keeps the form from being sent, by field, in the order of the page. */
export function problemsOf(form: AddForm): Problems {
  const problems: Partial<Record<AddField, string>> = {};
  const demand = (field: AddField, holds: boolean, says: string): void => {
    if (!holds) problems[field] ??= says;
  };
  demand("name", NAME.test(form.name.trim()), "Letters, digits, dots, hyphens and underscores, at most 64.");
  demand("user", form.user !== "", "Say which column tells whose record it is.");
  demand("value", form.value !== "", "Say which number is wanted and protected.");
  demand("value", form.value !== form.user, "The number cannot be the user as well.");
  checkBounds(form, demand);
  checkGrids(form, demand);
  checkStatistics(form, demand);
  const budget = tryParseDecimal(form.budget.trim());
  demand("budget", budget !== undefined && budget.sign() > 0, "A number above 0, such as 3.");
  const { recipe, unit } = requestOf(form, "");
  for (const [name, says] of [
    ...optionProblems(RECORDS_OPTIONS, recipe),
    ...optionProblems(ABOUT_OPTIONS, unit === undefined ? {} : { unit }),
  ])
    demand(name as AddField, false, says);
  demand("isPublic", form.isPublic, "Without this, nothing can be planned: plans are made from these counts.");
  return problems;
}

type Demand = (field: AddField, holds: boolean, says: string) => void;

function checkBounds(form: AddForm, demand: Demand): void {
  const isNumber = (text: string): boolean => tryParseDecimal(text.trim()) !== undefined;
  demand("lower", isNumber(form.lower), "A number: the lowest value that makes sense.");
  demand("upper", isNumber(form.upper), "A number: the highest value that makes sense.");
  if (!isNumber(form.lower) || !isNumber(form.upper)) return;
  try {
    parseBounds(boundsText(form));
  } catch (error) {
    demand("upper", false, asSentence(error));
  }
}

function checkGrids(form: AddForm, demand: Demand): void {
  const { place, placeIn, value } = form;
  const isOther = (column: string): boolean => column !== value;
  const both = "The protected number cannot decide about grids: what does is public.";
  if (place === "hexagons" && placeIn === "two") {
    demand("lat", form.lat !== "", "Say which column is the latitude.");
    demand("lon", form.lon !== "", "Say which column is the longitude.");
    demand("lon", form.lon !== form.lat, "Latitude and longitude are two columns.");
    demand("lat", isOther(form.lat), both);
    demand("lon", isOther(form.lon), both);
  }
  if (place === "hexagons" && placeIn === "one") demand("point", form.point !== "", "Say which column is the place.");
  if (place === "hexagons" && placeIn === "cell") {
    demand("cell", form.cell !== "", "Say which column holds the hexagons.");
    demand("cell", isOther(form.cell), both);
  }
  if (place === "columns") {
    demand("by", form.by.length > 0, "Choose at least one column, or let time alone make the grids.");
    demand("by", form.by.every(isOther), both);
  }
  if (place === "nothing")
    demand(
      "time",
      form.time !== "" && form.slot !== "",
      "Without places or columns, grids are time slots: choose both.",
    );
  if (form.time !== "") {
    demand("time", isOther(form.time), both);
    demand("tz", isZone(form.tz.trim()), "A zone such as Europe/Berlin, an offset such as +05:30, or UTC.");
  }
  const isCount = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text.trim());
  if (form.grids === "users") demand("minUsers", isCount(form.minUsers), "A whole number, 1 or more.");
  if (form.grids === "top") demand("top", isCount(form.top), "A whole number, 1 or more.");
}

function checkStatistics(form: AddForm, demand: Demand): void {
  demand("statistics", form.statistics.length > 0, "Choose at least one.");
  for (const kind of chosenStatistics(form)) {
    if (kind.argument === null) continue;
    const { isList, wanted } = kind.argument.field;
    const written = argumentText(kind, form);
    const field = argumentField(kind);
    demand(field, isList ? /\d/.test(written) : tryParseDecimal(written) !== undefined, wanted);
    if (tryParseDecimal(form.lower.trim()) === undefined) continue;
    try {
      parseStatistics(statisticText(kind, form), parseBounds(boundsText(form)));
    } catch (error) {
      demand(field, false, asSentence(error));
    }
  }
}

function isZone(text: string): boolean {
  if (OFFSET.test(text)) return true;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Fields that are no options of records, by what a sentence calls them. */
const OTHER_FIELDS: Readonly<Record<string, AddField>> = {
  bounds: "upper",
  statistics: "statistics",
  budget: "budget",
  name: "name",
  unit: "unit",
};

/** The field of an option, by its flag or its name in a request. */
function fieldOfOption(flag: string): AddField | undefined {
  const name = optionName(flag);
  return name in RECORDS_OPTIONS ? (name as AddField) : OTHER_FIELDS[name];
}

/** The field that a sentence of the service is about, where it can be told. */
export function fieldOf({ code, message }: { readonly code?: string; readonly message: string }): AddField | undefined {
  if (code === "DATASET_EXISTS") return "name";
  const flag =
    flagIn(message) ?? /^body\/(?:recipe\/)?(\w+)/.exec(message)?.[1] ?? /^bounds /.exec(message)?.[0].trim();
  return flag === undefined ? undefined : fieldOfOption(flag);
}

/** What the look left open or doubted, by the field it is about; the rest under "name". */
export function remarksOf({
  open,
  doubts,
}: Pick<Look, "open" | "doubts">): Readonly<Partial<Record<AddField, string>>> {
  const remarks: Partial<Record<AddField, string>> = {};
  const add = (field: AddField, text: string): void => {
    remarks[field] = remarks[field] === undefined ? text : `${remarks[field]} ${text}`;
  };
  for (const { flag, says } of open) add(fieldOfOption(flag) ?? "name", plainWords(says));
  for (const doubt of doubts) add(fieldOf({ message: doubt }) ?? "name", plainWords(doubt));
  return remarks;
}

/** What is doubtful about bounds that look as if they were read off the data, by the field it is about. */
export function boundsRemark({ lower, upper }: Pick<AddForm, "lower" | "upper">): Partial<Record<AddField, string>> {
  const says =
    "So many digits look taken from the data, whose extremes they would make public. Use what is known without it: a limit, a sensor’s range, a round number.";
  if (measuredBound([lower]) !== undefined) return { lower: says };
  return measuredBound([upper]) === undefined ? {} : { upper: says };
}

function asSentence(error: unknown): string {
  const text = plainWords(error instanceof Error ? error.message : String(error));
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
