/** The helpers notice what they are for: without this, a clean page would prove nothing. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Demo, expectNoSidewaysScroll, expectNoViolations, openPage, startDemo } from "./support/index.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

test("violations, sideways scrolling and layout that moves are noticed", async () => {
  await using visit = await openPage({ demo });
  const { page } = visit;
  await page.getByLabel("Token").waitFor();
  await expectNoViolations(page);
  const before = await visit.layoutShift();
  await page.evaluate(() => {
    const faint = Object.assign(document.createElement("p"), { textContent: "faint" });
    faint.style.cssText = "color: #bbb; background: #fff; width: 3000px; height: 400px";
    document.querySelector("main")!.prepend(faint, document.createElement("button"));
  });
  await expect(expectNoViolations(page)).rejects.toThrow(
    /color-contrast[\s\S]*button-name|button-name[\s\S]*color-contrast/,
  );
  await expect(expectNoSidewaysScroll(page)).rejects.toThrow();
  await expect.poll(() => visit.layoutShift()).toBeGreaterThan(before + 0.05);
  await visit.expectClean();
});

test("console errors, exceptions, failed and foreign requests are noticed, and the content policy is on", async () => {
  await using visit = await openPage({ demo });
  const { page } = visit;
  await page.getByLabel("Token").waitFor();
  await page.evaluate(() => {
    console.error("told");
    setTimeout(() => {
      throw new Error("thrown");
    });
    const script = document.createElement("script");
    script.textContent = "globalThis.wasRun = true";
    document.head.append(script);
    return fetch("https://example.invalid/").catch(() => undefined);
  });
  await expect(visit.expectClean()).rejects.toThrow();
  const all = visit.problems.join("\n");
  for (const said of [/console error: told/, /exception: thrown/, /Content Security Policy/]) expect(all).toMatch(said);
  expect(await page.evaluate(() => "wasRun" in globalThis)).toBe(false);
  visit.forgive(/./);
  await visit.expectClean();
});

test("tokens sign in by role, and every visit is a new one", async () => {
  await using curator = await openPage({ demo, as: "curator" });
  await curator.page.getByRole("button", { name: "Sign out" }).waitFor();
  await curator.expectClean();
  await using analyst = await openPage({ demo, as: "analyst", at: "#/d/city/ledger" });
  await analyst.page.getByText("Not for analysts").waitFor();
  await analyst.expectClean();
  await using nobody = await openPage({ demo });
  await nobody.page.getByLabel("Token").waitFor();
  await nobody.expectClean();
});
