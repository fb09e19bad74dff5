/** Accepts a file that is dropped, or chosen by keyboard. */
import { useState } from "preact/hooks";

export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      class={over ? "drop-zone over" : "drop-zone"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <b>Drop a file of records here</b>
      <span>or choose one: CSV, JSON or Parquet</span>
      <input
        type="file"
        class="for-readers"
        accept=".csv,.tsv,.json,.jsonl,.ndjson,.parquet,.gz"
        onChange={(event) => take(event.currentTarget.files)}
      />
    </label>
  );
}
