/** Runs the paper's experiment in the page with the reader's own numbers. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Progress } from "../../../../src/core/planning/index.ts";
import { formatCount, formatNumber, formatPercent } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { changeQuery } from "../../router.ts";
import type { RunMessage } from "./run.worker.ts";
import type { RunResult } from "./run-draw.ts";
import { FIRST_OPTIONS, type RunField, type RunOptions, type RunTexts, readOptions } from "./run-options.ts";
import { runWords } from "./run-words.ts";

const FIELDS: ReadonlyArray<{ readonly name: RunField; readonly label: string; readonly help: string }> = [
  { name: "gamma", label: "γ", help: "In each grid the heaviest count is multiplied by 1 + γ. The paper: 3, 6, 9." },
  { name: "q", label: "q", help: "Counts are geometric with this q: 1/q records on average. The paper: 0.01." },
  { name: "seed", label: "Seed", help: "The same seed gives the same draw. Our figures: 1 to 10." },
  { name: "grids", label: "Grids, G", help: "With 2^G − 1 users. The paper: 12." },
  { name: "epsilon", label: "ε per grid", help: "The paper: 0.1 to 1." },
];

type Run =
  | { readonly state: "none" }
  | { readonly state: "running"; readonly progress: Progress | null }
  | { readonly state: "cancelled" }
  | { readonly state: "failed"; readonly message: string }
  | { readonly state: "done"; readonly options: RunOptions; readonly result: RunResult; readonly milliseconds: number };

export function RunHere({ query }: { query: URLSearchParams }) {
  const [texts, setTexts] = useState<RunTexts>(() => ({
    gamma: query.get("gamma") ?? FIRST_OPTIONS.gamma,
    q: query.get("q") ?? FIRST_OPTIONS.q,
    seed: query.get("seed") ?? FIRST_OPTIONS.seed,
    grids: query.get("grids") ?? FIRST_OPTIONS.grids,
    epsilon: query.get("epsilon") ?? FIRST_OPTIONS.epsilon,
  }));
  const [run, setRun] = useState<Run>({ state: "none" });
  const worker = useRef<Worker | null>(null);
  const stop = (): void => {
    worker.current?.terminate();
    worker.current = null;
  };
  useEffect(() => stop, []);
  const { options, problems = {} } = readOptions(texts);

  const start = (event: Event): void => {
    event.preventDefault();
    if (options === undefined) return;
    stop();
    changeQuery(
      new URLSearchParams([...query].filter(([key]) => !(key in texts)).concat(Object.entries(texts))),
      "replace",
    );
    const mine = new Worker(new URL("./run.worker.ts", import.meta.url), { type: "module" });
    worker.current = mine;
    mine.onmessage = ({ data }: MessageEvent<RunMessage>) => {
      if (data.kind === "progress") return setRun({ state: "running", progress: data.progress });
      stop();
      if (data.kind === "failed") setRun({ state: "failed", message: data.message });
      else setRun({ state: "done", options, result: data.result, milliseconds: data.milliseconds });
    };
    mine.onerror = () => {
      stop();
      setRun({ state: "failed", message: "The run could not be started. Reload the page and try again." });
    };
    setRun({ state: "running", progress: null });
    mine.postMessage(options);
  };
  const cancel = (): void => {
    stop();
    setRun({ state: "cancelled" });
  };

  return (
    <Card
      title="Run it here"
      id="run"
      lead="Draw one array of the paper's synthetic model and plan it, in this page: nothing is sent anywhere."
    >
      <form class="run-form" onSubmit={start}>
        <div class="fields">
          {FIELDS.map(({ name, label, help }) => (
            <label class="field" key={name}>
              <span>{label}</span>
              <input
                name={name}
                inputMode="decimal"
                autocomplete="off"
                value={texts[name]}
                aria-invalid={problems[name] !== undefined}
                onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
              />
              {problems[name] === undefined ? <small>{help}</small> : <small class="problem">{problems[name]}</small>}
            </label>
          ))}
        </div>
        <div class="tools">
          <button type="submit" class="primary" disabled={options === undefined || run.state === "running"}>
            Run
          </button>
          <button type="button" disabled={run.state !== "running"} onClick={cancel}>
            Cancel
          </button>
          <Standing run={run} />
        </div>
      </form>
      <Result run={run} />
    </Card>
  );
}

function Standing({ run }: { run: Run }) {
  if (run.state === "running") {
    const { step = "starting", done = 0, of = 4 } = run.progress ?? {};
    return (
      <span class="run-standing" role="status">
        <progress value={done} max={of} aria-label="Progress of the run" /> {step}…
      </span>
    );
  }
  return (
    <span class="run-standing" role="status">
      {run.state === "cancelled" ? "Cancelled." : null}
      {run.state === "done" ? `Done in ${formatNumber(run.milliseconds / 1000, 2)} s.` : null}
      {run.state === "failed" ? <span class="problem">{run.message}</span> : null}
    </span>
  );
}

function Result({ run }: { run: Run }) {
  if (run.state !== "done") return <p class="run-empty note">The table of before and after appears here.</p>;
  const { result, options } = run;
  return (
    <div class="run-result">
      <p class="note">
        γ = {options.gamma}, q = {options.q}, seed {options.seed}, ε = {options.epsilon}: {formatCount(result.users)}{" "}
        users with {formatCount(result.samples)} records in {formatCount(result.grids)} grids; mean and variance of
        values from 0 to 65 km/h.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="scroller" tabIndex={0} aria-label="Before and after (table)">
        <table>
          <caption class="for-readers">Losses and errors before and after</caption>
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col" class="number" title="The most grids that any user still is in">
                K
              </th>
              <th scope="col" class="number" title="ε for every grid of a user, as the paper counts">
                Loss, simple
              </th>
              <th scope="col" class="number" title="What one user can really move in all grids together">
                Loss, joint
              </th>
              <th scope="col" class="number" title="Of the worst grid, mean and variance added up: km/h + (km/h)²">
                Worst error
              </th>
              <th scope="col" class="number" title="Grids whose guarantee is better than publishing midpoints">
                Useful grids
              </th>
              <th scope="col" class="number">
                Records kept
              </th>
            </tr>
          </thead>
          <tbody>
            {result.rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                <td class="number">{row.most}</td>
                <td class="number">{formatNumber(row.simple)}</td>
                <td class="number">{formatNumber(row.joint)}</td>
                <td class="number">{row.error === null ? "none" : formatNumber(row.error, 4)}</td>
                <td class="number">
                  {row.useful} of {result.grids}
                </td>
                <td class="number">{formatPercent(row.keptShare, 3)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">midpoints, no data</th>
              <td class="number">–</td>
              <td class="number">0</td>
              <td class="number">0</td>
              <td class="number">{formatNumber(result.dataFree, 4)}</td>
              <td class="number">–</td>
              <td class="number">–</td>
            </tr>
          </tbody>
        </table>
      </section>
      <ul>
        {runWords(result).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
