/**
 * Publishes mean speeds of buses from rows in memory: the program of the README. Run it with `node examples/release-rows.mjs`
 * in a folder of its own, where it leaves `ledger.db`.
 */
import { openLedger, plan, release, render, survey } from "veilgrid";

const rows = Array.from({ length: 2000 }, (_, at) => ({ bus: at % 40, stop: at % 3, speed: 20 + (at % 30) }));
const records = { rows, user: "bus", value: "speed", by: "stop" }; // or { source: "city.csv", … }: a file, a glob, a table
const counts = await survey(records); // how often each bus was at each stop; no speed is looked at
const { plan: chosen } = await plan(counts, { upper: 65, statistics: "mean", loss: 1 });
const ledger = await openLedger("ledger.db", { create: true });
await ledger.init({ dataset: "buses", budget: 3, occupancyIsPublic: true });
const { result } = await release({ plan: chosen, records, ledger, dataset: "buses", key: "2026-11" });
console.log(await render(result, "csv")); // the same key again gives the same bytes and costs nothing
