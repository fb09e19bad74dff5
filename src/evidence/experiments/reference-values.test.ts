/** The paper's synthetic experiment at its own size: K where reference runs had it, and its order in γ. */
import { expect, test } from "vitest";
import { runNow } from "../../core/planning/index.ts";
import { paperTasks, runTask, syntheticOutlines } from "./tasks.ts";

/** Mean K of reference runs at ε = 0.1, 0.5 and 1, within ±0.5. */
const REFERENCE: ReadonlyArray<readonly [subject: string, degradations: readonly number[]]> = [
  ["gamma-3", [2.7, 4.3, 5.2]],
  ["gamma-6", [2.5, 3.5, 4.4]],
  ["gamma-9", [2.5, 3.3, 4.3]],
];
const EPSILONS = ["0.1", "0.5", "1"];

test("mean K of ten draws is that of the reference, and does not rise with γ", () => {
  const means = syntheticOutlines({ seed: 1, draws: 10 }).map((outline) => {
    const results = paperTasks(outline).map((task) => runNow(runTask({ ...task, clipped: EPSILONS })));
    return EPSILONS.map((_, at) => results.reduce((sum, { clipped }) => sum + clipped[at]!.gridsAfter, 0) / 10);
  });
  for (const [index, [subject, expected]] of REFERENCE.entries()) {
    for (const [at, mean] of means[index]!.entries())
      expect(Math.abs(mean - expected[at]!), `${subject} at ε = ${EPSILONS[at]}`).toBeLessThanOrEqual(0.5);
  }
  for (const at of EPSILONS.keys()) {
    expect(means[1]![at]).toBeLessThanOrEqual(means[0]![at]!);
    expect(means[2]![at]).toBeLessThanOrEqual(means[1]![at]!);
  }
});
