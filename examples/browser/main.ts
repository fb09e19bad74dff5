/** The page: reads the form, plans after every change, stops a run that a newer one has overtaken. */
import { type Fields, planCsv } from "./plan-csv.ts";

const form = document.querySelector("form")!;
const csv = document.querySelector<HTMLTextAreaElement>("#csv")!;
const result = document.querySelector("#result")!;
const message = document.querySelector("#message")!;

let running = new AbortController();

async function plan(): Promise<void> {
  running.abort();
  const mine = new AbortController();
  running = mine;
  message.textContent = "";
  try {
    const fields = Object.fromEntries(new FormData(form)) as unknown as Fields;
    const summary = await planCsv(csv.value, fields, {
      signal: mine.signal,
      onProgress: ({ step, done }) => {
        message.textContent = `${step}: ${done.toLocaleString()}`;
      },
    });
    message.textContent = "";
    const useful = `${summary.usefulGrids} of ${summary.grids} grids`;
    show([
      ["", "baseline", "this plan"],
      ["most grids of one user (K)", summary.maxGridsPerUser, summary.degradation],
      ["loss, simple rule", summary.baselineLossSimple, summary.lossSimple],
      ["loss, joint rule (what is charged)", summary.baselineLoss, summary.loss],
      ["worst guaranteed error", summary.initialWorstError, summary.worstError ?? "none"],
      ["data-free error (publishing midpoints)", summary.dataFreeError, summary.dataFreeError],
      ["better than publishing midpoints", "", useful],
    ]);
  } catch (error) {
    if (mine.signal.aborted) return; // a newer run has taken over
    result.replaceChildren();
    message.textContent = error instanceof Error ? error.message : String(error);
  }
}

/** Text only, never markup: ids and messages come from a file. */
function show(rows: ReadonlyArray<ReadonlyArray<string | number>>): void {
  result.replaceChildren(
    ...rows.map((cells, index) => {
      const row = document.createElement("tr");
      for (const cell of cells) {
        const element = document.createElement(index === 0 ? "th" : "td");
        element.textContent =
          typeof cell === "number" ? cell.toLocaleString(undefined, { maximumSignificantDigits: 5 }) : cell;
        row.append(element);
      }
      return row;
    }),
  );
}

document.querySelector<HTMLInputElement>("#file")!.addEventListener("change", async (event) => {
  const file = (event.target as HTMLInputElement).files?.[0];
  if (file === undefined) return;
  csv.value = await file.text();
  void plan();
});
form.addEventListener("input", () => void plan());
form.addEventListener("submit", (event) => event.preventDefault());
void plan();
