/** What the server, the network and the client say, in our words, and nothing of theirs. */
import { expect, test } from "vitest";
import { VeilgridError } from "../../../core/errors/index.ts";
import { asEngineError, sqlState } from "./engine-errors.ts";

const SHOWN = "postgres://reader@db.example/traffic";
const failing = (code: string | undefined, severity = true): Error =>
  Object.assign(new Error('value "61.27" of bus GJ05 is out of range'), {
    ...(code === undefined ? {} : { code }),
    ...(severity ? { severity: "ERROR", detail: "Failing row contains (61.27)" } : {}),
  });

test.each([
  ["28P01", "ENGINE_UNAVAILABLE", "PGPASSWORD"],
  ["3D000", "INPUT_NOT_FOUND", "no such database"],
  ["42P01", "INPUT_NOT_FOUND", "misses a table"],
  ["42501", "INPUT_UNREADABLE", "GRANT SELECT"],
  ["42883", "INPUT_UNREADABLE", "cannot read the table"],
  ["22003", "INPUT_MALFORMED", "could not convert"],
  ["25006", "ENGINE_UNSUPPORTED", "primary"],
  ["53100", "INPUT_TOO_LARGE", "no room left on its disk"],
  ["53200", "INPUT_TOO_LARGE", "out of memory"],
  ["53300", "ENGINE_UNAVAILABLE", "no connection left"],
  ["53400", "INPUT_TOO_LARGE", "temp_file_limit"],
  ["57014", "ENGINE_UNAVAILABLE", "stopped the query"],
  ["57P01", "ENGINE_UNAVAILABLE", "stopping or starting"],
  ["57P03", "ENGINE_UNAVAILABLE", "stopping or starting"],
  ["XX000", "INPUT_UNREADABLE", "its code XX000"],
])("the server's %s", (state, code, says) => {
  const error = asEngineError(failing(state), SHOWN);
  expect(error.code).toBe(code);
  expect(error.message).toContain(`'${SHOWN}'`);
  expect(error.message).toContain(says);
  expect(`${error.message}${error.stack}${String(error.cause)}`).not.toMatch(/61\.27|GJ05/);
});

test.each([
  ["ECONNREFUSED", "nothing listens"],
  ["ENOTFOUND", "no such host"],
  ["ETIMEDOUT", "does not answer"],
  ["ECONNRESET", "ended the connection"],
  ["EPIPE", "ended the connection"],
])("the network's %s, also of a host with several addresses", (network, says) => {
  for (const error of [failing(network, false), new AggregateError([failing(network, false)])]) {
    expect(sqlState(error)).toBeUndefined();
    expect(asEngineError(error, SHOWN)).toMatchObject({
      code: "ENGINE_UNAVAILABLE",
      message: expect.stringContaining(says),
    });
  }
});

test.each([
  ["SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string", "ENGINE_UNAVAILABLE", "asks for a password"],
  ["The server does not support SSL connections", "ENGINE_UNAVAILABLE", "no encrypted connection"],
  ["Connection terminated unexpectedly", "ENGINE_UNAVAILABLE", "ended the connection"],
  ["timeout expired", "ENGINE_UNAVAILABLE", "does not answer"],
  ["anything else with 61.27 in it", "INPUT_UNREADABLE", "may quote values"],
])("the client's %j", (message, code, says) => {
  const error = asEngineError(new Error(message), SHOWN);
  expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
  expect(error.message).not.toContain("61.27");
});

test("what is in our words already stays so", () => {
  const ours = new VeilgridError("CANCELLED", "cancelled before it was done");
  expect(asEngineError(ours, SHOWN)).toBe(ours);
});
