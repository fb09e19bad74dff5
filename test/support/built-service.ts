/** The service as it is built, since its threads are files of dist; and a dataset of bus records to serve. */
import path from "node:path";
import type * as Service from "../../src/apps/service/index.ts";
import type { ServedDataset } from "../../src/apps/service/index.ts";
import { root } from "./cli.ts";

export async function builtService(): Promise<typeof Service> {
  return import(path.join(root, "dist", "apps", "service", "index.js"));
}

/** `records.csv` of a release folder, by line and place. */
export const BUS_RECIPE = {
  ...{ user: "who", value: "speed", by: "line", lat: "lat", lon: "lon", h3: "7", time: "at", slot: "1d" },
};

export function busDataset(folder: string, changed: Partial<ServedDataset> = {}): ServedDataset {
  return {
    ...{ name: "buses", source: path.join(folder, "records.csv"), recipe: BUS_RECIPE, bounds: "0,50" },
    ...{ statistics: "mean,variance", unit: null, plan: null, key: null, onlyReleased: false },
    created: "2026-05-01T00:00:00Z",
    ...changed,
  };
}
