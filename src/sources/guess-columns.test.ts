/** Checks first guesses on files as curators have them, and that nothing that may be a protected value is in what is printed. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sniffCsv } from "./csv-dialect.ts";
import { columnsOf, type Sample, type SourceDescription } from "./description.ts";
import { type ColumnLook, type FirstLook, firstLook, guessTimeFormat } from "./guess-columns.ts";
import { readJsonHead } from "./json-head.ts";

function look(rows: ReadonlyArray<Record<string, Sample>>, columns = columnsOf(rows)): FirstLook {
  const description: SourceDescription = { source: "records", files: [], table: null, rows, columns, kind: "csv" };
  return firstLook(description);
}

function lookAtCsv(text: string): FirstLook {
  const { dialect, rows } = sniffCsv(text, true);
  const objects = rows.map((row) =>
    Object.fromEntries(dialect.columns.map((column, index) => [column, row[index] ?? null])),
  );
  return look(objects, [...dialect.columns]);
}

const columnOf = (look: FirstLook, name: string): ColumnLook => look.columns.find((column) => column.name === name)!;

/** None of these texts is anywhere in what a command would print. */
function expectHidden(look: FirstLook, secrets: readonly string[]): void {
  const printed = JSON.stringify(look);
  for (const secret of secrets) expect(printed).not.toContain(secret);
}

describe("the bus schema", () => {
  const secrets = ["17.4431", "22.8761", "0.0017"];
  const found = lookAtCsv(
    `vehicle_id,timestamp,speed,route_id,trip_id,latitude,longitude,trip_headsign
1042,2016-12-16T09:00:10-06:00,${secrets[0]},9,88101,41.881,-87.623,Loop
1043,2016-12-16T09:00:40-06:00,${secrets[1]},22,88102,41.882,-87.624,Howard
1042,2016-12-16T09:01:10-06:00,${secrets[2]},9,88101,41.883,-87.625,Loop
`,
  );

  test("is understood", () => {
    expect(found.guess).toEqual({
      user: "vehicle_id",
      value: "speed",
      lat: "latitude",
      lon: "longitude",
      h3: "8",
      time: "timestamp",
      tz: "-06:00",
      slot: "1h",
      top: "50",
    });
    expect(Object.keys(found.guess).slice(0, 2)).toEqual(["user", "value"]);
    expect(found.open).toEqual([]);
  });

  test("each column with type, role and samples, the value without", () => {
    expect(found.columns.map(({ name, type, role }) => [name, type, role])).toEqual([
      ["vehicle_id", "number", "user"],
      ["timestamp", "time", "time"],
      ["speed", "number", "value"],
      ["route_id", "number", null],
      ["trip_id", "number", null],
      ["latitude", "number", "latitude"],
      ["longitude", "number", "longitude"],
      ["trip_headsign", "text", null],
    ]);
    expect(columnOf(found, "speed").samples).toBeNull();
    expect(columnOf(found, "vehicle_id").samples).toEqual(["1042", "1043"]);
    expect(columnOf(found, "trip_headsign").samples).toEqual(["Loop", "Howard"]);
    expectHidden(found, secrets);
  });
});

