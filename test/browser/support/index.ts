/**
 * Helpers of the browser tests. A test looks like this:
 *
 *     const demo = await startDemo();                       // a service of its own with the demo's dataset `city`
 *     await using visit = await openPage({ demo, at: "#/d/city/plan", as: "curator", theme: "dark", width: 360 });
 *     await visit.page.getByRole("heading", { name: "Plan" }).waitFor();   // playwright's page
 *     await expectNoViolations(visit.page);                 // axe, WCAG 2 A and AA
 *     expectNoSidewaysScroll, expectInside …                // small ones about layout
 *     await visit.expectClean();                            // no console errors, no exceptions, nothing failed, nothing left the machine
 *
 * `cardOf(page, "What you get")`, `factIn(card, "records kept")` and `refinedPlan(page)` read what a page says; `dropFile` and
 * `savedBy` are for files; `runProgram("survey", …)` is the command line, to hold the dashboard against.
 *
 * `startDemo()` copies a state folder that is made once per run and serves the copy on a free port with the built program, so every
 * test may release and spend as it likes. `stop()` and `start()` are for lost connections. In a file whose tests only look, one in `beforeAll` and `demo[Symbol.asyncDispose]()` in
 * `afterAll` is enough. `startDemoByDefault()` makes a demo where `serve --demo` makes one that is not told where. Both have `url`, `code` (redeemable once: `#code=…`), and `token(role)`.
 *
 * `openPage` has a context of its own: nothing is kept from one visit to the next. The service's content policy is on in all of them.
 * What a test provokes on purpose, such as a refused token, it says with `visit.forgive(/401/)` before `expectClean`.
 * `visit.layoutShift()` is what the browser counted so far (0.1 is what is called good).
 */
export { expectNoViolations } from "./axe.ts";
export { type Demo, startDemo, startDemoByDefault } from "./demo.ts";
export { dropFile, savedBy } from "./files.ts";
export { expectInside, expectNoSidewaysScroll } from "./layout.ts";
export { makePlan, releasePlan } from "./plans.ts";
export { runProgram } from "./program.ts";
export { cardOf, factIn, refinedPlan, type ShownPlan } from "./reading.ts";
export { openPage, type Visit } from "./visit.ts";
