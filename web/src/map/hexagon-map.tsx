/** Shows the hexagons of one layer, drawn by SVG or WebGL depending on their number. */

import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { itemAt } from "../../../src/core/errors/index.ts";
import { chooseDrawing } from "./choose-drawing.ts";
import { type ColourScale, colourOf } from "./colour-scale.ts";
import type { HexagonLayout } from "./grid-layout.ts";
import type { MapGrid } from "./grid-map.ts";
import { HexagonStage } from "./hexagon-stage.tsx";
import type { HexagonsProps } from "./hexagons.ts";
import { mapPlane } from "./map-plane.ts";
import { SvgHexagons } from "./svg-hexagons.tsx";

export interface HexagonMapProps {
  readonly label: string;
  readonly layout: HexagonLayout;
  readonly layer: number;
  readonly grids: readonly MapGrid[];
  readonly scale: ColourScale;
  readonly chosen: string | null;
  onChoose(id: string | null): void;
  onStep(by: -1 | 1): void;
}

export function HexagonMap({ label, layout, layer, grids, scale, chosen, onChoose, onStep }: HexagonMapProps) {
  const { cells, cellOf, layers } = layout;
  const plane = useMemo(() => mapPlane(cells), [cells]);
  const members = itemAt(layers, layer).grids;
  const shown = useMemo(() => members.map((grid) => itemAt(cellOf, grid)), [members, cellOf]);
  const colours = useMemo(
    () => members.map((grid) => colourOf(itemAt(grids, grid).value, scale)),
    [members, grids, scale],
  );
  const weak = useMemo(
    () => members.flatMap((grid, hexagon) => (itemAt(grids, grid).weak ? [hexagon] : [])),
    [members, grids],
  );
  const chosenHexagon = chosen === null ? -1 : members.findIndex((grid) => itemAt(grids, grid).id === chosen);
  const Drawing = useDrawing(Math.max(...layers.map((each) => each.grids.length)));
  return (
    <HexagonStage
      Drawing={Drawing}
      label={label}
      cells={cells}
      plane={plane}
      shown={shown}
      colours={colours}
      weak={weak}
      chosen={chosenHexagon < 0 ? null : chosenHexagon}
      linesOf={(hexagon) => grids[members[hexagon] ?? -1]?.lines ?? []}
      onChoose={(hexagon) => onChoose(hexagon === null ? null : itemAt(grids, itemAt(members, hexagon)).id)}
      onStep={onStep}
    />
  );
}

/** WebGL's is fetched when it is first needed; what cannot be had is done without. */
function useDrawing(hexagons: number): ComponentType<HexagonsProps> {
  const way = chooseDrawing(hexagons);
  const [fetched, setFetched] = useState<{ Deck: ComponentType<HexagonsProps> } | null>(null);
  useEffect(() => {
    if (way !== "deck" || fetched !== null) return;
    import("./deck-hexagons.tsx").then(
      ({ DeckHexagons }) => setFetched({ Deck: DeckHexagons }),
      () => setFetched({ Deck: SvgHexagons }),
    );
  }, [way]);
  if (way === "svg") return SvgHexagons;
  return fetched?.Deck ?? NothingYet;
}

function NothingYet({ handle }: HexagonsProps) {
  handle.current = null;
  return <div class="hexagons fetching">Fetching the map…</div>;
}
