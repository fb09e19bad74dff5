/** Signing in: by a code in the address, by a token, and not at all. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Demo, expectNoSidewaysScroll, expectNoViolations, openPage, startDemo } from "./support/index.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

for (const [theme, width] of [
  ["light", 1280],
  ["dark", 360],
] as const)
  test(`a wrong token is refused in words, and the page can be used by anyone: ${theme}, ${width} px`, async () => {
    await using visit = await openPage({ demo, theme, width });
    const { page } = visit;
    await page.getByLabel("Token").fill("vg_wrong");
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Sign in" }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/token/i);
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);
    visit.forgive(/401/);
    await visit.expectClean();
    // The right one is taken afterwards.
    await page.getByLabel("Token").fill(await demo.token("curator"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await visit.expectClean();
  });

test("a code in the address signs in once, and is gone from the address", async () => {
  await using visit = await openPage({ demo, at: `#code=${demo.code}` });
  await visit.page.getByRole("button", { name: "Sign out" }).waitFor();
  expect(visit.page.url()).not.toContain("code");
  await visit.expectClean();
  await using again = await openPage({ demo, at: `#code=${demo.code}` });
  await again.page.getByRole("alert").waitFor();
  again.forgive(/40[0-9]/);
  await again.expectClean();
});
