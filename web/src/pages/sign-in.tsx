/** Signs in people who come without a code in the address. */
import { useEffect, useState } from "preact/hooks";
import { failureWords } from "../parts/failure.tsx";
import { isRefused, type Session, signIn } from "../session.ts";

export function SignInPage({ onSignedIn, error }: { onSignedIn: (session: Session) => void; error?: unknown }) {
  const [token, setToken] = useState("");
  const [refusal, setRefusal] = useState(error);
  // A code that is pasted into the address can be refused while this is shown.
  useEffect(() => setRefusal(error), [error]);
  const [busy, setBusy] = useState(false);
  const enter = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      onSignedIn(await signIn(token.trim()));
    } catch (problem) {
      setRefusal(
        isRefused(problem) || !isSendable(token)
          ? new Error("This token is not known, has expired or was revoked.")
          : problem,
      );
      setBusy(false);
    }
  };
  return (
    <div class="page narrow">
      <h1>Veilgrid</h1>
      <p class="lead">Statistics per group, with a bound on what anyone can learn about any one person.</p>
      <form class="card" onSubmit={enter}>
        <label class="field">
          <span>Token</span>
          <input
            name="token"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
          <small>
            It begins with vg_. Whoever runs the service makes one with <code>veilgrid token create</code>, or opens the
            address that <code>veilgrid serve --demo</code> prints.
          </small>
        </label>
        {refusal === undefined ? null : (
          <p class="problem" role="alert">
            {failureWords(refusal).text}
          </p>
        )}
        <button type="submit" class="primary" disabled={busy || token.trim() === ""}>
          Sign in
        </button>
      </form>
    </div>
  );
}

/** A header takes nothing else, and a browser would speak of the network. */
function isSendable(token: string): boolean {
  return /^[!-~]*$/.test(token.trim());
}
