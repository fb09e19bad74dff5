/** What a page must hold to at any width. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, room] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content).toBeLessThanOrEqual(room!);
}

/** To a pixel. */
export async function expectInside(inner: Locator, outer: Locator): Promise<void> {
  const [one, other] = [await inner.boundingBox(), await outer.boundingBox()];
  expect(one!.x).toBeGreaterThanOrEqual(other!.x - 1);
  expect(one!.y).toBeGreaterThanOrEqual(other!.y - 1);
  expect(one!.x + one!.width).toBeLessThanOrEqual(other!.x + other!.width + 1);
  expect(one!.y + one!.height).toBeLessThanOrEqual(other!.y + other!.height + 1);
}
