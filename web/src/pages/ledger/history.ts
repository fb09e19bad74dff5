/** Reads the spending over time from the audit trail. */
import { tryParseDecimal } from "../../../../src/core/arithmetic/index.ts";
import type { ChartStep } from "../../../../src/publish/charts/index.ts";
import { isolateText } from "../../isolate-text.ts";
import type { Standing } from "./standing.ts";

export interface History {
  /** The most that any user can have lost by then; the last is exact. */
  readonly spent: readonly ChartStep[];
  readonly budget: readonly ChartStep[];
}

/**
 * Charges need not fall on the same user, so their sum is a bound; under one key, so is what that release took from its worst user in all. The largest loss that is known, which is now's, is another: nobody
 * had lost more before, but for what was refunded since.
 */
export function historyOf({
  trail,
  loss,
  created,
  releases,
}: Pick<Standing, "trail" | "loss" | "created" | "releases">): History {
  const start = Date.parse(trail[0]?.time ?? created);
  const spent: ChartStep[] = [{ at: start, value: 0, title: "nothing spent yet" }];
  const budget: ChartStep[] = [];
  const refundedAt = lastRefunds(trail);
  const ofRelease = new Map(releases.map((release) => [release.key, release.loss]));
  const charged = new Map<string, number>();
  trail.forEach(({ time, kind, what }, index) => {
    const at = Date.parse(time);
    const amount = amountIn(what, kind);
    if (amount === undefined) return;
    if (kind === "init" || kind === "raise") budget.push({ at, value: amount, title: what });
    if (kind !== "reserve") return;
    const key = keyIn(what);
    const inAll = refundedAt.has(key) ? Number.POSITIVE_INFINITY : (ofRelease.get(key) ?? Number.POSITIVE_INFINITY);
    charged.set(key, Math.min(inAll, (charged.get(key) ?? 0) + amount));
    const most = Math.min(sumOf(charged), loss + sumOf(charged, (each) => (refundedAt.get(each) ?? -1) > index));
    if (most !== spent.at(-1)!.value) spent.push({ at, value: most, title: `at most ${most} after: ${what}` });
  });
  const last = spent.at(-1)!;
  const ended = trail.at(-1);
  if (last.value !== loss && ended !== undefined)
    spent.push({ at: Math.max(last.at, Date.parse(ended.time)), value: loss, title: `${loss} after: ${ended.what}` });
  return { spent, budget };
}

/** By key, the last line that gave something back. */
function lastRefunds(trail: Standing["trail"]): Map<string, number> {
  return new Map(trail.flatMap(({ kind, what }, index) => (kind === "void" ? [[keyIn(what), index] as const] : [])));
}

function sumOf(charged: ReadonlyMap<string, number>, counts: (key: string) => boolean = () => true): number {
  return [...charged].reduce((sum, [key, amount]) => (counts(key) ? sum + amount : sum), 0);
}

function keyIn(what: string): string {
  return /^'(.*)': /.exec(what)?.[1] ?? "";
}

function amountIn(what: string, kind: string): number | undefined {
  const form = kind === "reserve" ? /charged up to (\d+(?:\.\d+)?)$/ : /budget (?:raised to )?(\d+(?:\.\d+)?)/;
  const found = form.exec(what)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** As people read it: of hashes a few letters, of losses four places, rounded up. */
export function readable(what: string): string {
  return what
    .replace(/^'(.*)'(?=: )/s, (_, key: string) => `'${isolateText(key)}'`)
    .replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, "$1…")
    .replace(/\b\d+\.\d{5,}\b/g, (text) => String(Number(tryParseDecimal(text)!.toDecimalUp(4))));
}
