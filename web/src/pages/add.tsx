/** Adds a file as a dataset: uploads it, guesses its columns, shows the form, registers and surveys it. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Progress } from "../../../src/core/planning/index.ts";
import { takeDroppedFile } from "../dropped-file.ts";
import { formatBytes } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { DropZone } from "../parts/drop-zone.tsx";
import { Failure, failureWords } from "../parts/failure.tsx";
import { ProgressLine } from "../parts/progress-line.tsx";
import { plainWords } from "../plain-words.ts";
import { goTo } from "../router.ts";
import { isRefused, type Session } from "../session.ts";
import { surveyDataset } from "../survey.ts";
import { type AddForm, requestOf } from "./add/add-form.ts";
import { DatasetForm } from "./add/dataset-form.tsx";
import { DialectForm } from "./add/dialect-form.tsx";
import type { Dialect, Look } from "./add/first-look.ts";
import { uploadFile } from "./add/upload.ts";

interface Sent {
  readonly file: string;
  readonly source: string;
  readonly dialect: Dialect;
}

type Stage =
  | { readonly at: "choosing" }
  | { readonly at: "working"; readonly what: string; readonly progress: Progress | undefined; cancel(): void }
  /** `sent` is there if the file is, so that it can be looked at differently. */
  | { readonly at: "refused"; readonly error: unknown; readonly file: string; readonly sent: Sent | undefined }
  | {
      readonly at: "form";
      readonly look: Look;
      readonly sent: Sent;
      readonly before: { readonly form: AddForm; readonly error: unknown; readonly isRegistered: boolean } | undefined;
    };

export function AddPage({ session }: { session: Session }) {
  const [stage, setStage] = useState<Stage>({ at: "choosing" });
  const work = useRef(new AbortController());
  /** Whatever runs is ended before something else begins. */
  const begin = (): AbortSignal => {
    work.current.abort();
    work.current = new AbortController();
    return work.current.signal;
  };
  const startOver = (): void => {
    begin();
    setStage({ at: "choosing" });
  };

  const look = async (sent: Sent): Promise<void> => {
    const signal = begin();
    setStage({ at: "working", what: `Looking at ${sent.file}`, progress: undefined, cancel: startOver });
    try {
      const found = await session.service.lookAtSource({ body: { source: sent.source, ...sent.dialect }, signal });
      if (!signal.aborted) setStage({ at: "form", look: found, sent, before: undefined });
    } catch (error) {
      if (!signal.aborted) setStage({ at: "refused", error, file: sent.file, sent });
    }
  };

  const take = async (file: File): Promise<void> => {
    const signal = begin();
    const tell = (sent: number, of: number): void => {
      if (signal.aborted) return;
      const progress = { step: `${formatBytes(sent)} of ${formatBytes(of)}`, done: sent, of };
      setStage({ at: "working", what: `Sending ${file.name}`, progress, cancel: startOver });
    };
    tell(0, file.size);
    try {
      const source = await uploadFile(session, file, { signal, onProgress: tell });
      await look({ file: file.name, source, dialect: {} });
    } catch (error) {
      if (!signal.aborted) setStage({ at: "refused", error, file: file.name, sent: undefined });
    }
  };

  const send = async (form: AddForm, found: Look, sent: Sent): Promise<void> => {
    const signal = begin();
    const dataset = form.name.trim();
    let job: string | undefined;
    let isRegistered = false;
    const cancel = (): void => {
      if (job !== undefined) session.service.cancelJob({ params: { job } }).catch(() => undefined);
    };
    const tell = (progress: Progress | undefined): void => {
      if (!signal.aborted) setStage({ at: "working", what: `Counting ${dataset}`, progress, cancel });
    };
    tell({ step: "adding the dataset", done: 0 });
    try {
      await session.service.registerDataset({ body: requestOf(form, sent.source, sent.dialect), signal });
      isRegistered = true;
      const onStart = (id: string): void => {
        job = id;
      };
      await surveyDataset(session, dataset, { signal, onProgress: tell, onStart });
      if (!signal.aborted) goTo({ page: "dataset", dataset, tab: "data" });
    } catch (error) {
      if (!signal.aborted) setStage({ at: "form", look: found, sent, before: { form, error, isRegistered } });
    }
  };

  useEffect(() => {
    const file = takeDroppedFile();
    if (file !== undefined) void take(file);
    return () => work.current.abort();
  }, []);

  return (
    <div class="page add-page">
      <header>
        <h1>Add data</h1>
        <p class="lead">
          A file of records: one row per trip, purchase or reading, with a column that says whose it is. It stays on the
          service; nothing is sent anywhere else.
        </p>
      </header>
      {stage.at === "choosing" ? (
        <Card title="Choose a file">
          <DropZone onFile={take} />
        </Card>
      ) : stage.at === "working" ? (
        <Card title="One moment">
          <ProgressLine what={stage.what} progress={stage.progress} onCancel={stage.cancel} />
        </Card>
      ) : stage.at === "refused" ? (
        <Refused
          {...stage}
          onFile={take}
          onLook={(dialect) => stage.sent !== undefined && look({ ...stage.sent, dialect })}
        />
      ) : stage.look.isOccupancy ? (
        <CountsFile file={stage.sent.file} onStartOver={startOver} />
      ) : (
        <DatasetForm
          look={stage.look}
          fileName={stage.sent.file}
          dialect={stage.sent.dialect}
          before={stage.before}
          onSend={(form) => send(form, stage.look, stage.sent)}
          onLook={(dialect) => look({ ...stage.sent, dialect })}
          onStartOver={startOver}
        />
      )}
    </div>
  );
}

function Refused({
  error,
  file,
  sent,
  onFile,
  onLook,
}: {
  error: unknown;
  file: string;
  sent: Sent | undefined;
  onFile: (file: File) => void;
  onLook: (dialect: Dialect) => void;
}) {
  if (isRefused(error)) return <Failure error={error} />;
  const isText = !/\.(parquet|json|jsonl|ndjson)(\.gz)?$/i.test(file);
  return (
    <>
      <div class="failure card" role="alert">
        <h2>{file} cannot be used as it is</h2>
        <p>{plainWords(failureWords(error).text)}</p>
        <p class="note">
          What works: a table with one record per row and named columns, as CSV, JSON or Parquet, compressed by gzip or
          not. At least a column for the user and one for the number are needed. From a spreadsheet, save it as CSV.
        </p>
      </div>
      {sent !== undefined && isText ? (
        <Card title="Read it differently">
          <DialectForm dialect={sent.dialect} onLook={onLook} />
        </Card>
      ) : null}
      <Card title="Or choose another file">
        <DropZone onFile={onFile} />
      </Card>
    </>
  );
}

function CountsFile({ file, onStartOver }: { file: string; onStartOver: () => void }) {
  return (
    <Card title={`${file} holds counts, not records`}>
      <p>
        It has the columns user, grid and count: how many records everyone has in each grid, without the numbers
        themselves. That is enough to plan with, but there is nothing in it to publish, so it cannot become a dataset
        here.
      </p>
      <p>
        To try plans on it, use a terminal: <code>npx veilgrid plan {file} --bounds 0,65 --loss 1</code>. To publish,
        add the file of records it was counted from.
      </p>
      <button type="button" class="primary" onClick={onStartOver}>
        Choose another file
      </button>
    </Card>
  );
}