describe("the wild schema", () => {
  const secrets = ["31.0774", "18.0663", "-417", "993"];
  const row = `12,335E,${secrets[2]},KA01F1234,2021-03-04T09:00:10+05:30,${secrets[0]},Point,"[77.5946, 12.9716]"`;
  const found = lookAtCsv(
    `trip_id,route_id,trip_delay,license_plate,observationDateTime,speed,location.type,location.coordinates
${row}
${row}
13,500D,${secrets[3]},KA01F9999,2021-03-04T09:00:20+05:30,,Point,"[77.6, 12.98]"
13,500D,,KA01F9999,2021-03-04T09:00:50+05:30,${secrets[1]},Point,"[77.61, 12.98]"
`,
  );

  test("is understood, with its repeated rows and blanks", () => {
    expect(found.guess).toEqual({
      user: "license_plate",
      value: "speed",
      point: "location.coordinates",
      h3: "8",
      time: "observationDateTime",
      tz: "+05:30",
      slot: "1h",
      dedupe: "trip_id,observationDateTime",
      missing: "midpoint",
      top: "50",
    });
    expect(found.open).toEqual([]);
  });

  test("shows neither speeds nor delays, and no delay decides what is kept", () => {
    expect(columnOf(found, "speed")).toMatchObject({ type: "number", samples: null });
    expect(columnOf(found, "trip_delay")).toMatchObject({ type: "number", samples: null, role: null });
    expect(columnOf(found, "location.coordinates")).toMatchObject({ type: "point", role: "point" });
    expectHidden(found, secrets);
  });

  test("is understood as nested JSON too", () => {
    const objects = [31.0774, 18.0663, null].map((speed, at) => ({
      license_plate: `KA01F${at}`,
      observationDateTime: `2021-03-04T09:00:0${at}+05:30`,
      speed,
      location: { type: "Point", coordinates: [77.5946, 12.9716] },
    }));
    const { rows } = readJsonHead(JSON.stringify(objects));
    const nested = look(rows);
    expect(nested.guess).toEqual({
      user: "license_plate",
      value: "speed",
      point: "location.coordinates",
      h3: "8",
      time: "observationDateTime",
      tz: "+05:30",
      slot: "1h",
      missing: "midpoint",
      top: "50",
    });
    expect(columnOf(nested, "location.coordinates").samples).toEqual(["[77.5946,12.9716]"]);
    expectHidden(nested, ["31.0774", "18.0663"]);
  });
});

describe("hexagons that stand in the file", () => {
  const secrets = ["31.0774", "18.0663"];
  const wanted = { user: "device", value: "speed", cell: "where", time: "at", tz: "UTC", slot: "1h", top: "50" };
  const rows = (cells: readonly unknown[], column = "where"): string =>
    `device,${column},speed,at\na1,${cells[0]},${secrets[0]},2016-12-16T09:00Z\na2,${cells[1]},${secrets[1]},2016-12-16T09:01Z\n`;

  test.each([
    ["hexadecimal", ["88754e6499fffff", "85754E67FFFFFFF"]],
    ["integers", ["614553222213795839", "601042424243945471"]],
    ["with gaps", ["", "88754e6499fffff"]],
  ])("as %s", (_, cells) => {
    const found = lookAtCsv(rows(cells));
    expect(found.guess).toEqual(wanted);
    expect(columnOf(found, "where")).toMatchObject({ type: "cell", role: "cell" });
    expectHidden(found, secrets);
  });

  test("as numbers of JSON, which have lost their last digits, where the name says what they are", () => {
    const objects = (column: string): string =>
      `{"device": "a", "${column}": 614553222213795839, "speed": 31.0774}\n{"device": "b", "${column}": 614553222213795839, "speed": 18.0663}`;
    expect(look(readJsonHead(objects("h3_cell")).rows).guess).toMatchObject({ cell: "h3_cell", value: "speed" });
    const other = look(readJsonHead(objects("reading")).rows);
    expect(other.guess).not.toHaveProperty("cell");
    expect(columnOf(other, "reading")).toMatchObject({ type: "number", samples: null });
  });

  test("numbers of 15 digits are no cells because of their length", () => {
    const found = lookAtCsv(rows(["881234567890123", "881234567890124"], "amount"));
    expect(columnOf(found, "amount")).toMatchObject({ type: "number", samples: null });
    expect(found.guess).not.toHaveProperty("cell");
  });

  test("beside coordinates, coordinates are taken: any size can be made of them", () => {
    const found = lookAtCsv("user,speed,lat,lon,h3\na,1,41.5,-87.5,88754e6499fffff\nb,2,41.6,-87.5,88754e6499fffff\n");
    expect(found.guess).toMatchObject({ lat: "lat", lon: "lon", h3: "8" });
    expect(found.guess).not.toHaveProperty("cell");
  });
});

