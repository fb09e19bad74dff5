/** Lists the files of a release in every format, and shows its privacy statement. */
import { useState } from "preact/hooks";
import { Card } from "../../parts/card.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Statement } from "../../parts/statement.tsx";
import type { Session } from "../../session.ts";
import { useAsync } from "../../use-async.ts";
import { confidenceText } from "./confidence.tsx";
import { downloadFile } from "./download-file.ts";

interface Paper {
  readonly label: string;
  readonly note: string;
  /** After the dataset's name. */
  readonly ending: string;
  readonly path: string;
  readonly hasIntervals: boolean;
}

const PAPERS: readonly Paper[] = [
  { label: "CSV", note: "for spreadsheets", ending: ".csv", path: "results?format=csv", hasIntervals: true },
  { label: "JSON", note: "for programs", ending: ".json", path: "results?format=json", hasIntervals: true },
  {
    label: "GeoJSON",
    note: "hexagons for maps",
    ending: ".geojson",
    path: "results?format=geojson",
    hasIntervals: true,
  },
  { label: "Report", note: "one HTML page", ending: "-report.html", path: "results?format=html", hasIntervals: true },
  { label: "Dictionary", note: "what columns mean", ending: "-dictionary.md", path: "dictionary", hasIntervals: false },
  { label: "Statement", note: "what is protected", ending: "-statement.md", path: "statement", hasIntervals: false },
];

export interface ReleaseFilesProps {
  readonly dataset: string;
  readonly session: Session;
  readonly confidence: string;
  /** Changes when more is released. */
  readonly version: string | number;
}

export interface DownloadsProps extends Omit<ReleaseFilesProps, "version"> {
  /** Without hexagons there is nothing to put on other maps. */
  readonly hasHexagons: boolean;
}

export function Downloads({ dataset, session: { token }, confidence, hasHexagons }: DownloadsProps) {
  const papers = hasHexagons ? PAPERS : PAPERS.filter(({ ending }) => ending !== ".geojson");
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const download = async ({ label, ending, path, hasIntervals }: Paper): Promise<void> => {
    setBusy(label);
    setError(undefined);
    try {
      const query = hasIntervals ? `${path}&confidence=${confidence}` : path;
      await downloadFile({
        token,
        path: `/v1/published/${encodeURIComponent(dataset)}/${query}`,
        name: `${dataset}${ending}`,
      });
    } catch (problem) {
      setError(problem);
    }
    setBusy(null);
  };
  return (
    <Card title="Download" lead={`Intervals in the files are those shown: ${confidenceText(confidence)}.`}>
      <ul class="downloads">
        {papers.map((paper) => (
          <li key={paper.label}>
            <button type="button" disabled={busy !== null} onClick={() => download(paper)}>
              <b>{paper.label}</b>
              <small>{busy === paper.label ? "on its way…" : paper.note}</small>
            </button>
          </li>
        ))}
      </ul>
      {error === undefined ? null : <Failure error={error} />}
    </Card>
  );
}

/** Its heart at once, the whole on demand. */
export function PrivacyStatement({
  dataset,
  session: { service },
  version,
  inWords,
}: Omit<ReleaseFilesProps, "confidence"> & { readonly inWords: string }) {
  const { answer, again } = useAsync(
    (signal) => service.getStatement({ params: { dataset }, signal }),
    [dataset, version],
  );
  return (
    <Card title="Privacy statement" lead={inWords}>
      <details class="fold">
        <summary>What is protected, what is not, and how it was made</summary>
        {answer.state === "loading" ? <Loading what="the statement" /> : null}
        {answer.state === "failed" ? <Failure error={answer.error} onRetry={again} /> : null}
        {answer.state === "ready" ? <Statement markdown={answer.value} /> : null}
      </details>
    </Card>
  );
}
