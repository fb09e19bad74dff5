/** Which statistics are published for every grid. */
import { Card } from "../../parts/card.tsx";
import { STATISTIC_KINDS, type StatisticKind } from "./add-form.ts";
import { FieldNotes, TextField } from "./field.tsx";
import { type FormState, fieldId } from "./form-state.ts";

const NAMES: Readonly<Record<StatisticKind, { readonly name: string; readonly says: string }>> = {
  mean: { name: "Mean", says: "the average of the number" },
  variance: { name: "Variance", says: "how much it varies" },
  sum: { name: "Sum", says: "of all records" },
  share: { name: "Share above a threshold", says: "such as: above 50" },
  histogram: { name: "Histogram", says: "how many records lie in each range" },
};

export function WishesPart({ of }: { of: FormState }) {
  const { form, change } = of;
  const turn = (kind: StatisticKind, on: boolean): void =>
    change({ statistics: on ? [...form.statistics, kind] : form.statistics.filter((each) => each !== kind) });
  return (
    <Card
      title="What is published"
      lead="For every grid. Each one more shares the same privacy, so choose what you need."
    >
      <fieldset class="field" id={fieldId("statistics")} tabIndex={-1}>
        <legend class="for-readers">Statistics</legend>
        <div class="chips">
          {STATISTIC_KINDS.map((kind) => (
            <label key={kind} class="check">
              <input
                type="checkbox"
                checked={form.statistics.includes(kind)}
                onChange={(event) => turn(kind, event.currentTarget.checked)}
              />
              <span>
                {NAMES[kind].name} <small>{NAMES[kind].says}</small>
              </span>
            </label>
          ))}
        </div>
        <FieldNotes of={of} field="statistics" />
      </fieldset>
      {form.statistics.includes("share") || form.statistics.includes("histogram") ? (
        <div class="fields">
          {form.statistics.includes("share") ? (
            <TextField of={of} field="threshold" label="Share above" decimal placeholder="such as 50" />
          ) : null}
          {form.statistics.includes("histogram") ? (
            <TextField of={of} field="edges" label="Ranges end at" placeholder="such as 20, 40, 60" />
          ) : null}
        </div>
      ) : null}
    </Card>
  );
}
