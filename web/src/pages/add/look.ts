/** What the service sees in a file at first: columns, and guesses at what they are for. */
import { ServiceFailure } from "../../../../src/client/index.ts";
import type { Session } from "../../session.ts";

export interface LookedColumn {
  readonly name: string;
  readonly type: "number" | "time" | "point" | "text" | "empty";
  readonly role: string | null;
}

export interface Look {
  readonly source: string;
  readonly columns: readonly LookedColumn[];
  /** Flags of the command line without dashes. */
  readonly guess: Readonly<Record<string, string>>;
  /** Could not be guessed. */
  readonly open: ReadonlyArray<{ readonly flag: string; readonly says: string }>;
  readonly doubts: readonly string[];
  /** How the file was read. */
  readonly told: readonly string[];
  readonly isOccupancy: boolean;
}

/** How a text file is written, where the service guesses it wrong. */
export interface Dialect {
  readonly delimiter?: string | undefined;
  readonly header?: "yes" | "no" | undefined;
}

export async function lookAt(
  { token }: Pick<Session, "token">,
  source: string,
  { delimiter, header, signal }: Dialect & { readonly signal: AbortSignal },
): Promise<Look> {
  const answer = await fetch("/v1/look", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ source, delimiter, header }),
    signal,
  });
  const content = (await answer.json()) as Look & { error?: { code: string; message: string } };
  if (answer.ok) return content;
  throw new ServiceFailure(answer.status, content.error?.code ?? "INTERNAL", content.error?.message ?? "");
}
