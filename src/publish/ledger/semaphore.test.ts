/** A few at a time, in the order asked; a slot comes back whatever became of the work. */
import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

/** Work that is begun by the semaphore and ended by the test. */
class Hands {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();

  work(name: string): () => Promise<string> {
    return () => {
      this.begun.push(name);
      return new Promise((resolve, reject) => {
        this.#ends.set(name, { resolve: () => resolve(name), reject });
      });
    };
  }

  async end(name: string, error?: Error): Promise<void> {
    const { resolve, reject } = this.#ends.get(name)!;
    if (error === undefined) resolve();
    else reject(error);
    await turn();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("two at a time, in the order asked, and again once all are done", async () => {
  const semaphore = new Semaphore(2);
  const hands = new Hands();
  const asked = ["a", "b", "c", "d"].map((name) => semaphore.run(hands.work(name)));
  asked[0]!.catch(() => undefined);
  await turn();
  expect(hands.begun).toEqual(["a", "b"]);
  await hands.end("b");
  expect(hands.begun).toEqual(["a", "b", "c"]);
  await hands.end("a", new Error("a fails"));
  expect(hands.begun).toEqual(["a", "b", "c", "d"]);
  await hands.end("c");
  await hands.end("d");
  const done = await Promise.allSettled(asked);
  expect(done.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason)))).toEqual([
    "Error: a fails",
    "b",
    "c",
    "d",
  ]);
  for (const name of ["e", "f", "g"]) void semaphore.run(hands.work(name));
  await turn();
  expect(hands.begun.slice(4)).toEqual(["e", "f"]);
});

test("settled waits for what runs and for what that lets run, and for nothing else", async () => {
  const semaphore = new Semaphore(1);
  const hands = new Hands();
  await semaphore.settled();
  semaphore.run(hands.work("a")).catch(() => undefined);
  void semaphore.run(hands.work("b"));
  let settled = false;
  const all = semaphore.settled().then(() => {
    settled = true;
  });
  await turn();
  await hands.end("a", new Error("a fails"));
  expect([hands.begun, settled]).toEqual([["a", "b"], false]);
  await hands.end("b");
  await all;
  expect(settled).toBe(true);
});
