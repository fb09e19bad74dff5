/** Shows what a published number could have been, as 20 equally likely dots and a sentence. */

import { dotPlot, nineteenInTwenty } from "../../../src/publish/charts/index.ts";
import { formatNumber } from "../format.ts";
import { Drawing } from "./drawing.tsx";
import { WEB_THEME } from "./live-chart/web-theme.ts";

export interface NoiseDotsProps {
  /** What the number is: "mean speed of the worst grid". */
  readonly label: string;
  /** The true number, supposed. */
  readonly center: number;
  /** Of the Laplace noise. */
  readonly scale: number;
  /** How far dropped records can have moved it, at worst. */
  readonly bias: number;
  readonly bounds: readonly [low: number, high: number];
  readonly unit?: string | undefined;
  format?: ((value: number) => string) | undefined;
}

export function NoiseDots({ label, center, scale, bias, bounds, unit, format = formatNumber }: NoiseDotsProps) {
  const withUnit = (value: number): string => (unit === undefined ? format(value) : `${format(value)} ${unit}`);
  const words = noiseWords({ center, scale, bias, format: withUnit });
  return (
    <figure class="noise-dots">
      <Drawing
        svg={dotPlot({ label: `${label}: ${words}`, center, scale, bias, bounds, format: withUnit }, WEB_THEME)}
      />
      <figcaption>
        If the true {label} were {withUnit(center)}: {words} Each dot is 1 chance in 20.
      </figcaption>
    </figure>
  );
}

function noiseWords({
  center,
  scale,
  bias,
  format,
}: Pick<NoiseDotsProps, "center" | "scale" | "bias"> & { format(value: number): string }): string {
  const noise =
    scale > 0
      ? `19 times in 20 what is published is within ±${format(nineteenInTwenty(scale))} of ${format(center)}`
      : `what is published is ${format(center)}`;
  return `${noise}${bias > 0 ? `, plus at most ${format(bias)} because records are dropped (the bracket)` : ""}.`;
}
