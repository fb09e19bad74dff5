/** Makes the demo's dataset: a simulated city, a plan for mean speeds, a budget. */

import { chmod } from "node:fs/promises";
import path from "node:path";
import { Rational } from "../../core/arithmetic/index.ts";
import { type LongWorkOptions, planText } from "../../core/planning/index.ts";
import { openLedgerFile } from "../../publish/ledger/index.ts";
import { plan, simulateCity } from "../operations/index.ts";
import type { ServedDataset } from "./rows.ts";
import { makeFolder } from "./state-folder.ts";
import type { ServiceStore } from "./store.ts";
import { surveyDataset, surveyedAt } from "./survey.ts";

const NAME = "city";
const RECIPE: ServedDataset["recipe"] = {
  user: "vehicle_id",
  value: "speed",
  lat: "latitude",
  lon: "longitude",
  h3: "7",
  time: "timestamp",
  slot: "1d",
  tz: "+05:30",
  minUsers: "250",
};

/** Makes what is missing of it; returns the folder of its records. */
export async function makeDemo(store: ServiceStore, options: LongWorkOptions): Promise<string> {
  const data = path.join(store.folder, "data");
  const source = path.join(data, "city.parquet");
  const known = store.dataset(NAME);
  if (known === undefined) {
    makeFolder(data, store.folder);
    await makeDataset(store, source, options);
  } else if (known.source !== source) store.moveSource(NAME, source); // the folder was moved, or made with a relative path
  const occupancyFile = store.occupancyFile(NAME);
  if (surveyedAt(occupancyFile) === undefined) await surveyDataset({ source, recipe: RECIPE, occupancyFile }, options);
  return data;
}

async function makeDataset(store: ServiceStore, source: string, options: LongWorkOptions): Promise<void> {
  await simulateCity({ seed: 1, vehicles: 1500, records: 200_000 }, { ...options, out: source, force: true });
  await chmod(source, 0o600);
  const made = await plan(source, { bounds: "0,65", statistics: "mean", loss: "1", records: RECIPE }, options);
  await using ledger = await openLedgerFile(path.join(store.folder, "ledger.db"), { create: true });
  await ledger.init({ dataset: NAME, budget: Rational.of(3), occupancyIsPublic: true });
  const created = new Date().toISOString();
  const { hash } = made.plan;
  store.putPlan({ hash, dataset: NAME, created, summary: made.summary }, planText(made.plan));
  store.putDataset({
    ...{ name: NAME, source, recipe: RECIPE, bounds: "0,65", statistics: "mean", unit: "km/h" },
    ...{ plan: hash, key: hash, onlyReleased: false, created },
  });
}
