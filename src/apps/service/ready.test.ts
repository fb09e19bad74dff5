/** Tests that /ready answers within seconds, also if the ledger does not. */
import { afterEach, expect, test, vi } from "vitest";
import { buildService } from "./app.ts";
import { type ServiceParts, USUAL_LIMITS } from "./service-parts.ts";

afterEach(() => void vi.useRealTimers());

async function ready(datasets: () => Promise<unknown>) {
  const parts = {
    store: { datasets: () => [] },
    ledger: { datasets },
    limits: USUAL_LIMITS,
    log: () => undefined,
    now: () => new Date(0),
    tool: "veilgrid 0.0.0",
    trustProxy: false,
  };
  const app = await buildService(parts as unknown as ServiceParts);
  await app.ready();
  return { ask: () => app.inject({ method: "GET", url: "/ready" }), close: () => app.close() };
}

test("a ledger that answers makes it ready", async () => {
  const { ask, close } = await ready(async () => []);
  expect((await ask()).statusCode).toBe(200);
  await close();
});

test("a ledger that never answers makes it unready after three seconds, no sooner and no later", async () => {
  const { ask, close } = await ready(() => new Promise(() => undefined));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let status = 0;
  const answer = ask().then((each) => {
    status = each.statusCode;
    return each;
  });
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(2_900);
  expect(status).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  const { statusCode, json } = await answer;
  expect(statusCode).toBe(503);
  expect(json().error.code).toBe("LEDGER_UNAVAILABLE");
  vi.useRealTimers();
  await close();
});
