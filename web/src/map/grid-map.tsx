/** Shows grids coloured by one measure: as a map where they are hexagons, otherwise or on request as a heat table. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { itemAt } from "../../../src/core/errors/index.ts";
import { formatNumber, plural } from "../format.ts";
import { Switch } from "../parts/switch.tsx";
import { domainOf } from "./colour-scale.ts";
import { layoutGrids } from "./grid-layout.ts";
import type { GridMapProps } from "./grid-map.ts";
import { HeatTable } from "./heat-table.tsx";
import { HexagonMap } from "./hexagon-map.tsx";
import { LayerChooser } from "./layer-chooser.tsx";
import { MapLegend } from "./map-legend.tsx";
import { TwoWayTable } from "./two-way-table.tsx";

export function GridMap(props: GridMapProps) {
  const { grids, lowIsGood = false, domain } = props;
  const measure = props.unit === undefined ? props.measure : `${props.measure} (${props.unit})`;
  const format = props.format ?? formatNumber;
  const ids = useSameIds(grids.map(({ id }) => id));
  const layout = useMemo(() => layoutGrids(ids), [ids]);
  const [low, high] = useMemo(() => domain ?? domainOf(grids.map(({ value }) => value)), [domain, grids]);
  const scale = useMemo(() => ({ domain: [low, high] as const, turned: lowIsGood }), [low, high, lowIsGood]);
  const [shownAs, setShownAs] = useState<"map" | "table">("map");
  const [layer, setLayer] = useState(0);
  const [own, setOwn] = useState<string | null>(null);
  const chosen = props.chosen === undefined ? own : props.chosen;
  const choose = (id: string | null): void => {
    setOwn(id);
    props.onChoose?.(id);
  };
  const layers = layout.kind === "hexagons" ? layout.layers : [];
  const shownLayer = Math.min(layer, Math.max(0, layers.length - 1));
  // What is chosen elsewhere is shown here, in whichever layer it lies.
  useEffect(() => {
    if (layout.kind !== "hexagons" || chosen === null) return;
    const found = layout.layerOf[ids.indexOf(chosen)] ?? -1;
    if (found >= 0) setLayer(found);
  }, [chosen, layout]);

  if (grids.length === 0) return <p class="map-box nothing">There are no grids to show.</p>;
  const common = { measure, grids, scale, chosen, onChoose: choose, format };
  const isMap = layout.kind === "hexagons" && shownAs === "map";
  return (
    <div class="grid-map">
      {layout.kind === "hexagons" ? (
        <div class="map-tools">
          {layers.length > 1 && isMap ? (
            <LayerChooser layers={layers} layer={shownLayer} onChange={setLayer} />
          ) : (
            <span class="note">{layers.length > 1 ? "all slots" : layers[0]?.name}</span>
          )}
          <Switch<"map" | "table">
            legend="Shown as"
            quiet
            options={[
              { value: "map", label: "Map" },
              { value: "table", label: "Table" },
            ]}
            value={shownAs}
            onChange={(value: "map" | "table") => setShownAs(value)}
          />
        </div>
      ) : null}
      {layout.kind === "hexagons" && isMap ? (
        <HexagonMap
          label={`Map of ${measure}${layers.length > 1 ? `, ${itemAt(layers, shownLayer).name}` : ""}`}
          layout={layout}
          layer={shownLayer}
          grids={grids}
          scale={scale}
          chosen={chosen}
          onChoose={choose}
          onStep={(by) => setLayer(Math.min(layers.length - 1, Math.max(0, shownLayer + by)))}
        />
      ) : layout.kind === "two-way" ? (
        <TwoWayTable layout={layout} {...common} />
      ) : (
        <HeatTable {...common} />
      )}
      <MapLegend
        measure={measure}
        scale={scale}
        format={format}
        hasEmpty={grids.some(({ value }) => value === null)}
        hasWeak={grids.some(({ weak }) => weak !== undefined)}
      />
      {layout.kind === "hexagons" && layout.withoutPlace > 0 && isMap ? (
        <p class="note">{plural(layout.withoutPlace, "grid")} without a place: see the table.</p>
      ) : null}
    </div>
  );
}

/** The same array as long as the same ids are in it, so that what is made of them is made once. */
function useSameIds(ids: readonly string[]): readonly string[] {
  const kept = useRef(ids);
  const isSame = kept.current.length === ids.length && kept.current.every((id, index) => id === ids[index]);
  if (!isSame) kept.current = ids;
  return kept.current;
}
