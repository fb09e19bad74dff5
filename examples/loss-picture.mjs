/** Draws docs/loss.svg: privacy loss of baseline and CLIP-USER, as the paper counts it and as it is. `node examples/loss-picture.mjs > docs/loss.svg` */
import { Rational } from "veilgrid/arithmetic";
import { makeObjective, parseBounds } from "veilgrid/influence";
import { makePlan, runNow, summarisePlan } from "veilgrid/planning";
import { synthesise } from "veilgrid/simulation";

const objective = makeObjective(parseBounds("0,65"));
const occupancy = synthesise({ gamma: 3, q: 0.01, seed: 1 });
const points = Array.from({ length: 10 }, (_, at) => {
  const epsilon = Rational.of(at + 1, 10);
  return summarisePlan(
    occupancy,
    runNow(makePlan(occupancy, { objective, epsilon, clipUser: { protectLowest: true } })),
  );
});

const SERIES = [
  { label: "baseline, simple rule", of: (point) => point.baselineLossSimple, colour: "#999999", dash: "6 4" },
  { label: "CLIP-USER, simple rule", of: (point) => point.lossSimple, colour: "#0072b2", dash: "6 4" },
  { label: "CLIP-USER, joint rule", of: (point) => point.loss, colour: "#0072b2", dash: "none" },
  { label: "baseline, joint rule", of: (point) => point.baselineLoss, colour: "#555555", dash: "none" },
];
const [width, height, left, right, top, bottom] = [720, 400, 56, 190, 46, 48];
const [lowest, highest] = [0.1, 12];
const x = (epsilon) => left + ((width - left - right) * (epsilon - 0.1)) / 0.9;
const y = (loss) => top + ((height - top - bottom) * Math.log(highest / loss)) / Math.log(highest / lowest);
const text = (at, along, content, extra = "") =>
  `<text x="${at.toFixed(1)}" y="${along.toFixed(1)}" ${extra}>${content}</text>`;

// Labels stand at the lines' ends, pushed apart where the lines meet.
const ends = SERIES.map((series) => ({ ...series, end: series.of(points.at(-1)) })).sort((a, b) => b.end - a.end);
let previous = Number.NEGATIVE_INFINITY;
const labels = ends.map(({ label, colour, end }) => {
  previous = Math.max(y(end), previous + 30);
  return (
    text(width - right + 10, previous, label, `fill="${colour}" font-weight="600"`) +
    text(width - right + 10, previous + 13, `${end.toFixed(2)} at ε = 1`, `fill="${colour}"`)
  );
});

console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Privacy loss against ε per grid: the joint loss of the untouched baseline is about a ninth of what the simple rule counts">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${text(left, 20, "Privacy loss of the worst user, 4,095 users in 12 grids (γ = 3, seed 1)", 'font-size="14" font-weight="600" fill="#222222"')}
${text(left, 36, "the same releases, counted by the paper's rule (dashed) and exactly (solid)", 'fill="#555555"')}
${[0.1, 0.3, 1, 3, 10].map((loss) => `<line x1="${left}" x2="${width - right}" y1="${y(loss)}" y2="${y(loss)}" stroke="#e4e4e4"/>${text(left - 8, y(loss) + 4, loss, 'text-anchor="end" fill="#555555"')}`).join("\n")}
${[0.1, 0.2, 0.4, 0.6, 0.8, 1].map((epsilon) => text(x(epsilon), height - bottom + 20, epsilon, 'text-anchor="middle" fill="#555555"')).join("\n")}
${text((left + width - right) / 2, height - 10, "ε per grid", 'text-anchor="middle" fill="#222222"')}
${SERIES.map(({ of, colour, dash }) => `<polyline fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}" points="${points.map((point) => `${x(point.epsilon).toFixed(1)},${y(of(point)).toFixed(1)}`).join(" ")}"/>`).join("\n")}
${labels.join("\n")}
</svg>`);
