/** Corrects how a text file is read: its separator, and whether its first line names the columns. */
import { useState } from "preact/hooks";
import type { Dialect } from "./first-look.ts";

const DELIMITERS = [
  { value: "", label: "find out" },
  { value: "comma", label: "comma ," },
  { value: "semicolon", label: "semicolon ;" },
  { value: "tab", label: "tab" },
  { value: "pipe", label: "bar |" },
  { value: "space", label: "space" },
] as const;

export function DialectForm({ dialect, onLook }: { dialect: Dialect; onLook: (dialect: Dialect) => void }) {
  const [delimiter, setDelimiter] = useState(dialect.delimiter ?? "");
  const [header, setHeader] = useState<"" | "yes" | "no">(dialect.header ?? "");
  return (
    <form
      class="dialect"
      onSubmit={(event) => {
        event.preventDefault();
        onLook({ delimiter: delimiter === "" ? undefined : delimiter, header: header === "" ? undefined : header });
      }}
    >
      <label class="field">
        <span>Between fields stands</span>
        <select value={delimiter} onChange={(event) => setDelimiter(event.currentTarget.value)}>
          {DELIMITERS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>The first line names the columns</span>
        <select value={header} onChange={(event) => setHeader(event.currentTarget.value as "" | "yes" | "no")}>
          <option value="">find out</option>
          <option value="yes">yes</option>
          <option value="no">no</option>
        </select>
      </label>
      <button type="submit">Look again</button>
    </form>
  );
}
