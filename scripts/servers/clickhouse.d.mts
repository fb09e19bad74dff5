/** Types of clickhouse.mjs, for tests that stop a shard and start it again. */
export const CLUSTER: string;
export function start(options: {
  readonly folder: string;
  readonly log: (line: string) => void;
}): Promise<{ readonly env: Readonly<Record<string, string>>; stop(): Promise<void> }>;
/** Starts a shard that is not running and waits until it answers. */
export function startShard(folder: string): Promise<void>;
/** Ends a shard at once, as a power cut would. */
export function killShard(folder: string): Promise<void>;
