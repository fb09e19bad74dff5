/** The 50 busiest hexagons of one hour of real buses, where that file is at hand: the frontier beside baseline and CLIP-USER. */
import { existsSync } from "node:fs";
import { readSource } from "#apps/operations";
import { parseDecimal, Rational } from "#core/arithmetic";
import { dataFreeError, makeObjective, type Objective, parseBounds } from "#core/influence";
import type { Occupancy } from "#core/occupancy";
import { makePlan, type PlanRequest, runNow, summarisePlan, verifyBound } from "#core/planning";

const FILE = "../shared/data/capmetro-2016-12-16.csv.gz";
const RECORDS = {
  user: "vehicle_id",
  value: "speed",
  lat: "latitude",
  lon: "longitude",
  h3: "8",
  time: "timestamp",
  tz: "-06:00",
  slot: "1h",
  hours: "9-10",
  top: "50",
};

/** True where there is no such file. */
export async function benchRealHour(): Promise<boolean> {
  if (!existsSync(FILE)) {
    console.log(`${FILE} is not here: nothing measured on real records\n`);
    return true;
  }
  const { occupancy } = await readSource(FILE, RECORDS);
  console.log(
    `an hour of real buses: ${occupancy.users.length} users, ${occupancy.grids.length} grids; joint loss at the same error`,
  );
  console.log(
    "  statistics      error      baseline  CLIP-USER (K)  frontier kept: loss  gap    centred: loss  gap    verified",
  );
  let good = true;
  for (const statistics of ["mean", "mean,variance"]) {
    for (const share of ["0.5", "0.8"]) good = row(occupancy, statistics, share) && good;
  }
  console.log();
  return good;
}

function row(occupancy: Occupancy, statistics: string, share: string): boolean {
  const bounds = parseBounds("0,65");
  const kept = makeObjective(bounds, { statistics });
  const error = dataFreeError(kept, 2).multiply(parseDecimal(share, "share"));
  const summary = (request: PlanRequest) => {
    const made = runNow(makePlan(occupancy, request));
    return { ...summarisePlan(occupancy, made), verified: verifyBound(occupancy, made.plan) };
  };
  const frontier = (objective: Objective) =>
    summary({ objective, frontier: { kind: "error", target: { kind: "together", error } } });
  const ours = [frontier(kept), frontier(makeObjective(bounds, { statistics, estimator: "centred" }))];
  // CLIP-USER at the ε where nothing dropped has this error, which is then its bound.
  const epsilon = Rational.of(BigInt(Math.ceil(ours[0]!.baselineEpsilon * 1e12)), 10n ** 12n);
  const clipped = summary({ objective: kept, epsilon, clipUser: {} });
  const columns = ours.map((each) => `${each.loss.toFixed(3).padStart(19)}  ${(100 * each.gap!).toFixed(1)} %`);
  console.log(
    `  ${statistics.padEnd(14)}  ${`${share} × ${(error.toNumberNearest() / Number(share)).toFixed(1)}`.padEnd(11)}` +
      `${ours[0]!.baselineLoss.toFixed(2).padStart(8)}  ${`${clipped.loss.toFixed(2)} (${clipped.degradation})`.padStart(13)}${columns.join("")}  ${ours.every((each) => each.verified) ? "yes" : "NO"}`,
  );
  return ours.every((each) => each.verified);
}
