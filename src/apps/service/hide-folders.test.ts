/** Tests that messages keep what they say and lose where files lie. */
import { expect, test } from "vitest";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { errorWithoutFolders, fileBelow, withoutFolders } from "./hide-folders.ts";

const LONG = "/srv/secret place/of many/folders that are long/records of the year that is over.csv";
const FOLDERS = ["/srv/data", "/var/lib/veilgrid", "/var/lib/veilgrid/uploads", "/", "state"];

test.each([
  ["/srv/data/in/a.csv ends early", "a.csv ends early"],
  ["'/srv/data/in/a.csv' ends early", "'a.csv' ends early"],
  [`${quoteForMessage(LONG)} is empty`, "'...s of the year that is over.csv' is empty"],
  ["cannot write /var/lib/veilgrid/occupancy/x.csv (EACCES)", "cannot write x.csv (EACCES)"],
  ["cannot open '/var/lib/veilgrid/ledger.db': locked", "cannot open 'ledger.db': locked"],
  ["EACCES: '/var/lib/veilgrid/uploads/01ab/a.csv', '/srv/data/'", "EACCES: 'a.csv', 'data'"],
  ["no folder /var/lib/veilgrid.", "no folder veilgrid."],
  ["the column 'km' has no unit; say km/h or 1/2 in state", "the column 'km' has no unit; say km/h or 1/2 in state"],
  ["/srv/database is another", "/srv/database is another"],
  ["'postgres://reader@db/traffic' has no table 'trips'", "'postgres://reader@db/traffic' has no table 'trips'"],
])("%j is told as %j", (message, told) => {
  expect(withoutFolders(message, "/srv/data/in/a.csv", FOLDERS)).toBe(told);
});

test.each([
  ["/srv/data/a.csv", "/srv/data/a.csv", "a.csv"],
  ["/srv/data/in/a.csv", "/srv/data/in/*.csv", "a.csv"],
  ["/srv/data/in/2016/a.csv", "/srv/data/in/*/a.csv", "2016/a.csv"],
  ["/srv/data/in/2016/12/a.csv", "/srv/data/in/**", "2016/12/a.csv"],
  ["/srv/data/a[1].csv", "/srv/data/a[1].csv", "a[1].csv"],
  ["/elsewhere/a.csv", "/srv/data/*.csv", "a.csv"],
  ["postgres://db/traffic?table=trips", "postgres://db/traffic?table=trips", "postgres://db/traffic?table=trips"],
])("the file %j of the source %j is %j", (file, source, told) => {
  expect(fileBelow(file, source)).toBe(told);
});

test("a source is known by its own name, also where it is odd", () => {
  for (const source of ["/srv/it's odd/$& of $1.csv", LONG, "/srv/data/*.csv"]) {
    const told = withoutFolders(`${quoteForMessage(source)}, or ${source}, is empty`, source);
    expect(told).not.toContain("/");
    expect(told).toContain(source.split("/").at(-1));
  }
});

test("an error keeps its code, and one that is not ours is left alone", () => {
  const error = errorWithoutFolders(new VeilgridError("INPUT_EMPTY", "'/srv/a.csv' is empty"), "/srv/a.csv");
  expect(error).toMatchObject({ code: "INPUT_EMPTY", message: "'a.csv' is empty" });
  const other = new Error("other");
  expect(errorWithoutFolders(other, "/srv/a.csv")).toBe(other);
});
