/** Explains the colours and marks of a map. */
import { useMemo } from "preact/hooks";
import { colourLegend } from "../../../src/publish/charts/index.ts";
import { Drawing } from "../parts/drawing.tsx";
import type { ColourScale } from "./colour-scale.ts";

export interface MapLegendProps {
  readonly measure: string;
  readonly scale: ColourScale;
  format(value: number): string;
  readonly hasEmpty: boolean;
  readonly hasWeak: boolean;
}

export function MapLegend({ measure, scale, format, hasEmpty, hasWeak }: MapLegendProps) {
  const svg = useMemo(
    () => colourLegend({ label: measure, domain: scale.domain, format }, { turned: scale.turned }),
    [measure, scale, format],
  );
  return (
    <div class="map-legend">
      <Drawing svg={svg} />
      <div class="map-keys">
        {hasEmpty ? (
          <span>
            <i class="empty" aria-hidden="true" /> no value
          </span>
        ) : null}
        {hasWeak ? (
          <span>
            <i class="weak" aria-hidden="true">
              ×
            </i>{" "}
            not to be relied on
          </span>
        ) : null}
      </div>
    </div>
  );
}
