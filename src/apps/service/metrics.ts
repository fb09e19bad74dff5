/** Counts requests and answer times in the text format that Prometheus reads; nothing about people, values or tokens. */

/** Seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];

export class Metrics {
  readonly #counts = new Map<string, number>();
  readonly #times = new Map<string, { buckets: number[]; sum: number; count: number }>();

  count(name: string, labels: Readonly<Record<string, string>>): void {
    const key = `${name}${labelText(labels)}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  time(route: string, seconds: number): void {
    const found = this.#times.get(route) ?? { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
    found.buckets = found.buckets.map((count, at) => (seconds <= (BUCKETS[at] ?? 0) ? count + 1 : count));
    found.sum += seconds;
    found.count += 1;
    this.#times.set(route, found);
  }

  /** `gauges`: what is so now. */
  text(gauges: Readonly<Record<string, number>>): string {
    const name = "veilgrid_http_request_duration_seconds";
    return [
      "# TYPE veilgrid_http_requests_total counter",
      ...[...this.#counts].sort().map(([key, value]) => `${key} ${value}`),
      `# TYPE ${name} histogram`,
      ...[...this.#times]
        .sort()
        .flatMap(([route, { buckets, sum, count }]) => [
          ...buckets.map((value, at) => `${name}_bucket${labelText({ route, le: String(BUCKETS[at]) })} ${value}`),
          `${name}_bucket${labelText({ route, le: "+Inf" })} ${count}`,
          `${name}_sum${labelText({ route })} ${sum}`,
          `${name}_count${labelText({ route })} ${count}`,
        ]),
      ...Object.entries(gauges).flatMap(([gauge, value]) => [`# TYPE ${gauge} gauge`, `${gauge} ${value}`]),
      "",
    ].join("\n");
  }
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, "_")}"`);
  return `{${parts.join(",")}}`;
}
