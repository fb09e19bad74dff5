/** Defines what every part of the form is given. */
import type { AddField, AddForm, Problems } from "./add-form.ts";
import type { LookedColumn } from "./first-look.ts";

export interface FormState {
  readonly form: AddForm;
  readonly columns: readonly LookedColumn[];
  /** Shown once someone has tried to send the form. */
  readonly problems: Problems;
  readonly remarks: Readonly<Partial<Record<AddField, string>>>;
  change(fields: Partial<AddForm>): void;
}

export function fieldId(field: AddField): string {
  return `add-${field}`;
}
