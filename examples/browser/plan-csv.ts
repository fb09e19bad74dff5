/** From the text of an occupancy CSV and a form's fields to the numbers the page shows. Nothing leaves the browser. */
import {
  type LongWorkOptions,
  makeObjective,
  makePlan,
  OccupancyCsvReader,
  type PlanSummary,
  parseBounds,
  parseDecimal,
  runCooperatively,
  summarisePlan,
} from "veilgrid/planning";

/** As typed: decimal text, so that nothing is rounded on the way. */
export interface Fields {
  /** `a,b` */
  readonly bounds: string;
  readonly epsilon: string;
  readonly statistics: string;
  readonly strategy: "baseline" | "clip-user";
}

/** Rejects with a VeilgridError whose message names what is wrong with the file or a field. */
export async function planCsv(csv: string, fields: Fields, options: LongWorkOptions = {}): Promise<PlanSummary> {
  const reader = new OccupancyCsvReader("occupancy");
  reader.push(new TextEncoder().encode(csv));
  const { occupancy } = reader.finish();
  const bounds = parseBounds(fields.bounds);
  const made = await runCooperatively(
    makePlan(occupancy, {
      objective: makeObjective(bounds, { statistics: fields.statistics }),
      epsilon: parseDecimal(fields.epsilon, "ε"),
      clipUser: fields.strategy === "clip-user" ? {} : undefined,
    }),
    options,
  );
  return summarisePlan(occupancy, made);
}
