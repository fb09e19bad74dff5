/** Chooses the user column, the value column and the bounds. */
import { Card } from "../../parts/card.tsx";
import { ColumnField } from "./column-fields.tsx";
import { CheckField, TextField } from "./field.tsx";
import type { FormState } from "./form-state.ts";
import { usualBounds } from "./usual-bounds.ts";

export function PeoplePart({ of }: { of: FormState }) {
  const usual = usualBounds(of.form.value);
  return (
    <Card title="Who and what">
      <div class="fields">
        <ColumnField
          of={of}
          field="user"
          label="Whose record it is"
          suits={["text", "number"]}
          hint="Everyone named here is protected with all of their records together."
        />
        <ColumnField
          of={of}
          field="value"
          label="Protected number"
          suits={["number"]}
          hint="Its statistics are published with noise; the numbers themselves never leave the service."
        />
        <TextField
          of={of}
          field="unit"
          label="Unit (optional)"
          placeholder={usual?.unit}
          hint="Shown beside results."
        />
      </div>
      <CheckField of={of} field="oneRecordPerUser">
        Nobody has more than one record. Leave this open unless you know it: ids that are all different usually name
        trips or purchases, and planning refuses them.
      </CheckField>
      <fieldset>
        <legend class="legend">Bounds of the number</legend>
        <div class="fields">
          <TextField of={of} field="lower" label="Lowest" decimal placeholder={usual && `such as ${usual.lower}`} />
          <TextField of={of} field="upper" label="Highest" decimal placeholder={usual && `such as ${usual.upper}`} />
        </div>
      </fieldset>
      <p class="message">
        Take the bounds from what you know, such as a speed limit or a price list, <b>never from the data</b>: the
        largest number in a file is somebody’s number, and would be given away. Numbers outside count as the nearest
        bound. Narrower bounds mean less noise.
      </p>
    </Card>
  );
}
