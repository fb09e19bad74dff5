/** Orders the figures for lists and steps: the paper's first, by subject, loss before error. */
import type { PaperFigure } from "./figures.ts";

type Listed = Pick<PaperFigure, "id" | "set" | "kind" | "subject">;

export const SETS = ["paper", "beyond"] as const;
export const SET_NAMES = { paper: "The paper's figures", beyond: "Beyond the paper" } as const;
export const KIND_NAMES = { loss: "Loss", error: "Error" } as const;

const SUBJECTS = ["gamma-3", "gamma-6", "gamma-9", "city"];

/** `γ = 3`, `city`. */
export function subjectName(subject: string): string {
  return subject.replace(/^gamma-/, "γ\u00a0=\u00a0");
}

export function inOrder<Figure extends Listed>(figures: readonly Figure[]): Figure[] {
  const rank = ({ set, subject, kind }: Listed): number =>
    SETS.indexOf(set) * 100 + (SUBJECTS.indexOf(subject) + 1 || 9) * 10 + (kind === "loss" ? 0 : 1);
  return [...figures].sort((one, other) => rank(one) - rank(other));
}

/** null at the ends. */
export function neighbours<Figure extends Listed>(
  ordered: readonly Figure[],
  id: string,
): { readonly before: Figure | null; readonly after: Figure | null } {
  const at = ordered.findIndex((figure) => figure.id === id);
  return { before: ordered[at - 1] ?? null, after: (at < 0 ? undefined : ordered[at + 1]) ?? null };
}
