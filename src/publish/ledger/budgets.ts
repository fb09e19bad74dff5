/** A dataset and its budget: made once, raised with a reason, never lowered. */
import { Rational } from "../../core/arithmetic/index.ts";
import { quoteForMessage, VeilgridError } from "../../core/errors/index.ts";
import { LOSS_UNITS_PER_ONE } from "../../core/influence/index.ts";
import { type Books, datasetNamed } from "./books.ts";
import { shortageText } from "./charges.ts";
import { appendToJournal } from "./journal.ts";
import { budgetUnits, lossOfUnits } from "./loss-units.ts";
import { checkLine } from "./texts.ts";
import { usersKeyCheck } from "./user-names.ts";

export interface InitRequest {
  readonly dataset: string;
  /** The loss that any user may reach. */
  readonly budget: Rational;
  readonly occupancyIsPublic: boolean;
  /** Keep HMAC-SHA256 of ids under the ledger's `usersKey` instead of ids. */
  readonly hashUsers?: boolean | undefined;
}

export interface RaiseRequest {
  readonly dataset: string;
  readonly budget: Rational;
  readonly reason: string;
}

/** Makes a dataset. */
export async function init(books: Books, request: InitRequest): Promise<void> {
  const { dataset: name } = request;
  checkLine(name, "dataset name");
  const budget = budgetUnits(request.budget);
  if (!request.occupancyIsPublic)
    throw new VeilgridError(
      "USAGE",
      `dataset ${quoteForMessage(name)}: who was where how often is published and not protected; add --occupancy-is-public if that is acceptable`,
    );
  const keyCheck = request.hashUsers ? usersKeyCheck(books.usersKey) : null;
  await books.store.transact(async (state) => {
    if ((await state.datasets()).some((row) => row.name === name))
      throw new VeilgridError(
        "LEDGER_CONFLICT",
        `the ledger has a dataset ${quoteForMessage(name)} already; name another or raise its budget with veilgrid ledger raise`,
      );
    const time = books.clock();
    await state.putDataset({ name, budget, created: time.toISOString(), usersKeyCheck: keyCheck });
    await appendToJournal(state, time, {
      kind: "init",
      dataset: name,
      budget: String(budget),
      usersKeyCheck: keyCheck,
    });
  });
}

/** Raises a dataset's budget, never lowers it, and records why (docs/mathematics.md, Theorem 14). */
export async function raise(books: Books, request: RaiseRequest): Promise<void> {
  checkLine(request.reason, "reason", 1_000);
  const budget = budgetUnits(request.budget);
  await books.store.transact(async (state) => {
    const dataset = await datasetNamed(state, request.dataset);
    if (budget <= dataset.budget)
      throw new VeilgridError(
        "PARAMETER_INVALID",
        `budget ${lossOfUnits(budget)} is not above the budget ${lossOfUnits(dataset.budget)} of dataset ${quoteForMessage(dataset.name)}; budgets only go up`,
      );
    await state.putDataset({ ...dataset, budget });
    const { name } = dataset;
    const entry = { kind: "raise", dataset: name, budget: String(budget), reason: request.reason } as const;
    await appendToJournal(state, books.clock(), entry);
  });
}

/** Refuses a loss that is above the whole budget, before anyone's balance is looked at. */
export async function checkAffordable(books: Books, name: string, loss: Rational): Promise<void> {
  const dataset = await books.store.transact((state) => datasetNamed(state, name), "read");
  const needed = loss.multiply(Rational.of(LOSS_UNITS_PER_ONE)).ceilToInteger();
  if (needed > dataset.budget)
    throw new VeilgridError("BUDGET_EXCEEDED", shortageText(dataset, { needed, left: dataset.budget }));
}