describe("a bank's file", () => {
  const secrets = ["412,75", "19,99", "63,10"];
  const found = lookAtCsv(
    `card_id;shop;amount;booked_at
4929001;Bakery;${secrets[0]};16/12/2016
4929002;Bakery;${secrets[1]};03/12/2016
4929001;Books;${secrets[2]};28/11/2016
`,
  );

  test("is understood: shops are the grids, days come before months", () => {
    expect(found.guess).toMatchObject({
      user: "card_id",
      value: "amount",
      by: "shop",
      time: "booked_at",
      "time-format": "dd/mm/yyyy",
      tz: "UTC",
    });
    expect(found.guess).not.toHaveProperty("h3");
    expect(found.guess).not.toHaveProperty("dedupe");
    expect(found.open).toEqual([]);
    expect(columnOf(found, "amount")).toMatchObject({ type: "number", samples: null, role: "value" });
    expect(columnOf(found, "shop")).toMatchObject({ type: "text", samples: ["Bakery", "Books"], role: "by" });
    expectHidden(found, secrets);
  });
});

describe("an air-quality file", () => {
  const secrets = ["35.25", "12.75", "0.875", "44.5"];
  const found = lookAtCsv(
    `sensor,ts,pm25,humidity,lat,lon
S-1,1481878800000,${secrets[0]},${secrets[3]},52.52,13.40
S-2,1481878860000,${secrets[1]},${secrets[3]},52.53,13.41
S-1,1481878920000,${secrets[2]},${secrets[3]},52.52,13.40
`,
  );

  test("is understood: milliseconds since 1970 need no format", () => {
    expect(found.guess).toEqual({
      user: "sensor",
      value: "pm25",
      lat: "lat",
      lon: "lon",
      h3: "8",
      time: "ts",
      tz: "UTC",
      slot: "1h",
      top: "50",
    });
    expect(columnOf(found, "ts").type).toBe("time");
    expect(columnOf(found, "humidity").samples).toBeNull();
    expectHidden(found, secrets);
  });

  test("NO is a gas", () => {
    const gases = lookAtCsv("sensor,ts,NO,NO2\nS-1,1481878800,77.25,81.5\nS-2,1481878860,78.25,82.5\n");
    expectHidden(gases, ["77.25", "78.25", "81.5", "82.5"]);
  });
});

describe("a file with nothing recognisable", () => {
  test("asks for user, value and grid", () => {
    const found = lookAtCsv("alpha,beta\nx,p\ny,q\nz,r\n");
    expect(found.guess).toEqual({});
    expect(found.open).toHaveLength(3);
    expect(found.open.map(({ says }) => says).join(" ")).toMatch(/--user COL.*--value COL.*--by COL/);
  });

  test("without header no number is shown", () => {
    const found = lookAtCsv("ann,north,37.125\nbob,south,38.25\nann,north,39.5\n");
    expect(found.columns.map(({ name }) => name)).toEqual(["column1", "column2", "column3"]);
    expect(found.guess["value"]).toBe("column3");
    expectHidden(found, ["37.125", "38.25", "39.5"]);
  });

  test("without rows there is nothing but names", () => {
    const found = lookAtCsv("user,speed\n");
    expect(found.columns.map(({ type }) => type)).toEqual(["empty", "empty"]);
    expect(found.open.length).toBeGreaterThan(0);
  });

  test("numbers that are all ids are not shown either, as one of them may yet be the value", () => {
    const found = lookAtCsv("first_id,second_no\n7001,9001\n7002,9002\n");
    expect(found.guess["value"]).toBeUndefined();
    expect(columnOf(found, "second_no").samples).toBeNull();
  });

  test("half a place is no grid", () => {
    const found = lookAtCsv("user_id,speed,latitude\nu1,3.5,52.1\nu2,4.5,52.2\n");
    expect(found.guess).toEqual({ user: "user_id", value: "speed" });
    expect(found.open.map(({ says }) => says).join(" ")).toContain("--by COL");
  });
});

