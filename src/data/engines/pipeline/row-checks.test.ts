/** How a query's signal is read, and which rows a condition looks at; the conditions are run by test/conformance and test/engines. */
import { expect, test } from "vitest";
import { VeilgridError } from "../../../core/errors/index.ts";
import { hasTrouble, signalOf, troubleIn } from "./row-checks.ts";

test("a signal names the trouble, whatever else the server says around it", () => {
  expect(troubleIn(new Error("ungültige Eingabesyntax für Typ boolean: „veilgrid-trouble:place!“"))).toBe("place");
  expect(troubleIn(new Error('invalid input syntax for type boolean: "61.27"'))).toBeUndefined();
});

test("an error of ours is no signal, whatever it says, nor is anything that is no error", () => {
  expect(troubleIn(new VeilgridError("INPUT_MALFORMED", signalOf("value")))).toBeUndefined();
  expect(troubleIn(signalOf("value"))).toBeUndefined();
});

test("a time is looked at in every row, the rest in those that pass the filter", () => {
  const row = {
    sound: { time: "t", place: "p", value: "v" },
    filled: { time: "T", place: "P", value: "V" },
    filter: "f",
  };
  expect(hasTrouble(row, "time")).toBe("NOT coalesce(t, false) AND (T)");
  expect(hasTrouble(row, "place")).toBe("NOT coalesce(p, false) AND (P) AND coalesce(f, false)");
  expect(hasTrouble(row, "value")).toBe("NOT coalesce(v, false) AND (V) AND coalesce(f, false)");
  expect(hasTrouble(row, "missing")).toBe("NOT coalesce(v, false) AND NOT (V) AND coalesce(f, false)");
  expect(hasTrouble({ ...row, filter: undefined }, "value")).toBe("NOT coalesce(v, false) AND (V)");
});
