/** Shows the controls of the Plan page: what is given, what is looked for, what is published, and by which rules. */
import { formatNumber } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { LogSlider } from "../../parts/log-slider.tsx";
import { Switch } from "../../parts/switch.tsx";
import type { Choices } from "./choices.ts";
import { type ErrorUnit, statisticsName } from "./units.ts";

export interface ControlsProps {
  readonly choices: Choices;
  readonly statistics: readonly string[];
  readonly unit: ErrorUnit;
  /** Of the error, in the metric. */
  readonly errors: readonly [low: number, high: number];
  readonly losses: readonly [low: number, high: number];
  /** `settled` is a step that can be undone; the others are on the way to it. */
  onChange(changes: Partial<Choices>, settled: boolean): void;
  readonly onUndo: (() => void) | undefined;
}

export function Controls({ choices, statistics, unit, errors, losses, onChange, onUndo }: ControlsProps) {
  const { goal, loss, error } = choices;
  return (
    <Card
      title="What you want"
      class="controls"
      tools={
        <button type="button" class="quiet" disabled={onUndo === undefined} onClick={onUndo}>
          ↶ Undo
        </button>
      }
    >
      <Switch
        legend="You decide"
        options={[
          { value: "loss", label: "privacy loss", title: "the least error for this loss" },
          { value: "error", label: "error", title: "the least loss for this error" },
        ]}
        value={goal}
        onChange={(value) => onChange({ goal: value }, true)}
      />
      {goal === "loss" ? (
        <LogSlider
          label="Total privacy loss λ of any user"
          value={Number(loss)}
          range={losses}
          text={loss}
          ends={["more private", "more exact"]}
          onChange={(value, settled) => onChange({ loss: value }, settled)}
        />
      ) : (
        <LogSlider
          label={`Worst error${unit.suffix === "" ? "" : `, ${unit.suffix}`}`}
          value={Number(error)}
          range={errors}
          text={error === "" ? "" : decimal(Number(error) * unit.factor)}
          factor={unit.factor}
          ends={["more exact", "more private"]}
          onChange={(value, settled) => onChange({ error: value }, settled)}
        />
      )}
      <Switch
        legend="Published per grid"
        options={statistics.map((value) => ({ value, label: statisticsName(value) }))}
        value={choices.statistics}
        onChange={(value) => onChange({ statistics: value, error: "" }, true)}
      />
      <Switch
        legend="Rule"
        options={[
          { value: "frontier", label: "Frontier", title: "what to keep and how much noise, chosen together" },
          { value: "clip-user", label: "CLIP-USER", title: "the paper's: whole users leave grids" },
          { value: "baseline", label: "Baseline", title: "nothing is dropped, the same ε everywhere" },
        ]}
        value={choices.strategy}
        onChange={(value) => onChange({ strategy: value }, true)}
      />
      <Switch
        legend="Estimator"
        options={[
          { value: "centred", label: "Centred", title: "dropped records count as the middle of the range" },
          { value: "kept", label: "Paper’s", title: "statistics of what is kept" },
        ]}
        value={choices.strategy === "frontier" ? choices.estimator : "kept"}
        onChange={(value) => onChange({ estimator: value }, true)}
        disabled={choices.strategy !== "frontier"}
      />
      <p class="note">{ruleWords(choices)}</p>
    </Card>
  );
}

function ruleWords({ strategy, estimator }: Choices): string {
  if (strategy === "baseline")
    return "Everything is kept and every grid gets the same ε: what one would do without thinking further.";
  if (strategy === "clip-user")
    return "The paper’s rule: users leave grids, as long as no grid’s error grows beyond the baseline’s. It decides by the paper’s estimator.";
  return estimator === "centred"
    ? "Records and noise are weighed together. Dropped records count as the middle of the range, which halves the worst bias."
    : "Records and noise are weighed together; statistics are those of the kept records, as in the paper.";
}

function decimal(value: number): string {
  return formatNumber(value).replaceAll(",", "");
}
