/**
 * An analyst against the service: asks over HTTP grid by grid, under several tokens and two overlapping plans, and chooses the next
 * question by the answers. With VEILGRID_AUDIT_SESSIONS the same for longer and with the system's randomness, its figures printed.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rational } from "../../src/core/arithmetic/index.ts";
import { systemBytes } from "../../src/core/noise/index.ts";
import { type AnalystSession, attackAdaptively } from "../../src/evidence/audit/index.ts";
import { type AuditedService, auditedService } from "../support/audited-service.ts";
import { replayedBytes } from "../support/replayed-bytes.ts";

const asked = process.env["VEILGRID_AUDIT_SESSIONS"];
/** On each of the two datasets. */
const SESSIONS = asked === undefined ? 60 : Number(asked);
/** Much, so that few sessions show something. The attacked user loses 4, 3, 2 and 2 in either release: not all of it fits. */
const EPSILON = Rational.of(4);
/** A sound service is called broken in one run of a thousand; without the variable the bytes are the same in every run. */
const CONFIDENCE = 0.999;
const BUDGET = Rational.of(104, 10);
const options = { runs: SESSIONS, confidence: CONFIDENCE, budget: BUDGET.toNumberNearest() };

let audited: AuditedService;
beforeAll(async () => {
  audited = await auditedService({
    epsilon: EPSILON,
    budget: BUDGET,
    random: asked === undefined ? replayedBytes(5) : systemBytes,
  });
}, 120_000);
afterAll(() => audited[Symbol.asyncDispose]());

test(
  "what the answers tell stays within what the ledger charged",
  async () => {
    const report = await attackAdaptively(audited.questions, audited.session, options);
    expect(report).toMatchObject({ broken: false, changedAnswers: 0, misCharged: 0 });
    // It was an attack: the order depends on the answers, the budget was used up, and something was shown.
    expect(report.orders).toBeGreaterThan(2);
    expect(report.refused).toBeGreaterThan(0);
    expect(report.byCharge.at(-1)!.charge).toBeGreaterThan(8);
    expect(report.demonstrated).toBeGreaterThan(0.4);
    if (asked !== undefined) console.log(JSON.stringify(report, null, 2));
  },
  60 * 60_000,
);

test("the same attack finds a second plan that is answered and not charged", async () => {
  const uncharged = async (side: "before" | "after"): Promise<AnalystSession> => {
    const session = await audited.session(side);
    let first = 0;
    return {
      ask: async (question) => {
        const before = await session.charged();
        const answer = await session.ask(question);
        if (question.release === 0) first += (await session.charged()) - before;
        return answer;
      },
      charged: async () => first,
    };
  };
  const report = await attackAdaptively(audited.questions, uncharged, { ...options, runs: 5 });
  expect(report.misCharged).toBeGreaterThan(0);
  expect(report.broken).toBe(true);
});

test("and fresh noise for a question that was asked before", async () => {
  const forgetful = async (side: "before" | "after"): Promise<AnalystSession> => {
    let session = await audited.session(side);
    const seen = new Set<string>();
    return {
      ask: async (question) => {
        const name = JSON.stringify([question.release, question.grid]);
        if (seen.has(name)) session = await audited.session(side);
        seen.add(name);
        return session.ask(question);
      },
      charged: () => session.charged(),
    };
  };
  const report = await attackAdaptively(audited.questions, forgetful, { ...options, runs: 5 });
  expect(report.changedAnswers).toBeGreaterThan(0);
  expect(report.broken).toBe(true);
});
