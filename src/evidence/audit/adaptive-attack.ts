/** Attacks as an analyst who asks grid by grid, chooses each question by the answers so far, and uses up the budget. */
import { itemAt } from "../../core/errors/index.ts";
import { checkpoint } from "../../core/planning/index.ts";
import { type AttackOptions, evidenceIn, sum } from "./attack.ts";
import { demonstrate } from "./demonstrate.ts";
import type { Attack, BySide, Side, Target } from "./scenario.ts";

export interface Question {
  /** Which of the overlapping releases. */
  readonly release: number;
  readonly grid: string;
}

export interface GridAnswer {
  /** All of it: asking again must give the same. */
  readonly text: string;
  /** Per statistic and coordinate, in steps of the noise's lattice. */
  readonly steps: ReadonlyArray<readonly bigint[]>;
}

/** A dataset with its records and a fresh ledger, as an analyst sees it. */
export interface AnalystSession {
  /** Undefined if the budget refuses it. */
  ask(question: Question): Promise<GridAnswer | undefined>;
  /** What the ledger has charged the attacked user by now. */
  charged(): Promise<number>;
}

/** A question and the numbers of its answer that the attacked user can move. */
export interface AskedGrid extends Question {
  readonly targets: readonly Target[];
  /** What it will cost the attacked user. */
  readonly loss: number;
}

export type AdaptiveReport = Awaited<ReturnType<typeof attackAdaptively>>;

const RUNS_PER_CHECKPOINT = 50;

type Transcript = Awaited<ReturnType<typeof interrogate>>;

/** `runs` are sessions on each of the two datasets; no user may lose more than the budget. */
export async function attackAdaptively(
  grids: readonly AskedGrid[],
  open: (side: Side) => Promise<AnalystSession>,
  options: AttackOptions & { readonly budget: number },
) {
  const { runs, confidence, budget } = options;
  const transcripts: BySide<Transcript[]> = { before: [], after: [] };
  for (let run = 0; run < runs; run++) {
    for (const side of ["before", "after"] as const)
      transcripts[side].push(await interrogate(grids, await open(side), budget));
    if (run % RUNS_PER_CHECKPOINT === 0) {
      options.onProgress?.({ step: "asking grid by grid", done: run, of: runs });
      await checkpoint(options.signal);
    }
  }
  const all = [...transcripts.before, ...transcripts.after];
  const charges = [...new Set(all.map(({ charge }) => charge))].sort((one, other) => one - other);
  // What a transcript was charged can be read from it, so events may depend on it: a union bound over all charges there can be.
  const each = 1 - (1 - confidence) / possibleCharges(grids, budget);
  const byCharge = charges.map((charge) => {
    // NaN is in no event.
    const column = (side: Side): Float64Array =>
      Float64Array.from(transcripts[side], (one) => (one.charge <= charge ? one.evidence : Number.NaN));
    const event = demonstrate({ before: column("before"), after: column("after") }, each);
    const share = all.filter((one) => one.charge === charge).length / all.length;
    return { charge, share, event, broken: event.epsilon > charge + ROUNDING };
  });
  const count = (of: (one: Transcript) => number): number => sum(all.map(of));
  const changedAnswers = count((one) => one.changedAnswers);
  const misCharged = count((one) => Number(one.misCharged));
  return {
    runs,
    budget,
    /** Of transcripts that were charged at most so much: the share of all that cost this, and the ε demonstrated. */
    byCharge,
    /** The last of them: all transcripts. */
    demonstrated: byCharge.at(-1)?.event.epsilon ?? 0,
    /** Different orders of questions that were asked. */
    orders: new Set(all.map(({ order }) => order)).size,
    questions: count((one) => one.questions),
    refused: count((one) => one.refused),
    /** Answers that were other bytes when asked for again. */
    changedAnswers,
    /** Sessions in which the user was not charged exactly what each answer costs, once, or more than the budget. */
    misCharged,
    broken: changedAnswers > 0 || misCharged > 0 || byCharge.some(({ broken }) => broken),
  };
}

/** Different sums of some of the losses, within the budget. */
function possibleCharges(grids: readonly AskedGrid[], budget: number): number {
  let sums = new Set([0]);
  for (const { loss } of grids)
    sums = new Set([...sums, ...[...sums].map((sum) => Math.round((sum + loss) * 1e9) / 1e9)]);
  return [...sums].filter((sum) => sum > 0 && sum <= budget + ROUNDING).length;
}

/** Losses are exact in the ledger, with the lattices' share, and doubles here. */
const ROUNDING = 1e-8;

/**
 * While the evidence points to the second dataset the attacker asks for what costs the user most, to be sure; otherwise for what
 * costs least, to keep the budget for more answers. Every question is asked twice.
 */
async function interrogate(grids: readonly AskedGrid[], session: AnalystSession, budget: number) {
  const left = [...grids].sort((one, other) => one.loss - other.loss);
  const asked: string[] = [];
  let evidence = 0;
  let refused = 0;
  let changedAnswers = 0;
  let expected = 0;
  while (left.length > 0) {
    // The first question is the one in the middle.
    const place = asked.length === 0 ? left.length >> 1 : evidence > 0 ? left.length - 1 : 0;
    const [question] = left.splice(place, 1) as [AskedGrid];
    asked.push(`${question.release} ${question.grid}`);
    const answer = await session.ask(question);
    if (answer === undefined) {
      refused += 1;
      continue;
    }
    const again = await session.ask(question);
    if (again?.text !== answer.text) changedAnswers += 1;
    expected += question.loss;
    evidence += evidenceOf(question, answer);
    // Fresh noise, if there were any, would be more evidence.
    if (again !== undefined && again.text !== answer.text) evidence += evidenceOf(question, again);
  }
  const charge = Math.round((await session.charged()) * 1e9) / 1e9;
  const misCharged = Math.abs(charge - expected) > ROUNDING || charge > budget + ROUNDING;
  return { evidence, charge, order: asked.join("; "), questions: asked.length, refused, changedAnswers, misCharged };
}

function evidenceOf({ targets }: AskedGrid, { steps }: GridAnswer): number {
  return sum(targets.flatMap((target) => evidenceIn(target, itemAt(steps, target.index))));
}

/** The questions of one release that tell about the attacked user. */
export function questionsOf(
  release: number,
  { grids, attack }: { grids: readonly string[]; attack: Attack },
): AskedGrid[] {
  return grids.flatMap((grid) => {
    const targets = attack.targets.filter((target) => target.grid === grid);
    return targets.length === 0 ? [] : [{ release, grid, targets, loss: sum(targets.map(({ claim }) => claim)) }];
  });
}
