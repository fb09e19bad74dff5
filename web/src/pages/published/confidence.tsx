/** Chooses the confidence of the intervals. */
import { Switch } from "../../parts/switch.tsx";
import { changeSetting, settingOf } from "./use-setting.ts";

/** The usual one first: it is the default. */
const CONFIDENCES = ["0.95", "0.5", "0.9", "0.99"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export function confidenceOf(query: URLSearchParams): Confidence {
  return settingOf(query, "confidence", CONFIDENCES);
}

/** `95 %`, kept on one line. */
export function confidenceText(confidence: string): string {
  return `${Math.round(100 * Number(confidence))}\u00a0%`;
}

export function ConfidenceSwitch({ query }: { query: URLSearchParams }) {
  return (
    <Switch
      legend="Confidence"
      options={[...CONFIDENCES].sort().map((value) => ({ value, label: confidenceText(value) }))}
      value={confidenceOf(query)}
      onChange={(confidence) => changeSetting(query, { confidence: confidence === "0.95" ? null : confidence })}
    />
  );
}
