/** Types of postgres-server.mjs, for tests that crash servers and fail over. */
export class PostgresServer {
  static create(options: {
    readonly folder: string;
    readonly name?: string;
    readonly settings?: readonly string[];
    readonly log?: (line: string) => void;
  }): Promise<PostgresServer>;
  readonly port: number;
  readonly password: string;
  readonly address: string;
  readonly env: { readonly PGPASSWORD: string };
  configure(lines: readonly string[]): void;
  start(): Promise<void>;
  stop(mode?: "fast" | "immediate"): Promise<void>;
  kill(): Promise<void>;
  promote(): Promise<void>;
  query(sql: string, database?: string): Promise<Array<Record<string, unknown>>>;
  standby(options: {
    readonly folder: string;
    readonly name: string;
    readonly settings?: readonly string[];
  }): Promise<PostgresServer>;
}
