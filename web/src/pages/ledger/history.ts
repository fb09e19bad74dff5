/** What the audit trail tells about spending over time. */
import type { ChartStep } from "../../../../src/charts/index.ts";
import type { Standing } from "./standing.ts";

export interface History {
  /** The most that any user can have lost by then; the last is exact. */
  readonly spent: readonly ChartStep[];
  readonly budget: readonly ChartStep[];
}

/**
 * Charges of one user after another's may not fall on the same user, so their sum is a bound. What is known to be the largest loss now
 * bounds what came before, unless something was refunded since.
 */
export function historyOf({ trail, loss, created }: Pick<Standing, "trail" | "loss" | "created">): History {
  const start = Date.parse(trail[0]?.time ?? created);
  const spent: ChartStep[] = [{ at: start, value: 0, title: "nothing spent yet" }];
  const budget: ChartStep[] = [];
  const lastRefund = trail.findLastIndex(({ kind }) => kind === "void");
  let total = 0;
  trail.forEach(({ time, kind, what }, index) => {
    const at = Date.parse(time);
    const amount = amountIn(what, kind);
    if (amount === undefined) return;
    if (kind === "init" || kind === "raise") budget.push({ at, value: amount, title: what });
    if (kind !== "reserve") return;
    total += amount;
    const most = index > lastRefund ? Math.min(total, loss) : total;
    spent.push({ at, value: most, title: `at most ${most} after: ${what}` });
  });
  const last = spent.at(-1)!;
  const ended = trail.at(-1);
  if (last.value !== loss && ended !== undefined)
    spent.push({ at: Math.max(last.at, Date.parse(ended.time)), value: loss, title: `${loss} after: ${ended.what}` });
  return { spent, budget };
}

function amountIn(what: string, kind: string): number | undefined {
  const form = kind === "reserve" ? /charged up to (\d+(?:\.\d+)?)$/ : /budget (?:raised to )?(\d+(?:\.\d+)?)/;
  const found = form.exec(what)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Long keys are hashes, of which a few letters tell enough. */
export function shortKeys(text: string): string {
  return text.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, "$1…");
}
