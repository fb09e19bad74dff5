/** Decides whether WebGL or SVG draws a map. */

export type MapDrawing = "svg" | "deck";

declare global {
  /** For tests: which way maps are drawn, however many hexagons they have. `?map=deck` in the address says the same. */
  var veilgridMap: MapDrawing | undefined;
}

/** So many hexagons SVG moves without effort. */
const MOST_FOR_SVG = 400;

export function chooseDrawing(hexagons: number): MapDrawing {
  const asked = globalThis.veilgridMap ?? new URLSearchParams(location.search).get("map");
  if (asked === "svg" || asked === "deck") return asked;
  return hexagons > MOST_FOR_SVG && hasWebGl() ? "deck" : "svg";
}

let known: boolean | undefined;

function hasWebGl(): boolean {
  if (known === undefined) {
    const context = document.createElement("canvas").getContext("webgl2");
    known = context !== null;
    context?.getExtension("WEBGL_lose_context")?.loseContext();
  }
  return known;
}
