/** One after another, in the order asked, whatever fails. */
import { expect, test } from "vitest";
import { Queue } from "./queue.ts";

test("work runs one after another in the order asked, also after a failure", async () => {
  const queue = new Queue();
  const seen: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    seen.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${name} ends`);
    if (name === "two") throw new Error("two fails");
    return name;
  };
  const done = await Promise.allSettled(["one", "two", "three"].map((name) => queue.run(work(name))));
  expect(seen).toEqual(["one begins", "one ends", "two begins", "two ends", "three begins", "three ends"]);
  expect(done.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await queue.run(work("four"))).toBe("four");
});
