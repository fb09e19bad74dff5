/** Shows a slider whose steps are ratios, with the number beside it to type. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface LogSliderProps {
  readonly label: string;
  readonly value: number;
  readonly range: readonly [low: number, high: number];
  /** The number as it is shown. */
  readonly text: string;
  /** What is shown is the value times this. */
  readonly factor?: number | undefined;
  readonly ends: readonly [low: string, high: string];
  /** Decimal text; `settled` once the hand is off. */
  onChange(value: string, settled: boolean): void;
}

const STEPS = 400;

export function LogSlider({ label, value, range: [low, high], text, factor = 1, ends, onChange }: LogSliderProps) {
  const id = useId();
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const place = Math.round((STEPS * Math.log(value / low)) / Math.log(high / low));
  const at = Number.isFinite(place) ? Math.min(STEPS, Math.max(0, place)) : STEPS / 2;
  const valueAt = (step: number): string => shortDecimal(low * (high / low) ** (step / STEPS));
  // Set when it changes and not with every drawing: a browser moves the slider first and says so a moment later.
  const slider = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    slider.current!.value = String(at);
  }, [at]);
  const [refusal, setRefusal] = useState("");
  const take = (): void => {
    const number = Number(typed.trim().replace(",", ".")) / factor;
    const isTakeable = number >= low / 100 && number <= high * 100;
    setRefusal(
      isTakeable
        ? ""
        : `Give a number between ${shortDecimal((factor * low) / 100)} and ${shortDecimal(factor * high * 100)}.`,
    );
    if (isTakeable) onChange(shortDecimal(number, 6), true);
    else setTyped(text);
  };
  return (
    <div class="log-slider">
      <label for={id}>{label}</label>
      <input
        class="slider-number"
        inputMode="decimal"
        aria-label={`${label}, as a number`}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={take}
      />
      <input
        id={id}
        type="range"
        min={0}
        max={STEPS}
        step={1}
        ref={slider}
        aria-valuetext={text}
        onInput={(event) => {
          setRefusal("");
          onChange(valueAt(Number(event.currentTarget.value)), false);
        }}
        onChange={(event) => onChange(valueAt(Number(event.currentTarget.value)), true)}
      />
      {refusal === "" ? null : (
        <span class="problem slider-refusal" role="alert">
          {refusal}
        </span>
      )}
      <span class="slider-ends" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </span>
    </div>
  );
}

/** Three digits by default, never with an exponent. */
export function shortDecimal(value: number, digits = 3): string {
  const rounded = Number(value.toPrecision(digits));
  return rounded
    .toFixed(Math.max(0, Math.min(12, digits - 1 - Math.floor(Math.log10(rounded)))))
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}
