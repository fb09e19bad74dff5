/** Chooses the layer of a map, such as a time slot, or steps through the layers. */
import type { HexagonLayer } from "./grid-layout.ts";

export interface LayerChooserProps {
  readonly layers: readonly HexagonLayer[];
  readonly layer: number;
  onChange(layer: number): void;
}

export function LayerChooser({ layers, layer, onChange }: LayerChooserProps) {
  return (
    <div class="layer-chooser">
      <button type="button" aria-label="Slot before" disabled={layer === 0} onClick={() => onChange(layer - 1)}>
        ‹
      </button>
      <select
        class="bare"
        aria-label="Slot"
        value={layer}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      >
        {layers.map(({ name }, index) => (
          <option key={name} value={index}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-label="Slot after"
        disabled={layer === layers.length - 1}
        onClick={() => onChange(layer + 1)}
      >
        ›
      </button>
    </div>
  );
}
