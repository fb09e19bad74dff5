/** Sends a file to the service and reports its progress. */
import { ServiceFailure } from "../../../../src/apps/client/index.ts";
import type { Session } from "../../session.ts";

export interface UploadOptions {
  readonly signal: AbortSignal;
  onProgress(sent: number, of: number): void;
}

/** Resolves with what the service calls the file. By XMLHttpRequest, because `fetch` does not tell how much is sent. */
export function uploadFile({ token }: Pick<Session, "token">, file: File, options: UploadOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = (): void => request.abort();
    options.signal.addEventListener("abort", cancel, { once: true });
    request.upload.onprogress = ({ loaded, total }) => options.onProgress(loaded, total);
    request.onload = () => {
      const content = readJson(request.responseText) as
        | { source?: string; error?: { code?: string; message?: string } }
        | undefined;
      if (request.status === 201 && content?.source !== undefined) return resolve(content.source);
      const { code = "INTERNAL", message = `status ${request.status}` } = content?.error ?? {};
      return reject(new ServiceFailure(request.status, code, message));
    };
    request.onerror = () => reject(new TypeError("network failure"));
    request.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    request.onloadend = () => options.signal.removeEventListener("abort", cancel);
    request.open("POST", `/v1/uploads?name=${encodeURIComponent(uploadName(file.name))}`);
    request.setRequestHeader("authorization", `Bearer ${token}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.send(file);
  });
}

/** A name that the service takes: letters, digits, dots, hyphens and underscores. Text of any other ending is tried as CSV. */
export function uploadName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .replace(/\.(txt|dat|tab)(?=(\.gz)?$)/i, ".csv");
  const ending = /(\.[A-Za-z0-9]{1,8}){1,2}$/.exec(plain)?.[0] ?? "";
  const stem = plain
    .slice(0, plain.length - ending.length)
    .slice(0, 80)
    .replace(/[-.]+$/, "");
  return `${stem === "" ? "data" : stem}${ending}`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
