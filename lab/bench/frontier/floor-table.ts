/** `npm run build && tsc -p lab/bench/tsconfig.json && node build/bench/frontier/floor-table.js`: the crude trim and the baseline on ten synthetic draws, beside the reference's means. */
import { synthesise } from "#evidence/simulation";
import { baselineLossAt } from "./baseline-loss.js";
import { crudeTrim } from "./crude-trim.js";

const WIDTH = 65;
const DATA_FREE = WIDTH / 2 + WIDTH ** 2 / 8;
const DRAWS = 10;
const SHARES = [0.5, 0.8];

/** Means of the reference's own ten draws, at 0.5 × and 0.8 × the data-free error. */
const REFERENCE: Readonly<Record<number, Readonly<Record<string, readonly number[]>>>> = {
  3: { kept: [0.73, 0.26], centred: [0.34, 0.16], baseline: [2.0, 1.3] },
  6: { kept: [1.63, 0.57], centred: [0.51, 0.19], baseline: [3.0, 1.9] },
  9: { kept: [2.14, 1.29], centred: [1.04, 0.22], baseline: [3.7, 2.3] },
};

for (const gamma of [3, 6, 9]) {
  const draws = Array.from({ length: DRAWS }, (_, draw) => synthesise({ gamma, q: 0.01, seed: draw + 1 }));
  SHARES.forEach((share, at) => {
    const error = share * DATA_FREE;
    console.log(`γ = ${gamma}, E = ${share} × ${DATA_FREE}`);
    const rows = {
      kept: draws.map((draw) => crudeTrim(draw, { width: WIDTH, error, estimator: "kept" }).loss),
      centred: draws.map((draw) => crudeTrim(draw, { width: WIDTH, error, estimator: "centred" }).loss),
      baseline: draws.map((draw) => baselineLossAt(draw, { width: WIDTH, error })),
    };
    for (const [name, losses] of Object.entries(rows)) {
      const mean = losses.reduce((total, loss) => total + loss, 0) / losses.length;
      const each = losses.map((loss) => loss.toFixed(2)).join(" ");
      console.log(
        `  ${name.padEnd(9)} mean ${mean.toFixed(3)}  reference ${REFERENCE[gamma]![name]![at]}  draws ${each}`,
      );
    }
  });
}
