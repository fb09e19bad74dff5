/** Shows an error in the service's words, and what can be done about it. */
import { ServiceFailure } from "../../../src/apps/client/index.ts";
import { isRefused, SIGN_IN_WANTED } from "../session.ts";

export interface FailureProps {
  readonly error: unknown;
  readonly title?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
}

export function Failure({ error, title, onRetry }: FailureProps) {
  const { heading, text } = failureWords(error);
  return (
    <div class="failure card" role="alert">
      <h2>{title ?? heading}</h2>
      <p>{text}</p>
      {isRefused(error) ? (
        <button type="button" class="primary" onClick={() => dispatchEvent(new Event(SIGN_IN_WANTED))}>
          Sign in again
        </button>
      ) : onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function failureWords(error: unknown): { readonly heading: string; readonly text: string } {
  if (error instanceof ServiceFailure) {
    const heading =
      {
        BUDGET_EXCEEDED: "The budget does not allow it",
        UNAUTHENTICATED: "You are not signed in",
        FORBIDDEN: "Your token does not allow this",
        NOT_FOUND: "Not found",
        NOT_RELEASED: "Nothing is released yet",
      }[error.code] ?? "The service refused";
    return { heading, text: sentence(error.message) };
  }
  // What fetch says of a connection that is not there differs between browsers.
  if (error instanceof TypeError && /fetch|network|load/i.test(error.message))
    return {
      heading: "No connection to the service",
      text: "It may have been stopped, or the network is down. What is on this page stays; try again when it is back.",
    };
  return { heading: "Something went wrong", text: sentence(error instanceof Error ? error.message : String(error)) };
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
