/** Shows the scale of the map. */
import { distanceText, niceStep } from "../../../src/publish/charts/index.ts";

const WIDEST_PIXELS = 130;

export function ScaleBar({ kilometresPerPixel }: { kilometresPerPixel: number }) {
  if (!(kilometresPerPixel > 0)) return null;
  const kilometres = niceStep(kilometresPerPixel * WIDEST_PIXELS);
  return (
    <div class="map-scale">
      {distanceText(kilometres)}
      <i style={`width:${(kilometres / kilometresPerPixel).toFixed(1)}px`} />
    </div>
  );
}
