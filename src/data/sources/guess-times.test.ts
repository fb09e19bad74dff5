/** Checks how times are written, as guessed from a few of them. */
import { describe, expect, test } from "vitest";
import { lookAtCsv } from "../../../test/support/first-looks.ts";
import type { Sample } from "./cell-patterns.ts";
import { guessTimeFormat, timeFormatAdvice, timeGuess } from "./guess-times.ts";

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
    [["8/29/13", "8/9/13"], "mm/dd/yy"],
    [["08/09/13", "08/29/13"], "mm/dd/yy"],
    [["29/08/13", "8/09/13"], "dd/mm/yy"],
    [["29.08.69"], "dd.mm.yy"],
    [["69-08-29", "08-09-13"], "yy-mm-dd"],
    [["29/08/13", "30/08/13"], undefined],
    [["8/9/13"], undefined],
    [["8/29/13", "8/29/2013"], undefined],
    [["8/9/2013 2:05 PM", "8/29/2013  11:05:09 am"], "mm/dd/yyyy"],
    [["2013-08-29 2:05 p.m."], "yyyy-mm-dd"],
    [["8/29/2013 13:05 PM"], undefined],
    [["29-Aug-13", "1-SEP-13"], "dd-mmm-yy"],
    [["29-Aug-2013 2:05"], "dd-mmm-yyyy"],
    [["20130829", 20_130_830], "yyyymmdd"],
    [["20130829 09:00"], "yyyymmdd"],
    [["20130829", "20131329"], undefined],
    [["20130829", "0"], undefined],
    [["2020031709", "2020031710"], undefined],
    [["1481878800", "1481878800000"], undefined],
    [["41487.5"], undefined],
    [["1377784800000000"], "epoch-us"],
    [["1377784800000000000"], undefined],
  ])("%j is %s", (cells, format) => expect(guessTimeFormat(cells)).toBe(format));

  test("days and months in both places contradict each other", () => {
    expect(guessTimeFormat(["16/12/2016", "12/16/2016"])).toBeUndefined();
  });

  test("where days and months cannot be told apart the guess still fits the separator", () => {
    const { flags, doubts } = timeGuess({ name: "seen", cells: ["03.04.2016", "05.06.2016"] });
    expect(flags).toMatchObject({ "time-format": "dd.mm.yyyy", slot: "1d" });
    expect(doubts[0]).toContain("(dd.mm.yyyy or mm.dd.yyyy); --time-format dd.mm.yyyy is a guess.");
  });

  test("a first number that may be a year, a month or a day is a doubt, not a guess in silence", () => {
    expect(timeGuess({ name: "seen", cells: ["29/08/13"] }).doubts[0]).toContain("(dd/mm/yy or yy/mm/dd)");
    expect(timeGuess({ name: "seen", cells: ["08/09/13"] }).doubts[0]).toContain("(dd/mm/yy or mm/dd/yy or yy/mm/dd)");
    expect(timeGuess({ name: "seen", cells: ["8/29/13"] })).toMatchObject({
      flags: { "time-format": "mm/dd/yy", slot: "1d" },
    });
    expect(timeGuess({ name: "seen", cells: ["8/29/13"] }).doubts.join()).not.toContain("is a guess");
  });

  test.each([
    [["8/29/13"], "mm/dd/yyyy", "write --time-format mm/dd/yy"],
    [["03/04/13"], undefined, "write --time-format dd/mm/yy or mm/dd/yy or yy/mm/dd"],
    [["1481878800000"], "epoch-s", "write --time-format epoch-ms"],
    [["1481878800000000000"], "epoch-ms", "divide nanoseconds by 1,000 before"],
    [["2017-02-29"], "iso", "convert the times"],
    [["last week"], "iso", "convert the times"],
  ])("what to write for %j, which is not %s", (cells, tried, advice) => {
    expect(timeFormatAdvice(cells, tried)).toContain(advice);
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
