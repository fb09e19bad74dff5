/** Chooses columns of the file: one, or any number. Shows their names and kinds only: what is in them is protected. */
import { isolateText } from "../../isolate-text.ts";
import type { AddField } from "./add-form.ts";
import { Field, FieldNotes, type FieldProps, fieldAttributes } from "./field.tsx";
import type { LookedColumn } from "./first-look.ts";
import { type FormState, fieldId } from "./form-state.ts";

type Kind = LookedColumn["type"];

const KINDS: Readonly<Record<Kind, string>> = {
  number: "numbers",
  time: "times",
  point: "places",
  cell: "hexagons",
  text: "text",
  empty: "empty at first",
};

type ColumnName = "user" | "value" | "lat" | "lon" | "point" | "cell" | "time";

export interface ColumnFieldProps extends Omit<FieldProps, "children" | "field"> {
  readonly field: ColumnName;
  /** Kinds that suit; others can be chosen too. */
  readonly suits: readonly Kind[];
  /** What it is called to choose none; without it, one must be chosen. */
  readonly none?: string | undefined;
}

export function ColumnField({ of, field, suits, none, ...rest }: ColumnFieldProps) {
  const suiting = of.columns.filter(({ type }) => suits.includes(type));
  const others = of.columns.filter(({ type }) => !suits.includes(type));
  return (
    <Field of={of} field={field} {...rest}>
      <select
        {...fieldAttributes(of, field)}
        value={of.form[field]}
        onChange={(event) => of.change({ [field]: event.currentTarget.value })}
      >
        <option value="">{none ?? "choose a column…"}</option>
        <Options columns={suiting} label="Suitable" />
        <Options columns={others} label="Other columns" />
      </select>
    </Field>
  );
}

function Options({ columns, label }: { columns: readonly LookedColumn[]; label: string }) {
  if (columns.length === 0) return null;
  return (
    <optgroup label={label}>
      {columns.map(({ name, type }) => (
        <option key={name} value={name}>
          {isolateText(name)} ({KINDS[type]})
        </option>
      ))}
    </optgroup>
  );
}

export interface ColumnsFieldProps {
  readonly of: FormState;
  readonly field: Extract<AddField, "by" | "dedupe">;
  readonly label: string;
  readonly hint: string;
}

export function ColumnsField({ of, field, label, hint }: ColumnsFieldProps) {
  const chosen = of.form[field];
  // The service separates names by commas.
  const columns = of.columns.filter(
    ({ name }) => !name.includes(",") && name !== of.form.value && name !== of.form.user,
  );
  const turn = (name: string, on: boolean): void => {
    const next = on ? [...chosen, name] : chosen.filter((each) => each !== name);
    of.change(field === "by" ? { by: next } : { dedupe: next });
  };
  return (
    <fieldset class="field" id={fieldId(field)} tabIndex={-1}>
      <legend>{label}</legend>
      <div class="chips">
        {columns.map(({ name, type }) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              aria-describedby={`${fieldId(field)}-notes`}
              onChange={(event) => turn(name, event.currentTarget.checked)}
            />
            <span>
              <bdi>{name}</bdi> <small>({KINDS[type]})</small>
            </span>
          </label>
        ))}
      </div>
      <FieldNotes of={of} field={field} hint={hint} />
    </fieldset>
  );
}
