/** Recomputes every balance from the journal and shows the result. */
import { useState } from "preact/hooks";
import type { Verification } from "../../../../src/apps/client/index.ts";
import { plural } from "../../format.ts";
import { Card } from "../../parts/card.tsx";
import { Failure } from "../../parts/failure.tsx";
import type { Session } from "../../session.ts";

export function Verify({ session: { service } }: { session: Session }) {
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<Verification>();
  const [error, setError] = useState<unknown>();
  const [isForbidden, setForbidden] = useState(false);
  const verify = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    setFound(undefined);
    try {
      const { datasets } = await service.getMe();
      setForbidden(datasets !== null);
      if (datasets === null) setFound(await service.verifyLedger());
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  return (
    <Card
      title="Verification"
      lead="Every balance can be worked out again from the journal, which is only ever written to at its end."
    >
      <div class="side-by-side">
        <button type="button" onClick={verify} disabled={busy}>
          {busy ? "Verifying…" : "Verify the ledger"}
        </button>
      </div>
      <div role="status">
        {found === undefined ? null : <Found found={found} />}
        {isForbidden ? (
          <p class="message">
            The ledger is verified as a whole, and your token is for some of its datasets only. Ask someone with a token
            for all of them, or run <code>veilgrid ledger verify</code> beside the service.
          </p>
        ) : null}
      </div>
      {error === undefined ? null : <Failure error={error} onRetry={verify} />}
    </Card>
  );
}

function Found({ found: { consistent, problems, counts } }: { found: Verification }) {
  const looked = [
    plural(counts.lines, "journal line"),
    plural(counts.datasets, "dataset"),
    plural(counts.releases, "release"),
    plural(counts.parts, "grid"),
    plural(counts.users, "user"),
  ].join(", ");
  if (consistent)
    return (
      <p class="message good">
        <b>Consistent.</b> Every balance follows from the journal: {looked}.
      </p>
    );
  return (
    <div class="message weak">
      <p>
        <b>Not consistent.</b> {plural(problems.length, "problem")} in {looked}. Release nothing until it is explained.
      </p>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  );
}
