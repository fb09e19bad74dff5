/** What a page says, as someone reads it. */
import type { Locator, Page } from "playwright-core";

/** A part of the page by its heading. */
export function cardOf(page: Page, title: string): Locator {
  return page.getByRole("region", { name: title, exact: true });
}

/** The large number beside a name, without the small print below it. */
export async function factIn(card: Locator, name: string): Promise<string> {
  const entry = card.locator("dl.figures > div").filter({ has: card.page().locator("dt", { hasText: name }) });
  return entry.locator("dd").evaluate((element) => {
    const copy = element.cloneNode(true) as HTMLElement;
    for (const small of copy.querySelectorAll("small")) small.remove();
    return (copy.textContent ?? "").trim();
  });
}

/** The plan that is shown on the Plan page. */
export interface ShownPlan {
  readonly loss: string;
  readonly error: string;
  readonly kept: string;
}

/** Once it is refined: what was asked last, and no first answer. */
export async function refinedPlan(page: Page): Promise<ShownPlan> {
  const card = cardOf(page, "What you get");
  await card.waitFor();
  // A choice reaches the planner after the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
  await card.locator(".badge.good").waitFor();
  // In one go: the plan may change between two questions.
  const [loss = "", error = "", , kept = ""] = await card
    .locator("dl.figures dd")
    .evaluateAll((all) => all.map((each) => (each.firstChild?.textContent ?? "").trim()));
  return { loss, error, kept };
}
