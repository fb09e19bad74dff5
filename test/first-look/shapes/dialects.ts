/** The same few columns in ways of writing that programs and countries have. */
import type { Case } from "../case.ts";
import { clock, csv, scrambled } from "../invented.ts";

type Columns = Parameters<typeof csv>[0];

const RIDES: Columns = {
  rider_id: ({ user }) => scrambled(user),
  zone: ({ group }) => `Zone ${group}`,
  fare: ({ chance }) => (2 + chance * 30).toFixed(2),
};
const RIGHT = { user: "rider_id", value: "fare", by: "zone" } as const;
const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"));

/** Rides at times written by a pattern. */
const timed = (pattern: string, start: string, stepSeconds = 1801): string =>
  csv(
    {
      passenger: ({ user }) => `p${scrambled(user)}`,
      when: ({ time }) => clock(time, pattern),
      fare: ({ chance }) => (2 + chance * 30).toFixed(2),
    },
    { start, stepSeconds, rows: 200 },
  );
const TIMED = { user: "passenger", value: "fare", time: "when" } as const;

export const DIALECTS: readonly Case[] = [
  {
    name: "UTF-16 with tabs, as a spreadsheet saves it",
    files: { "rides.txt": utf16(csv(RIDES, {}, { delimiter: "\t" })) },
    right: RIGHT,
  },
  {
    name: "a first line that says sep=;",
    files: { "rides.csv": `sep=;\n${csv(RIDES, {}, { delimiter: ";" })}` },
    right: RIGHT,
  },
  {
    name: "line breaks of Windows, and quotes",
    files: { "rides.csv": csv(RIDES, {}, { lineBreak: "\r\n" }).replace(/Zone (\d)/g, '"Zone $1"') },
    right: RIGHT,
  },
  { name: "pipes", files: { "rides.psv": csv(RIDES, {}, { delimiter: "|" }) }, right: RIGHT },
  {
    name: "NA for riders and for fares",
    files: {
      "rides.csv": csv({
        ...RIDES,
        rider_id: ({ user, chance }) => (chance < 0.1 ? "NA" : scrambled(user)),
        fare: ({ chance }) => (chance > 0.9 ? "NA" : (2 + chance * 30).toFixed(2)),
      }),
    },
    right: { ...RIGHT, missing: "midpoint" },
    says: /NA/,
  },
  {
    name: "29-Aug-13",
    files: { "rides.csv": timed("dd-Aug-yy HH:mm", "2013-08-20T06:00:00Z") },
    right: { ...TIMED, "time-format": ["dd-mmm-yy", "dd-mon-yy"] },
  },
  {
    name: "months or days first, which no row proves",
    files: { "rides.csv": timed("MM/dd/yyyy HH:mm", "2013-08-01T06:00:00Z") },
    right: { ...TIMED, "time-format": "mm/dd/yyyy" },
    says: /cannot be told/,
  },
  {
    name: "a month first, which one row proves",
    files: { "rides.csv": timed("M/d/yyyy H:mm", "2013-08-10T06:00:00Z") },
    right: { ...TIMED, "time-format": "mm/dd/yyyy" },
  },
  {
    name: "days first with two-digit years and points",
    files: { "rides.csv": timed("dd.MM.yy HH:mm", "2013-08-29T06:00:00Z") },
    right: { ...TIMED, "time-format": "dd.mm.yy" },
  },
  {
    name: "AM and PM",
    files: { "rides.csv": timed("MM/dd/yyyy hh:mm:ss a", "2013-08-29T06:00:00Z") },
    right: { ...TIMED, "time-format": "mm/dd/yyyy" },
  },
  {
    name: "seconds since 1970",
    files: { "rides.csv": timed("yyyy", "2013-08-29T06:00:00Z").replace(/,2013,/g, ",1377756000,") },
    right: { ...TIMED, "time-format": [null, "epoch-s"] },
  },
  {
    name: "days without separators",
    files: { "rides.csv": timed("yyyyMMdd", "2013-08-29T06:00:00Z") },
    right: { ...TIMED, "time-format": "yyyymmdd" },
  },
];
