/** The readers that are fuzzed. Each is given bytes; what it returns in words is a fault, what it throws must be a refusal. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { survey } from "#apps/operations";
import { parseDecimal, tryParseExact } from "#core/arithmetic";
import { makeObjective, parseBounds, parseStatistics, parseWeights } from "#core/influence";
import { OccupancyCsvReader, occupancyCsvChunks, occupancyHash } from "#core/occupancy";
import { parseErrorTarget, planText, readPlan } from "#core/planning";
import { gridId, parseGridId, parseInstant, parseRecipe, parseSlot, parseZone, readRecipe } from "#data/partition";
import { parseDatabaseUrl, parseDelimiter, readConfigFile, readJsonHead, sniffCsv } from "#data/sources";
import { readResult } from "#publish/release";
import { ledgerFile } from "./ledger-file.mjs";
import { parquet } from "./parquet.mjs";
import { yaml } from "./yaml.mjs";

const text = (bytes) => bytes.toString("utf8");
const BOUNDS = parseBounds("0,65");
const KNOWN_FLAGS = new Map([
  ["user", true],
  ["value", true],
  ["by", true],
  ["bounds", true],
  ["caps", false],
]);

/** Of bytes in pieces as they may arrive. */
function readOccupancy(bytes, random) {
  const reader = new OccupancyCsvReader("input");
  for (let at = 0; at < bytes.length; ) {
    const to = Math.min(bytes.length, at + 1 + random.below(64));
    reader.push(bytes.subarray(at, to));
    at = to;
  }
  return reader.finish().occupancy;
}

/** A file of records in a folder, surveyed by the embedded engine. */
const records = (file) => ({
  mayCrash: true,
  prepare: (folder) => path.join(folder, file),
  try: async (bytes, place) => {
    writeFileSync(place, bytes);
    const { survey: found } = await survey(place, {
      records: { user: "bus", value: "speed", by: "stop", emptyUser: "one" },
    });
    return found.entries > 0 && found.samples >= found.entries ? undefined : "surveyed nothing without a word";
  },
});

export const targets = {
  occupancy: {
    try: (bytes, _, random) => {
      const occupancy = readOccupancy(bytes, random);
      const again = readOccupancy(Buffer.concat([...occupancyCsvChunks(occupancy)]), random);
      return occupancyHash(again) === occupancyHash(occupancy)
        ? undefined
        : "is another array when it is written and read again";
    },
  },
  plan: {
    try: (bytes) => {
      const plan = readPlan(text(bytes));
      return planText(plan).trimEnd() === text(bytes).trimEnd()
        ? undefined
        : "is another plan when it is written again";
    },
  },
  result: { try: (bytes) => void readResult(text(bytes)) },
  recipe: {
    try: (bytes) => {
      let json;
      try {
        json = JSON.parse(text(bytes));
      } catch {
        return;
      }
      if (json !== null && typeof json === "object" && !Array.isArray(json)) readRecipe(json);
    },
  },
  csv: { try: (bytes, _, random) => void sniffCsv(text(bytes), random.below(2) === 0) },
  json: { try: (bytes) => void readJsonHead(text(bytes)) },
  config: {
    prepare: (folder) => path.join(folder, "config.yaml"),
    try: async (bytes, place) => {
      writeFileSync(place, bytes);
      await readConfigFile(place, KNOWN_FLAGS);
    },
  },
  "config-grammar": yaml,
  address: {
    try: (bytes) => {
      const url = parseDatabaseUrl(text(bytes));
      return url !== undefined && /\/[^/:@]*:[^/]*hunter2[^/]*@/.test(url.shown) ? "shows a password" : undefined;
    },
  },
  flags: {
    try: (bytes) => {
      const given = text(bytes);
      const [head = "", ...rest] = given.split(" ");
      const tail = rest.join(" ");
      switch (head) {
        case "bounds":
          return void parseBounds(tail);
        case "statistics":
          return void parseWeights(undefined, parseStatistics(tail, BOUNDS));
        case "weights":
          return void parseWeights(tail, parseStatistics("mean,variance", BOUNDS));
        case "error":
          return void parseErrorTarget(tail, makeObjective(BOUNDS));
        case "slot":
          return void parseSlot(tail);
        case "zone":
          return void parseZone(tail);
        case "instant":
          return void parseInstant(tail, parseZone("Europe/Vienna"), "--from");
        case "delimiter":
          return void parseDelimiter(tail);
        case "recipe": {
          const [by, h3, time, hours, dedupe] = tail.split("|");
          return void parseRecipe({ user: "bus", value: "speed", by, h3, time, hours, dedupe });
        }
        case "exact": {
          const value = tryParseExact(tail);
          return value === undefined || tryParseExact(String(value))?.compare(value) === 0
            ? undefined
            : "is another number when it is written";
        }
        default:
          return void parseDecimal(given);
      }
    },
  },
  "grid-id": {
    try: (bytes) => {
      const parts = text(bytes).split("\n");
      const id = gridId(parts);
      const { columns } = parseGridId(id, { columns: parts.length, cell: false, slot: false });
      return JSON.stringify(columns) === JSON.stringify(parts) || !parts.every((part) => part.isWellFormed())
        ? undefined
        : "has other parts when it is read back";
    },
  },
  "records-csv": records("records.csv"),
  "records-json": records("records.json"),
  "records-gzip": records("records.csv.gz"),
  "records-parquet": records("records.parquet"),
  "parquet-columns": parquet,
  "ledger-file": ledgerFile,
};
