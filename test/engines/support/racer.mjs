/** A process that spends what it can of a ledger, a tenth at a time, and tells on standard output what it got: `node racer.mjs ADDRESS NAME TURNS`. */
import { openLedgerAt } from "../../../dist/publish/ledger/index.js";

const [address, name, turns] = process.argv.slice(2);
const TENTH = 10n ** 17n;
const ledger = await openLedgerAt(address);
for (let turn = 0; turn < Number(turns); turn++) {
  const release = { dataset: "d", key: `${name} ${turn}`, planHash: "p" };
  try {
    await ledger.reserve({ ...release, header: "", parts: ["a"], chargesOf: () => [["ann", TENTH]] });
    const { texts } = await ledger.commit({ ...release, parts: [["a", release.key]] });
    process.stdout.write(`${texts.get("a")}\n`);
  } catch (error) {
    if (error.code !== "BUDGET_EXCEEDED") throw error;
  }
}
await ledger[Symbol.asyncDispose]();
