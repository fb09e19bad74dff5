/** Fetches a dataset's occupancy array, reads it in slices, and keeps it while the tab is open. */
import { ServiceFailure } from "../../src/apps/client/index.ts";
import { type Occupancy, OccupancyCsvReader } from "../../src/core/occupancy/index.ts";
import type { LongWorkOptions } from "../../src/core/planning/index.ts";
import type { Session } from "./session.ts";

interface Kept {
  readonly etag: string | null;
  readonly occupancy: Occupancy;
}

/** The datasets last looked at; arrays can be large. */
const KEPT_DATASETS = 3;
const kept = new Map<string, Kept>();

/** Longer than this without a break, and a page begins to stutter. */
const SLICE_MILLISECONDS = 12;

/**
 * Rejects with a ServiceFailure NOT_FOUND until the dataset is surveyed.
 *
 * Asks the service whether what is kept still holds; without a connection, what is kept is good enough.
 */
export async function loadOccupancy(
  session: Pick<Session, "token">,
  dataset: string,
  options: LongWorkOptions = {},
): Promise<Occupancy> {
  const before = kept.get(dataset);
  const answer = await ask(session, dataset, before, options.signal);
  if (answer === undefined || answer.status === 304) return before!.occupancy;
  if (!answer.ok) throw await failureOf(answer);
  const occupancy = await read(answer, dataset, options);
  kept.delete(dataset);
  kept.set(dataset, { etag: answer.headers.get("etag"), occupancy });
  for (const name of [...kept.keys()].slice(0, -KEPT_DATASETS)) kept.delete(name);
  return occupancy;
}

/** undefined if there is no connection but something kept. */
async function ask(
  { token }: Pick<Session, "token">,
  dataset: string,
  before: Kept | undefined,
  signal: AbortSignal | undefined,
): Promise<Response | undefined> {
  const etag = before?.etag ?? null;
  try {
    return await fetch(`/v1/datasets/${encodeURIComponent(dataset)}/occupancy`, {
      headers: { authorization: `Bearer ${token}`, ...(etag === null ? {} : { "if-none-match": etag }) },
      // We keep it ourselves, and want to see the 304.
      cache: "no-store",
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (before !== undefined && error instanceof TypeError) return undefined;
    throw error;
  }
}

async function read(answer: Response, dataset: string, { signal, onProgress }: LongWorkOptions): Promise<Occupancy> {
  const reader = new OccupancyCsvReader(dataset);
  const isPacked = answer.headers.has("content-encoding");
  const bytes = isPacked ? 0 : Number(answer.headers.get("content-length") ?? 0);
  const stream = answer.body!.getReader();
  let done = 0;
  let since = performance.now();
  for (;;) {
    const next = await stream.read();
    if (next.done) break;
    reader.push(next.value);
    done += next.value.length;
    if (performance.now() - since > SLICE_MILLISECONDS) {
      onProgress?.({ step: "reading counts", done, ...(bytes > 0 ? { of: bytes } : {}) });
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
      since = performance.now();
    }
  }
  return reader.finish().occupancy;
}

async function failureOf(answer: Response): Promise<ServiceFailure> {
  const content = (await answer.json().catch(() => undefined)) as
    | { error?: { code?: string; message?: string } }
    | undefined;
  const { code = "INTERNAL", message = `status ${answer.status}` } = content?.error ?? {};
  return new ServiceFailure(answer.status, code, message);
}
