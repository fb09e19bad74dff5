/** How a query's signal is read; the conditions are run by test/conformance and test/engines. */
import { expect, test } from "vitest";
import { VeilgridError } from "../errors/index.ts";
import { signalOf, troubleIn } from "./row-checks.ts";

test("a signal names the trouble, whatever else the server says around it", () => {
  expect(troubleIn(new Error("ungültige Eingabesyntax für Typ boolean: „veilgrid-trouble:place!“"))).toBe("place");
  expect(troubleIn(new Error('invalid input syntax for type boolean: "61.27"'))).toBeUndefined();
});

test("an error of ours is no signal, whatever it says, nor is anything that is no error", () => {
  expect(troubleIn(new VeilgridError("INPUT_MALFORMED", signalOf("value")))).toBeUndefined();
  expect(troubleIn(signalOf("value"))).toBeUndefined();
});
