/** Tests the way from guesses to a request, what keeps it back, and where notes and refusals are shown. */
import { describe, expect, test } from "vitest";
import { plainWords } from "../../plain-words.ts";
import {
  type AddForm,
  boundsRemark,
  changedForm,
  datasetName,
  fieldOf,
  formOf,
  otherName,
  problemsOf,
  remarksOf,
  requestOf,
  sizeFor,
  statisticsText,
} from "./add-form.ts";
import type { Look } from "./first-look.ts";
import { uploadName } from "./upload.ts";
import { usualBounds } from "./usual-bounds.ts";

const LOOK: Look = {
  source: "abc/trips.csv",
  columns: [
    { name: "card", type: "text", role: "user" },
    { name: "speed", type: "number", role: "value" },
    { name: "y", type: "number", role: "latitude" },
    { name: "x", type: "number", role: "longitude" },
    { name: "at", type: "time", role: "time" },
  ],
  guess: { user: "card", value: "speed", lat: "y", lon: "x", h3: "8", time: "at", tz: "UTC", slot: "1h", top: "50" },
  open: [],
  doubts: [
    "The times do not say their zone, or say UTC: for slots and hours as local clocks show them write yours, such as --tz America/Chicago.",
  ],
  told: [],
  isOccupancy: false,
};
const GUESSED = formOf(LOOK, "Trips März (1).csv.gz");
const FILLED: AddForm = { ...GUESSED, lower: "0", upper: "65", unit: " km/h ", isPublic: true };

describe("from guesses to a request", () => {
  test("guesses fill everything but what only the curator knows", () => {
    expect(GUESSED).toMatchObject({ name: "Trips-Marz-1", user: "card", place: "hexagons", grids: "top", top: "50" });
    expect(Object.keys(problemsOf(GUESSED))).toEqual(["lower", "upper", "isPublic"]);
    expect(problemsOf(FILLED)).toEqual({});
  });

  test("a filled form is what the service takes", () => {
    expect(requestOf(FILLED, LOOK.source)).toEqual({
      name: "Trips-Marz-1",
      source: "abc/trips.csv",
      recipe: {
        user: "card",
        value: "speed",
        lat: "y",
        lon: "x",
        h3: "8",
        time: "at",
        slot: "1h",
        tz: "UTC",
        top: "50",
      },
      bounds: "0,65",
      statistics: "mean",
      unit: "km/h",
      budget: "3",
      occupancyIsPublic: true,
    });
  });

  test("hexagons that the file has are taken as they are unless a size is chosen", () => {
    const form = formOf(
      {
        ...LOOK,
        columns: [...LOOK.columns, { name: "hexagon", type: "cell", role: "cell" }],
        guess: { user: "card", value: "speed", cell: "hexagon", top: "50" },
      },
      "trips.csv",
    );
    expect(form).toMatchObject({ place: "hexagons", placeIn: "cell", cell: "hexagon", h3: "" });
    const recipe = { user: "card", value: "speed", cell: "hexagon", top: "50" };
    expect(requestOf(form, "s").recipe).toEqual(recipe);
    expect(requestOf({ ...form, h3: "6" }, "s").recipe).toEqual({ ...recipe, h3: "6" });
    expect(sizeFor("two", form.h3)).toBe("8");
    expect(sizeFor("one", "6")).toBe("6");
    expect(sizeFor("cell", "6")).toBe("");
  });

  test("what is not chosen is not asked for", () => {
    const form: AddForm = {
      ...FILLED,
      place: "columns",
      by: ["shop", "till"],
      time: "",
      grids: "users",
      minUsers: "9",
    };
    expect(requestOf(form, "s", { delimiter: "tab" }).recipe).toEqual({
      user: "card",
      value: "speed",
      by: "shop,till",
      minUsers: "9",
      delimiter: "tab",
    });
  });

  test("a rule for records without a user is asked for where one is guessed or chosen", () => {
    expect(GUESSED.emptyUser).toBe("refuse");
    expect(requestOf(FILLED, "s").recipe).not.toHaveProperty("emptyUser");
    const form = formOf({ ...LOOK, guess: { ...LOOK.guess, "empty-user": "drop" } }, "trips.csv");
    expect(requestOf(form, "s").recipe).toMatchObject({ emptyUser: "drop" });
    expect(requestOf({ ...FILLED, emptyUser: "one" }, "s").recipe).toMatchObject({ emptyUser: "one" });
  });

  test("what becomes the number or the user is no grid any more", () => {
    const form: AddForm = { ...FILLED, place: "columns", by: ["shop", "till"], dedupe: ["till", "at"] };
    expect(changedForm(form, { value: "till" })).toMatchObject({ value: "till", by: ["shop"], dedupe: ["at"] });
    expect(changedForm(form, { unit: "€" })).toEqual({ ...form, unit: "€" });
  });

  test("statistics with what they need", () => {
    const form: AddForm = {
      ...FILLED,
      statistics: ["histogram", "mean", "share"],
      "argument-share": " 50 ",
      "argument-histogram": "20, 40 60",
    };
    expect(statisticsText(form)).toBe("mean,share:50,histogram:20/40/60");
    expect(problemsOf(form)).toEqual({});
    expect(Object.keys(problemsOf({ ...form, "argument-share": "700" }))).toEqual(["argument-share"]);
    expect(Object.keys(problemsOf({ ...form, "argument-histogram": "" }))).toEqual(["argument-histogram"]);
  });
});

