/** Checks how times are written, as guessed from a few of them. */
import { describe, expect, test } from "vitest";
import { lookAtCsv } from "../../test/support/first-looks.ts";
import { guessTimeFormat } from "./guess-times.ts";
import type { Sample } from "./sample.ts";

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
    const found = lookAtCsv("card_id;amount;booked_at\nc1;3,5;03.04.2016\nc2;4,5;05.06.2016\n");
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
