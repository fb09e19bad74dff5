/** Downloads files of the service that need a token, which a plain link cannot send. */
import { ServiceFailure } from "../../../../src/apps/client/index.ts";

export async function downloadFile({
  token,
  path,
  name,
}: {
  readonly token: string;
  readonly path: string;
  readonly name: string;
}): Promise<void> {
  const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) {
    const body = (await answer.json().catch(() => null)) as { error?: { code: string; message: string } } | null;
    const { code, message } = body?.error ?? { code: "INTERNAL", message: `status ${answer.status}` };
    throw new ServiceFailure(answer.status, code, message);
  }
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: some browsers begin to read it only after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
