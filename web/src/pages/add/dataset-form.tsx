/** Shows the form of a new dataset, filled with guesses, for a curator to check and complete. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ServiceFailure } from "../../../../src/apps/client/index.ts";
import { STATISTICS } from "../../../../src/core/influence/index.ts";
import { isolateText } from "../../isolate-text.ts";
import { Card } from "../../parts/card.tsx";
import { failureWords } from "../../parts/failure.tsx";
import { plainWords } from "../../plain-words.ts";
import {
  type AddField,
  type AddForm,
  argumentField,
  boundsRemark,
  changedForm,
  fieldOf,
  formOf,
  otherName,
  problemsOf,
  remarksOf,
} from "./add-form.ts";
import { DialectForm } from "./dialect-form.tsx";
import { TextField } from "./field.tsx";
import type { Dialect, Look } from "./first-look.ts";
import { type FormState, fieldId } from "./form-state.ts";
import { GridsPart } from "./grids-part.tsx";
import { OptionsPart } from "./options-part.tsx";
import { PeoplePart } from "./people-part.tsx";
import { PrivacyPart } from "./privacy-part.tsx";

/** Beside a problem at the top, where its field is not in sight. */
const LABELS: Readonly<Partial<Record<AddField, string>>> = {
  name: "Name",
  user: "Whose record",
  value: "Protected number",
  lower: "Lowest",
  upper: "Highest",
  lat: "Latitude",
  lon: "Longitude",
  point: "Place",
  cell: "Hexagon",
  by: "Grouped by",
  time: "Time",
  tz: "Time zone",
  minUsers: "Users per grid",
  top: "How many grids",
  statistics: "What is published",
  ...Object.fromEntries(STATISTICS.map((kind) => [argumentField(kind), kind.argument?.field.label])),
  budget: "Budget",
  isPublic: "What is public",
};

/** Beside the tick that counts are public, whatever the file is. */
const COUNTS_CAN_TELL =
  "If how many records someone leaves already tells the number (slow buses leave more records), publishing the counts tells it too.";

export interface DatasetFormProps {
  readonly look: Look;
  readonly fileName: string;
  readonly dialect: Dialect;
  /** What was sent before and came back, with why. */
  readonly before: { readonly form: AddForm; readonly error: unknown; readonly isRegistered: boolean } | undefined;
  onSend(form: AddForm): void;
  onLook(dialect: Dialect): void;
  onStartOver(): void;
}

export function DatasetForm({ look, fileName, dialect, before, onSend, onLook, onStartOver }: DatasetFormProps) {
  const guessed = useMemo(() => formOf(look, fileName), [look, fileName]);
  const [form, setForm] = useState<AddForm>(() =>
    before === undefined
      ? guessed
      : before.isRegistered
        ? { ...before.form, name: otherName(before.form.name) }
        : before.form,
  );
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState(before?.error);
  const summary = useRef<HTMLDivElement>(null);
  const found = useMemo(() => problemsOf(form), [form]);
  const refused = refusedField(refusal);
  const problems = tried ? found : refused;
  const remarks = useMemo(
    () => ({ ...remarksOf(look), ...boundsRemark(form), isPublic: COUNTS_CAN_TELL }),
    [look, form],
  );
  const of: FormState = {
    form,
    columns: look.columns,
    problems: tried ? { ...refused, ...problems } : problems,
    remarks,
    change: (fields) => setForm((now) => changedForm(now, fields)),
  };
  const wrong = tried ? (Object.keys(found) as AddField[]) : [];
  useEffect(() => {
    if (refusal !== undefined) summary.current?.focus();
  }, [refusal]);
  const send = (event: Event): void => {
    event.preventDefault();
    setTried(true);
    setRefusal(undefined);
    const [first] = Object.keys(found) as AddField[];
    if (first === undefined) onSend(form);
    else goToField(first);
  };
  return (
    <>
      <form class="add-form" onSubmit={send} noValidate>
        <div ref={summary} tabIndex={-1} class="form-summary">
          {refusal === undefined ? null : <Refusal error={refusal} isRegistered={before?.isRegistered ?? false} />}
          {wrong.length === 0 ? null : (
            <div class="message weak" role="alert">
              <b>{wrong.length === 1 ? "One thing is" : `${wrong.length} things are`} missing or wrong:</b>
              <ul>
                {wrong.map((field) => (
                  <li key={field}>
                    <button type="button" class="in-line" onClick={() => goToField(field)}>
                      {LABELS[field] === undefined ? "" : `${LABELS[field]}: `}
                      {found[field]}
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
        <Card
          title="The file"
          tools={
            <>
              <button type="button" onClick={() => setForm(guessed)} disabled={form === guessed}>
                Back to guesses
              </button>
              <button type="button" onClick={onStartOver}>
                Start over
              </button>
            </>
          }
          lead={`${isolateText(fileName)}: ${look.columns.length} columns. What they are for was guessed from their names and kinds; please check every field.`}
        >
          <div class="fields">
            <TextField of={of} field="name" label="Name of the dataset" hint="How it is called everywhere; it stays." />
          </div>
        </Card>
        <PeoplePart of={of} />
        <GridsPart of={of} />
        <OptionsPart of={of} />
        <PrivacyPart of={of} />
        <div class="form-end">
          <button type="submit" class="primary">
            Add and survey
          </button>
          <p class="note">Counting spends no budget and publishes nothing.</p>
        </div>
      </form>
      <ReadDifferently notes={look.told} dialect={dialect} onLook={onLook} />
    </>
  );
}

function Refusal({ error, isRegistered }: { error: unknown; isRegistered: boolean }) {
  return (
    <div class="message weak" role="alert">
      <b>{isRegistered ? "The file could not be surveyed with these columns" : failureWords(error).heading}</b>
      <p>{plainWords(failureWords(error).text)}</p>
      {isRegistered ? (
        <p>The first attempt stays in the list under its name. Change what is wrong and add it under another.</p>
      ) : null}
    </div>
  );
}

/** Outside the form, because it is one of its own. */
function ReadDifferently({
  notes,
  dialect,
  onLook,
}: {
  notes: readonly string[];
  dialect: Dialect;
  onLook: (dialect: Dialect) => void;
}) {
  return (
    <details class="card">
      <summary>The columns look wrong?</summary>
      {notes.map((line) => (
        <p key={line} class="note">
          {line}
        </p>
      ))}
      <DialectForm dialect={dialect} onLook={onLook} />
    </details>
  );
}

function refusedField(error: unknown): Partial<Record<AddField, string>> {
  if (!(error instanceof ServiceFailure)) return {};
  const field = fieldOf(error);
  return field === undefined ? {} : { [field]: plainWords(failureWords(error).text) };
}

function goToField(field: AddField): void {
  const element = document.getElementById(fieldId(field));
  element?.focus();
  element?.scrollIntoView({ block: "center" });
}
