/** Chooses which statistics are published for every grid. */
import { STATISTICS } from "../../../../src/core/influence/index.ts";
import { Card } from "../../parts/card.tsx";
import { argumentField, chosenStatistics } from "./add-form.ts";
import { FieldNotes, TextField } from "./field.tsx";
import { type FormState, fieldId } from "./form-state.ts";

export function OptionsPart({ of }: { of: FormState }) {
  const { form, change } = of;
  const turn = (name: string, on: boolean): void =>
    change({ statistics: on ? [...form.statistics, name] : form.statistics.filter((each) => each !== name) });
  const asking = chosenStatistics(form).filter(({ argument }) => argument !== null);
  return (
    <Card
      title="What is published"
      lead="For every grid. Each one more shares the same privacy, so choose what you need."
    >
      <fieldset class="field" id={fieldId("statistics")} tabIndex={-1}>
        <legend class="for-readers">Statistics</legend>
        <div class="chips">
          {STATISTICS.map(({ name, choice }) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={form.statistics.includes(name)}
                onChange={(event) => turn(name, event.currentTarget.checked)}
              />
              <span>
                {choice.name} <small>{choice.says}</small>
              </span>
            </label>
          ))}
        </div>
        <FieldNotes of={of} field="statistics" />
      </fieldset>
      {asking.length > 0 ? (
        <div class="fields">
          {asking.map((kind) => {
            const { label, placeholder, isList } = kind.argument!.field;
            return (
              <TextField
                key={kind.name}
                of={of}
                field={argumentField(kind)}
                label={label}
                decimal={!isList}
                placeholder={placeholder}
              />
            );
          })}
        </div>
      ) : null}
    </Card>
  );
}
