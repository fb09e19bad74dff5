/** Shows a field with its label, help, doubts and errors. */
import type { ComponentChildren } from "preact";
import type { AddField } from "./add-form.ts";
import { type FormState, fieldId } from "./form-state.ts";

export interface FieldProps {
  readonly of: FormState;
  readonly field: AddField;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The control is given `id={fieldId(field)}` and `{...fieldAttributes(of, field)}` by the caller. */
export function Field({ of, field, label, hint, children }: FieldProps) {
  return (
    <div class="field">
      <span>
        <label for={fieldId(field)}>{label}</label>
      </span>
      {children}
      <FieldNotes of={of} field={field} hint={hint} />
    </div>
  );
}

export function FieldNotes({ of: { problems, remarks }, field, hint }: Pick<FieldProps, "of" | "field" | "hint">) {
  return (
    <div id={`${fieldId(field)}-notes`}>
      {problems[field] === undefined ? null : <p class="problem">{problems[field]}</p>}
      {remarks[field] === undefined ? null : (
        <p class="remark">
          <b aria-hidden="true">?</b> {remarks[field]}
        </p>
      )}
      {hint === undefined ? null : <small>{hint}</small>}
    </div>
  );
}

/** How a control points at its notes. */
export function fieldAttributes({ problems }: FormState, field: AddField) {
  return {
    id: fieldId(field),
    "aria-describedby": `${fieldId(field)}-notes`,
    "aria-invalid": problems[field] !== undefined,
  };
}

type TextName = {
  [Name in AddField]: FormState["form"][Name] extends string | undefined ? Name : never;
}[AddField];

export interface TextFieldProps extends Omit<FieldProps, "children" | "field"> {
  readonly field: TextName;
  readonly placeholder?: string | undefined;
  readonly decimal?: boolean | undefined;
  readonly list?: string | undefined;
}

export function TextField({ of, field, placeholder, decimal, list, ...rest }: TextFieldProps) {
  return (
    <Field of={of} field={field} {...rest}>
      <input
        {...fieldAttributes(of, field)}
        type="text"
        inputMode={decimal ? "decimal" : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        list={list}
        value={of.form[field] ?? ""}
        onInput={(event) => of.change({ [field]: event.currentTarget.value })}
      />
    </Field>
  );
}

export interface ChoiceFieldProps extends Omit<FieldProps, "children" | "field"> {
  readonly field: TextName;
  readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>;
}

export function ChoiceField({ of, field, options, ...rest }: ChoiceFieldProps) {
  const value = of.form[field];
  const isKnown = options.some((option) => option.value === value);
  return (
    <Field of={of} field={field} {...rest}>
      <select
        {...fieldAttributes(of, field)}
        value={value}
        onChange={(event) => of.change({ [field]: event.currentTarget.value })}
      >
        {isKnown ? null : <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

type CheckName = {
  [Name in AddField]: FormState["form"][Name] extends boolean ? Name : never;
}[AddField];

/** A box to tick, with the sentence that is agreed to beside it. */
export function CheckField({ of, field, children }: Pick<FieldProps, "of" | "children"> & { field: CheckName }) {
  return (
    <div class="field">
      <label class="check">
        <input
          {...fieldAttributes(of, field)}
          type="checkbox"
          checked={of.form[field]}
          onChange={(event) =>
            of.change({ [field]: event.currentTarget.checked } as Pick<FormState["form"], CheckName>)
          }
        />
        <span>{children}</span>
      </label>
      <FieldNotes of={of} field={field} />
    </div>
  );
}
