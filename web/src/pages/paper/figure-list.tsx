/** Lists all figures as small pictures: the paper's and those beyond it. */
import { lineThumbnail } from "../../../../src/publish/charts/index.ts";
import { Drawing } from "../../parts/drawing.tsx";
import { WEB_THEME } from "../../parts/live-chart/web-theme.ts";
import { hrefOf } from "../../router.ts";
import { inOrder, KIND_NAMES, SET_NAMES, SETS, subjectName } from "./figure-order.ts";
import type { PaperFigure } from "./figures.ts";

export function FigureList({ figures, chosen }: { figures: readonly PaperFigure[]; chosen: string }) {
  return (
    <nav class="figure-list" aria-label="Figures">
      {SETS.map((set) => (
        <section key={set} class="card">
          <h2>{SET_NAMES[set]}</h2>
          <ul>
            {inOrder(figures.filter((figure) => figure.set === set)).map(({ id, kind, subject, chart }) => (
              <li key={id} class={kind}>
                <a
                  href={hrefOf({ page: "paper", figure: id })}
                  aria-current={id === chosen ? "page" : undefined}
                  title={chart.title}
                >
                  <Drawing svg={lineThumbnail(chart, WEB_THEME, { width: 120, height: 58 })} />
                  <span>
                    {KIND_NAMES[kind]}, {subjectName(subject)}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