describe("what keeps a form back", () => {
  test.each<[keyof AddForm, Partial<AddForm>]>([
    ["name", { name: "a b" }],
    ["user", { user: "" }],
    ["value", { value: "card" }],
    ["upper", { upper: "-1" }],
    ["lower", { lower: "low" }],
    ["lat", { lat: "speed" }],
    ["lon", { lon: "" }],
    ["cell", { placeIn: "cell", cell: "" }],
    ["cell", { placeIn: "cell", cell: "speed" }],
    ["by", { place: "columns", by: [] }],
    ["by", { place: "columns", by: ["speed"] }],
    ["time", { place: "nothing", time: "" }],
    ["time", { place: "nothing", slot: "" }],
    ["tz", { tz: "Mars/Base" }],
    ["minUsers", { grids: "users", minUsers: "0" }],
    ["top", { top: "many" }],
    ["statistics", { statistics: [] }],
    ["budget", { budget: "0" }],
    ["isPublic", { isPublic: false }],
  ])("%s: %j", (field, change) => {
    expect(problemsOf({ ...FILLED, ...change })[field]).toMatch(/^[A-Z].*\.$/);
  });
});

describe("remarks and refusals", () => {
  test("doubts and open questions stand beside their fields, without flags", () => {
    const open = [{ flag: "user", says: "No column looks like a user; say whose records these are with --user COL." }];
    const doubts = [
      ...LOOK.doubts,
      "How the times are written cannot be told from the first rows; --time-format dd/mm/yyyy is a guess.",
    ];
    const remarks = remarksOf({ open, doubts });
    expect(remarks.user).toBe("No column looks like a user; say whose records these are.");
    expect(remarks.tz).toMatch(/such as America\/Chicago\.$/);
    expect(remarks.timeFormat).toMatch(/; dd\/mm\/yyyy is a guess\.$/);
    expect(JSON.stringify(remarks)).not.toContain("--");
  });

  test("refusals find their fields", () => {
    expect(fieldOf({ code: "DATASET_EXISTS", message: "the service has a dataset 'a' already" })).toBe("name");
    expect(fieldOf({ message: "body/recipe/user must NOT have fewer than 1 characters" })).toBe("user");
    expect(fieldOf({ message: "--time-format 'x' is unknown; use iso" })).toBe("timeFormat");
    const empty = "column 'card' is empty in 3 records; use --empty-user drop to leave such records out";
    expect(fieldOf({ code: "INPUT_MALFORMED", message: empty })).toBe("emptyUser");
    expect(fieldOf({ message: "the disk is full" })).toBeUndefined();
    expect(plainWords("'/srv/up...12/b.csv' has no column 'nobody' (--user); it has 'card'")).toBe(
      "'b.csv' has no column 'nobody'; it has 'card'",
    );
    expect(plainWords("--tz 'x' is no zone; write --tz UTC")).toBe("'x' is no zone; write UTC");
  });
});

test("names", () => {
  expect(datasetName("???.csv")).toBe("data");
  expect(otherName("trips")).toBe("trips-2");
  expect(otherName("trips-9")).toBe("trips-10");
  expect(uploadName("Fahrten März (1).csv.gz")).toBe("Fahrten-Marz-1.csv.gz");
  expect(uploadName("table.TXT")).toBe("table.csv");
  expect(uploadName(".csv")).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
});

test("examples are only for names that say what they are", () => {
  expect(usualBounds("avg_speed")?.upper).toBe("120");
  expect(usualBounds("x17")).toBeUndefined();
});

test("bounds that look measured get a remark of their own, round ones none", () => {
  expect(boundsRemark({ lower: "3.17", upper: "61.42" })).toEqual({
    lower: expect.stringMatching(/taken from the data/),
  });
  expect(boundsRemark({ lower: "0", upper: "61.42" })).toEqual({ upper: expect.stringMatching(/taken from the data/) });
  for (const [lower, upper] of [
    ["0", "65"],
    ["-40", "85.5"],
    ["", ""],
    ["abc", "1"],
  ] as const)
    expect(boundsRemark({ lower, upper })).toEqual({});
});
