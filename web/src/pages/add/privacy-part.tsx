/** Chooses the budget, explains it in words, and says what is public. */
import { Card } from "../../parts/card.tsx";
import { LossWords } from "../../parts/loss-words.tsx";
import { CheckField, TextField } from "./field.tsx";
import type { FormState } from "./form-state.ts";

export function PrivacyPart({ of }: { of: FormState }) {
  const { form } = of;
  return (
    <Card title="Privacy">
      <div class="fields">
        <TextField
          of={of}
          field="budget"
          label="Privacy budget (λ)"
          decimal
          hint="The loss that no user may ever exceed, over all releases of this dataset together."
        />
        {Number(form.budget) > 0 ? <LossWords loss={Number(form.budget)} /> : null}
      </div>
      <CheckField of={of} field="isPublic">
        <b>Who was where how often is public.</b> Veilgrid protects the numbers, not that somebody has records in a
        grid, or how many. If that alone is a secret, do not use this dataset here.
      </CheckField>
    </Card>
  );
}
