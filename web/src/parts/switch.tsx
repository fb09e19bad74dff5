/** Chooses one of a few options, side by side. */
import { useState } from "preact/hooks";

export interface SwitchProps<Value extends string> {
  readonly legend: string;
  readonly options: ReadonlyArray<{ readonly value: Value; readonly label: string; readonly title?: string }>;
  readonly value: Value;
  onChange(value: Value): void;
  /** The legend is there for screen readers only. */
  readonly quiet?: boolean | undefined;
  readonly disabled?: boolean | undefined;
}

let groups = 0;

export function Switch<Value extends string>({
  legend,
  options,
  value,
  onChange,
  quiet,
  disabled,
}: SwitchProps<Value>) {
  const name = `switch-${useStableNumber()}`;
  return (
    <fieldset class="switch" disabled={disabled}>
      <legend class={quiet ? "for-readers" : undefined}>{legend}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value} title={option.title}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function useStableNumber(): number {
  const [number] = useState(() => {
    groups += 1;
    return groups;
  });
  return number;
}
