/** The budget in words, and what is public. */
import { formatNumber } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { attackersGuess } from "./attackers-guess.ts";
import { FieldNotes, TextField, told } from "./field.tsx";
import type { FormState } from "./form-state.ts";

export function PrivacyPart({ of }: { of: FormState }) {
  const { form, change } = of;
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
        <Guess loss={Number(form.budget)} />
      </div>
      <div class="field">
        <label class="check">
          <input
            {...told(of, "isPublic")}
            type="checkbox"
            checked={form.isPublic}
            onChange={(event) => change({ isPublic: event.currentTarget.checked })}
          />
          <span>
            <b>Who was where how often is public.</b> Veilgrid protects the numbers, not that somebody has records in a
            grid, or how many. If that alone is a secret, do not use this dataset here.
          </span>
        </label>
        <FieldNotes of={of} field="isPublic" />
      </div>
    </Card>
  );
}

function Guess({ loss }: { loss: number }) {
  if (!(loss > 0)) return <p class="note" />;
  const share = 100 * attackersGuess(loss);
  // Rounded up: it is a promise.
  const most = share > 99 ? Math.ceil(10 * share) / 10 : Math.ceil(share);
  return (
    <div class="guess">
      <p>
        Someone who knows everything else, and must guess which of two numbers is yours, is right 50 times in 100
        without the results, and <b>at most {formatNumber(Math.min(99.9, most))} times in 100</b> after everything this
        budget allows is published.
      </p>
      <div class="guess-bar" aria-hidden="true">
        <i style={`width:${Math.min(50, share - 50)}%`} />
        <span>coin toss</span>
        <span>certain</span>
      </div>
    </div>
  );
}
