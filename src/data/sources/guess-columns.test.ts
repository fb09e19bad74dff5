/** Checks first guesses on files as curators have them: columns, grids, times. */
import { describe, expect, test } from "vitest";
import { columnOf, expectHidden, look, lookAtCsv } from "../../../test/support/first-looks.ts";
import { readJsonHead } from "./description.ts";

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
      h3: "7",
      time: "timestamp",
      tz: "-06:00",
      slot: "1d",
      top: "20",
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
      h3: "7",
      time: "observationDateTime",
      tz: "+05:30",
      slot: "1d",
      dedupe: "trip_id,observationDateTime",
      missing: "midpoint",
      top: "20",
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
      h3: "7",
      time: "observationDateTime",
      tz: "+05:30",
      slot: "1d",
      missing: "midpoint",
      top: "20",
    });
    expect(columnOf(nested, "location.coordinates").samples).toEqual(["[77.5946,12.9716]"]);
    expectHidden(nested, ["31.0774", "18.0663"]);
  });
});

describe("hexagons that stand in the file", () => {
  const secrets = ["31.0774", "18.0663"];
  const wanted = {
    user: "device",
    value: "speed",
    cell: "where",
    h3: "7",
    time: "at",
    tz: "UTC",
    slot: "1d",
    top: "20",
  };
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
    expect(found.guess).toMatchObject({ lat: "lat", lon: "lon", h3: "7" });
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

  test("is understood: shops are the grids, without slots of time", () => {
    expect(found.guess).toMatchObject({
      user: "card_id",
      value: "amount",
      by: "shop",
    });
    expect(found.guess).not.toHaveProperty("h3");
    expect(found.guess).not.toHaveProperty("time");
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
      h3: "7",
      time: "ts",
      tz: "UTC",
      slot: "1d",
      top: "20",
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

test.each(["route", "zone", "line"])("a %s may have numbers for names", (name) => {
  const found = lookAtCsv(`bus,${name},speed\nb1,9,77.125\nb2,9,78.25\nb1,22,79.5\n`);
  expect(found.guess).toEqual({ user: "bus", value: "speed", by: name });
});

describe("numbers as the engines read them", () => {
  const csv = (values: readonly string[]): string =>
    `rider,shop,speed\n${values.map((value, at) => `u${at},s,${value}`).join("\n")}\n`;

  test("a column with NaN, blanks or nothing among its numbers is one of numbers, some of them missing", () => {
    for (const missing of ["NaN", "nan", " ", "\t", ""]) {
      const found = lookAtCsv(csv(["17.25", missing, "1e1"]));
      expect(columnOf(found, "speed")).toMatchObject({ type: "number", role: "value", samples: null });
      expect(found.guess["missing"]).toBe("midpoint");
    }
  });

  test.each(["1_000", "0_3", "0x10", "1f", "inf", "\u00a0", "1\u00a0000"])("one with %j is none", (text) => {
    const found = lookAtCsv(csv(["17.25", text, "1e1"]));
    expect(columnOf(found, "speed").type).toBe("text");
    expect(found.guess["value"]).toBeUndefined();
  });
});

test("records without a user are to be left out", () => {
  const csv = (user: string): string => `rider,shop,speed\nu1,s,1.5\n${user},s,2.5\n`;
  expect(lookAtCsv(csv("")).guess).toMatchObject({ user: "rider", "empty-user": "drop" });
  for (const user of ["u2", " ", "null", "0"]) expect(lookAtCsv(csv(user)).guess["empty-user"]).toBeUndefined();
});