describe("what may be a value is not shown", () => {
  const NAMES = [
    "speed",
    "Speed_kmh",
    "amount",
    "total price",
    "temperature",
    "duration",
    "score",
    "weight",
    "x",
    "delay",
    "response_time",
    "Wert",
  ];
  const digits = fc.integer({ min: 1_000_000, max: 9_999_999 });
  const written = fc.tuple(digits, fc.constantFrom("", "-"), fc.constantFrom(".", "")).map(([number, sign, point]) => {
    const text = String(number);
    return `${sign}${text.slice(0, 3)}${point}${text.slice(3)}`;
  });

  test("whatever the column is called and wherever it stands", () => {
    const cells = fc.array(fc.oneof({ weight: 5, arbitrary: written }, { weight: 1, arbitrary: fc.constant("") }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
        cells,
        fc.boolean(),
        (names, values, first) => {
          const rows = values.map((value, at) => {
            const numbers = Object.fromEntries(names.map((name) => [name, value]));
            const others = { user_id: `u${at % 2}`, shop: `s${at % 3}` };
            return first ? { ...numbers, ...others } : { ...others, ...numbers };
          });
          const found = look(rows);
          expectHidden(
            found,
            values.filter((value) => value !== ""),
          );
          for (const name of names) expect(columnOf(found, name).samples ?? []).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("numbers as JSON has them", () => {
    const rows = [77.125, 78.25, null, 79.5].map((speed, at) => ({ bus: `b${at}`, line: "N9", speed }));
    const found = look(rows);
    expect(found.guess).toMatchObject({ user: "bus", value: "speed", by: "line", missing: "midpoint" });
    expectHidden(found, ["77.125", "78.25", "79.5"]);
  });

  test.each(["NA", "N/A", "null", "NaN", "-", "error"])("numbers with %s for what is missing", (word) => {
    const found = lookAtCsv(`bus,line,speed\nb1,9,77.125\nb2,9,${word}\nb1,22,78.25\n`);
    expectHidden(found, ["77.125", "78.25"]);
  });

  test.each([
    ["a unit", "77.125 km/h", "78.25 km/h"],
    ["a currency", "£77.12", "£78.25"],
    ["thousands", '"1,077.12"', '"2,078.25"'],
  ])("numbers with %s", (_, first, second) => {
    const found = lookAtCsv(`card_id,shop,amount\nc1,s1,${first}\nc2,s1,${second}\nc1,s2,${first}\n`);
    expectHidden(found, ["77.12", "78.25", "077.12", "078.25"]);
  });

  test.each(["km_per_hour", "steps_per_day", "spend_per_month"])("numbers called %s", (name) => {
    const found = lookAtCsv(`user_id,shop,${name},weight\nu1,s1,7712.5,61.5\nu2,s1,7825.5,62.5\n`);
    expectHidden(found, ["7712.5", "7825.5"]);
  });

  test.each([
    ["account_balance", "amount"],
    ["passenger_count", "fare_amount"],
    ["sensor_reading", "speed"],
    ["customer_age", "price"],
  ])("%s is neither user nor shown", (name, value) => {
    const found = lookAtCsv(`${name},shop,${value}\n7712.5,s1,61.5\n7825.5,s1,62.5\n7712.5,s2,63.5\n`);
    expect(found.guess["user"]).not.toBe(name);
    expectHidden(found, ["7712.5", "7825.5"]);
  });
});

describe("of numbers only places, the time, the user and ids are shown", () => {
  const names = ["iq_code", "phone_number", "score_key", "test_no", "hour", "day", "zip", "zone", "lineNumber", "ids"];

  test.each(names)("%s is not", (name) => {
    const found = lookAtCsv(`user_id,speed,${name}\nu1,61.5,7712\nu2,62.5,7825\nu1,63.5,7712\n`);
    expect(columnOf(found, name)).toMatchObject({ type: "number", samples: null });
    expectHidden(found, ["7712", "7825"]);
  });

  test("nor where some of them are words", () => {
    const found = lookAtCsv("user_id,speed,iq_code\nu1,61.5,7712\nu2,62.5,unknown\nu1,63.5,7825\n");
    expectHidden(found, ["7712", "7825"]);
  });

  test.each(["trip_id", "tripId", "id"])("%s is", (name) => {
    const found = lookAtCsv(`rider,speed,${name}\nann,61.5,7712\nbob,62.5,7825\n`);
    expect(columnOf(found, name)).toMatchObject({ type: "number", samples: ["7712", "7825"] });
  });

  test("seconds since 1970 are where they are the time, not in a second column", () => {
    const found = lookAtCsv("user_id,speed,ts,updated\nu1,61.5,1481878800,1481879901\nu2,62.5,1481878860,1481879962\n");
    expect(columnOf(found, "ts")).toMatchObject({ role: "time", samples: ["1481878800", "1481878860"] });
    expect(columnOf(found, "updated")).toMatchObject({ type: "time", role: null, samples: null });
    const written = lookAtCsv(
      "user_id,speed,ts,end_date\nu1,61.5,1481878800,2016-12-16\nu2,62.5,1481878860,2016-12-17\n",
    );
    expect(columnOf(written, "end_date").samples).toEqual(["2016-12-16", "2016-12-17"]);
  });

  test("text with digits is, where it is called a label", () => {
    const found = lookAtCsv("rider,speed,stop_code\nann,61.5,103D\nbob,62.5,7U\n");
    expect(columnOf(found, "stop_code").samples).toEqual(["103D", "7U"]);
  });
});

test.each(["route", "zone", "line"])("a %s may have numbers for names", (name) => {
  const found = lookAtCsv(`bus,${name},speed\nb1,9,77.125\nb2,9,78.25\nb1,22,79.5\n`);
  expect(found.guess).toEqual({ user: "bus", value: "speed", by: name });
});

describe("guessTimeFormat", () => {
  test.each<[Sample[], string | undefined]>([
    [["2016-12-16", null, ""], "iso"],
    [["2016-12-16T09:00:00Z", "2016-12-16 09:00:00.5"], "iso"],
    [[], "iso"],
    [[null, " "], "iso"],
    [["1481878800", "1481878860"], "epoch-s"],
    [[1_481_878_800_000, 1_481_878_860_000], "epoch-ms"],
    [["1481878800.5"], "epoch-s"],
    [["16/12/2016", "03/04/2016"], "dd/mm/yyyy"],
    [["03/04/2016", "12/16/2016"], "mm/dd/yyyy"],
    [["16.12.2016 09:00"], "dd.mm.yyyy"],
    [["12-16-2016 9:05"], "mm-dd-yyyy"],
    [["2016/12/16 09:00:00"], "yyyy/mm/dd"],
    [["03/04/2016", "05/06/2016"], undefined],
    [["16/12/2016", "16.12.2016"], undefined],
    [["16/12/2016", "2016-12-16"], undefined],
    [["yesterday"], undefined],
  ])("%j is %s", (cells, format) => expect(guessTimeFormat(cells)).toBe(format));

  test("a year of two digits is no yyyy", () => expect(guessTimeFormat(["16/12/16", "17/12/16"])).toBeUndefined());

  test("days and months in both places contradict each other", () => {
    expect(guessTimeFormat(["16/12/2016", "12/16/2016"])).toBeUndefined();
  });

  test("where days and months cannot be told apart the guess still fits the separator", () => {
    const found = lookAtCsv("card_id;shop;amount;booked_at\nc1;s;3,5;03.04.2016\nc2;s;4,5;05.06.2016\n");
    expect(found.guess["time-format"]).toMatch(/^(dd\.mm|mm\.dd)\.yyyy$/);
  });

  test.each([
    ["2016-12-16T09:00Z", "UTC"],
    ["2016-12-16T09:00", "UTC"],
    ["2016-12-16T09:00-06", "-06:00"],
    ["2016-12-16T09:00+0530", "+05:30"],
  ])("the zone of %s is %s", (time, zone) => {
    expect(lookAtCsv(`user_id,speed,seen\nu,3.5,${time}\n`).guess["tz"]).toBe(zone);
  });

  test("offsets that differ are no zone", () => {
    const text = "user_id,speed,seen\nu,3.5,2016-11-06T01:00-05:00\nu,3.5,2016-11-06T01:00-06:00\n";
    expect(lookAtCsv(text).guess["tz"]).toBe("UTC");
  });
});

test("lists and objects inside a row, and numbers with a unit, are not shown", () => {
  const found = lookAtCsv("bus_id,tempo,zone\nb1,12 km/h,n\nb2,33 km/h,s\n");
  expect(found.columns.find(({ name }) => name === "tempo")?.samples).toBeNull();
  const rows = [{ data: [{ speed: 12.5 }], bus_id: "a" }];
  const nested = firstLook({
    source: "w.json",
    files: [],
    table: null,
    rows,
    columns: ["data", "bus_id"],
    kind: "json lines",
  });
  expect(JSON.stringify(nested)).not.toContain("12.5");
});
