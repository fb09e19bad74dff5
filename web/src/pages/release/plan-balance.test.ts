/** Tests the balance against every user's own account, for releases of all kinds. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReleaseStanding } from "../ledger/standing.ts";
import { planBalance } from "./plan-balance.ts";

test("nobody has less left afterwards than is said", () => {
  const charge = fc.double({ min: 0, max: 3, noNaN: true });
  const account = fc.record({ others: fc.tuple(charge, charge), before: charge, rest: charge });
  fc.assert(
    fc.property(fc.array(account, { minLength: 1, maxLength: 6 }), (users) => {
      const budget = 20;
      const most = (of: (user: (typeof users)[number]) => number): number => Math.max(...users.map(of));
      const release = (loss: number): ReleaseStanding => ({
        key: "k",
        planHash: "p",
        created: "",
        state: "committed",
        loss,
        exactLoss: String(loss),
        committed: 1,
        pending: [],
      });
      const own = release(most(({ before }) => before));
      const releases = [release(most(({ others }) => others[0])), own, release(most(({ others }) => others[1]))];
      const spent = most(({ others, before }) => others[0] + others[1] + before);
      const loss = most(({ before, rest }) => before + rest);
      const { leftAfter } = planBalance({ budget, loss: spent, releases }, { loss, own });
      const left = budget - most(({ others, before, rest }) => others[0] + others[1] + before + rest);
      expect(leftAfter).toBeLessThanOrEqual(left + 1e-9);
    }),
  );
});

test("what was charged under the same key is not counted twice", () => {
  const own: ReleaseStanding = {
    ...{
      key: "k",
      planHash: "p",
      created: "",
      state: "pending",
      loss: 1,
      exactLoss: "1",
      committed: 0,
      pending: ["a"],
    },
  };
  expect(planBalance({ budget: 3, loss: 1, releases: [own] }, { loss: 1, own })).toEqual({
    leftForIt: 3,
    leftAfter: 2,
  });
  expect(planBalance({ budget: 3, loss: 1, releases: [own] }, { loss: 1, own: undefined }).leftAfter).toBe(1);
});
