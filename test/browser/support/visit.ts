/** A page of the dashboard in a browser, and everything that went on in it. */
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import type { Demo } from "./demo.ts";

export interface OpenPageOptions {
  readonly demo: Demo;
  /** What follows the service's address: `#/paper`; the start page if absent. */
  readonly at?: string | undefined;
  /** Signed in with a token of this role, or with this token; nobody if absent. */
  readonly as?: "curator" | "analyst" | { readonly token: string } | undefined;
  readonly theme?: "light" | "dark" | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Console errors and warnings, exceptions, requests that failed, hosts other than this machine; in words. */
  readonly problems: readonly string[];
  /** Problems that the test provokes. */
  forgive(pattern: RegExp): void;
  expectClean(): Promise<void>;
  /** Of what moved by itself since the page was opened. */
  layoutShift(): Promise<number>;
}

const KEPT_AS = "veilgrid-token";

let launched: Promise<Browser> | undefined;

afterAll(async () => {
  await (await launched)?.close();
  launched = undefined;
});

export async function openPage(options: OpenPageOptions): Promise<Visit> {
  const { demo, at = "", as, theme = "light", width = 1280, height = 900 } = options;
  launched ??= chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    // As scripts/chromium.mjs: WebGL without a graphics card.
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  const context = await (await launched).newContext({ viewport: { width, height }, colorScheme: theme });
  context.setDefaultTimeout(60_000);
  const token = typeof as === "string" ? await demo.token(as) : as?.token;
  // Not in a second tab or after signing out.
  if (token !== undefined)
    await context.addInitScript(
      ([name, value]) => {
        if (sessionStorage.getItem("test-began") === null) sessionStorage.setItem(name!, value!);
        sessionStorage.setItem("test-began", "yes");
      },
      [KEPT_AS, token],
    );
  await context.addInitScript(watchLayout);
  const page = await context.newPage();
  const problems: string[] = [];
  const forgiven: RegExp[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      problems.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("requestfailed", (request) => {
    // Left behind by a page that went on.
    const reason = request.failure()?.errorText ?? "";
    if (reason !== "net::ERR_ABORTED") problems.push(`request failed: ${request.url()} ${reason}`);
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (!["blob:", "data:"].includes(protocol) && hostname !== "127.0.0.1")
      problems.push(`left the machine: ${request.url()}`);
  });
  await page.goto(`${demo.url}/${at}`);
  return {
    page,
    problems,
    forgive: (pattern) => forgiven.push(pattern),
    async expectClean() {
      // What is told of the last step may still be on its way.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
      const left = problems.filter((problem) => !forgiven.some((pattern) => pattern.test(problem)));
      expect(left, left.join("\n")).toEqual([]);
    },
    layoutShift: () => page.evaluate(() => (globalThis as unknown as { layoutShift: number }).layoutShift),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Runs in the page before its own scripts. */
function watchLayout(): void {
  const counted = globalThis as unknown as { layoutShift: number };
  counted.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Array<PerformanceEntry & { value: number; hadRecentInput: boolean }>)
      if (!entry.hadRecentInput) counted.layoutShift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}
