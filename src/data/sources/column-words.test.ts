/** Checks what names of columns say, in the languages and spellings that public data comes in. */
import { describe, expect, test } from "vitest";
import { groupRankOf, isEventName, latitudeOf, plainName, userKindOf, valueRankOf } from "./column-words.ts";

test.each([
  ["Veh\u00edculoID", "vehiculo_id"],
  ["licensePlate", "license_plate"],
  [" KWH/hh (per half hour) ", "kwh_hh_per_half_hour"],
  ["Pr\u0119dko\u015b\u0107", "predkosc"],
  ["\u8f66\u724c\u53f7", "\u8f66\u724c\u53f7"],
])("%j is plainly %s", (name, plain) => expect(plainName(name)).toBe(plain));

describe("users", () => {
  const kind = (name: string, isText = false): string | undefined => userKindOf(plainName(name), isText);

  test.each([
    "cab",
    "rider",
    "customer",
    "Card Number",
    "device",
    "patient",
    "account",
    "userId",
    "User-ID",
    "CustomerID",
    "msisdn",
    "customer_unique_id",
    "N\u00b0 Client",
    "Fahrzeugnummer",
    "Kundennummer",
    "NumerPojazdu",
    "Id Cliente",
    "veh_id",
    "TAIL_NUM",
  ])("%s", (name) => expect(kind(name)).toBeDefined());

  test.each([
    "trip_id",
    "InvoiceNo",
    "customer_country",
    "passenger_count",
    "card_type",
    "driver_rating",
    "speed",
    "Bus Stop",
    "taxi zone",
  ])("not %s", (name) => {
    expect(kind(name)).toBeUndefined();
    expect(kind(name, true)).toBeUndefined();
  });

  test("people before what they drive or carry", () => {
    expect([kind("hack_license"), kind("medallion"), kind("bikeid"), kind("imei"), kind("LCLid")]).toEqual([
      "person",
      "vehicle",
      "vehicle",
      "device",
      "sensor",
    ]);
  });
});

test.each([
  ["trip_id", true],
  ["Rental Id", true],
  ["InvoiceNo", true],
  ["trip_delay", false],
  ["order_total", false],
])("%s names an event: %s", (name, expected) => expect(isEventName(plainName(name))).toBe(expected));

test("shops and films come before lines and cities", () => {
  const ranks = ["shop", "movieId", "zone", "station", "line", "City"].map((name) => groupRankOf(plainName(name)));
  expect(ranks.every((rank, at) => rank !== undefined && (at === 0 || rank > ranks[at - 1]!))).toBe(true);
  expect(groupRankOf("speed")).toBeUndefined();
});

test("a latitude is told with what it is the latitude of", () => {
  expect([latitudeOf("lat"), latitudeOf("pickup_latitude"), latitudeOf("plate")]).toEqual(["", "pickup", undefined]);
});

test.each([
  "speed",
  "Velocidade",
  "Betrag",
  "PM2.5",
  "unit_price",
  "trip_delay",
  "heart_rate",
])("%s is a value", (name) => {
  expect(valueRankOf(plainName(name))).toBeDefined();
});
test.each(["rate_code", "user", "lat"])("%s is none", (name) => expect(valueRankOf(plainName(name))).toBeUndefined());
