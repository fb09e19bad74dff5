/** Files that go into the dashboard and come out of it. */
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";

/** As a hand does it from a folder beside the browser. */
export async function dropFile(zone: Locator, name: string, content: string): Promise<void> {
  const transfer = await zone.page().evaluateHandle(
    ([fileName, text]) => {
      const made = new DataTransfer();
      made.items.add(new File([text!], fileName!));
      return made;
    },
    [name, content],
  );
  await zone.dispatchEvent("dragover", { dataTransfer: transfer });
  await zone.dispatchEvent("drop", { dataTransfer: transfer });
}

export interface Saved {
  readonly name: string;
  readonly text: string;
}

/** What is saved when this is clicked. */
export async function savedBy(page: Page, button: Locator): Promise<Saved> {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}
