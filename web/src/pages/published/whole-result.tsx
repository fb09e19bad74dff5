/** Shows a result with everything that belongs to it: numbers, files and privacy statement. */
import { areHexagons } from "../../map/grid-layout.ts";
import type { Session } from "../../session.ts";
import { confidenceOf } from "./confidence.tsx";
import { Downloads, PrivacyStatement } from "./release-files.tsx";
import { ResultView, type ResultViewProps } from "./result-view.tsx";

export interface WholeResultProps extends Omit<ResultViewProps, "aside"> {
  readonly dataset: string;
  readonly session: Session;
}

export function WholeResult({ dataset, session, ...view }: WholeResultProps) {
  const { rows, privacy } = view.released;
  return (
    <>
      <ResultView
        {...view}
        aside={
          <Downloads
            dataset={dataset}
            session={session}
            confidence={confidenceOf(view.query)}
            hasHexagons={areHexagons(rows.map(({ grid }) => grid))}
          />
        }
      />
      <PrivacyStatement dataset={dataset} session={session} version={rows.length} inWords={privacy.loss.inWords} />
    </>
  );
}
