/** Where a dataset's budget stands, as the service answers it. */
import type { Service } from "../../session.ts";

export interface ReleaseStanding {
  readonly key: string;
  readonly planHash: string;
  readonly created: string;
  readonly state: "committed" | "pending" | "void";
  /** Of the user it charges most. */
  readonly loss: number;
  readonly committed: number;
  /** Grids that are charged and wait for their result. */
  readonly pending: readonly string[];
}

export interface TrailLine {
  readonly time: string;
  readonly kind: "init" | "reserve" | "commit" | "void" | "raise";
  readonly what: string;
}

export interface LossBin {
  readonly from: number;
  readonly to: number;
  readonly users: number;
}

export interface Standing {
  readonly dataset: string;
  readonly created: string;
  readonly budget: number;
  /** Of the user who has lost most. */
  readonly loss: number;
  readonly left: number;
  /** With a loss above 0. */
  readonly users: number;
  readonly usersAreHashed: boolean;
  /** Heaviest first; who they are is not shown. */
  readonly heaviest: ReadonlyArray<{ readonly loss: number }>;
  readonly releases: readonly ReleaseStanding[];
  /** null before the first release. */
  readonly moreLikeLast: number | null;
  readonly trail: readonly TrailLine[];
  /** Absent where the service is older. */
  readonly distribution?: readonly LossBin[] | undefined;
  /** As decimals. */
  readonly exact: Readonly<Record<"budget" | "loss" | "left", string>>;
}

export async function askStanding(service: Service, dataset: string, signal?: AbortSignal): Promise<Standing> {
  return (await service.getLedger({ params: { dataset }, signal })) as Standing;
}
