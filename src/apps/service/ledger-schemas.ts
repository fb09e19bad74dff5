/** Budgets as schemas: what the ledger's standings and checks say, described for programs. */
import { Type } from "typebox";

const open = { additionalProperties: true } as const;

export const Standing = Type.Object(
  {
    dataset: Type.String(),
    created: Type.String(),
    budget: Type.Number(),
    loss: Type.Number({ description: "the largest of any user so far" }),
    left: Type.Number(),
    users: Type.Integer({ description: "with a loss above 0" }),
    usersAreHashed: Type.Boolean(),
    heaviest: Type.Array(Type.Object({ user: Type.String(), loss: Type.Number() }, open)),
    distribution: Type.Array(
      Type.Object(
        {
          from: Type.Number(),
          to: Type.Number(),
          users: Type.Integer({ description: "with a loss above from and at most to" }),
        },
        open,
      ),
      { description: "twenty equal steps from 0 to the budget" },
    ),
    releases: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          planHash: Type.String(),
          created: Type.String(),
          state: Type.Union(["committed", "pending", "void"].map((state) => Type.Literal(state))),
          loss: Type.Number({ description: "of the user it charges most" }),
          exactLoss: Type.String(),
          committed: Type.Integer(),
          pending: Type.Array(Type.String()),
        },
        open,
      ),
    ),
    moreLikeLast: Type.Union([Type.Number(), Type.Null()], {
      description: "how many more releases at the price of the last the budget holds",
    }),
    trail: Type.Array(Type.Object({ time: Type.String(), kind: Type.String(), what: Type.String() }, open)),
    exact: Type.Object({ budget: Type.String(), loss: Type.String(), left: Type.String() }, open),
  },
  {
    ...open,
    title: "Standing",
    description: "budget, losses, releases and audit trail, as ledger show --json",
  },
);

export const Verification = Type.Object(
  {
    consistent: Type.Boolean(),
    problems: Type.Array(Type.String()),
    counts: Type.Object(
      {
        datasets: Type.Integer(),
        releases: Type.Integer(),
        parts: Type.Integer(),
        users: Type.Integer(),
        lines: Type.Integer(),
      },
      open,
    ),
  },
  {
    ...open,
    title: "Verification",
    description: "whether every balance follows from the journal, as ledger verify --json",
  },
);
