/** A trace that took as long as its bucket says. */
export interface Exemplar {
  readonly traceId: string
  readonly seconds: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The last exemplar of each bucket, by the labels of its series. */
export const makeExemplars = (boundaries: ReadonlyArray<number>) => {
  const all = new Map<string, Exemplar>()
  return {
    keep: (labels: Readonly<Record<string, string>>, exemplar: Exemplar): void => {
      const boundary = boundaries.find((boundary) => exemplar.seconds <= boundary) ?? "+Inf"
      const pairs = Object.entries({ ...labels, le: String(boundary) }).map(([name, value]) => `${name}="${value}"`)
      all.set(`{${pairs.join(",")}}`, exemplar)
    },
    of: (labels: string): Exemplar | undefined => all.get(labels),
  }
}
export type Exemplars = ReturnType<typeof makeExemplars>

export const openMetricsType = "application/openmetrics-text"

/** The text format of Prometheus as OpenMetrics 1.0, with the exemplars of the buckets of one histogram. */
export const openMetrics = (text: string, histogram: string, exemplars: Exemplars): string => {
  const lines = text.split("\n").map((line) => {
    if (line.startsWith("# HELP ")) return line.replace(/^(# HELP \S+?)(?:_total)? /, "$1 ").replaceAll('"', '\\"')
    if (line.startsWith("# TYPE ")) return line.replace(/^(# TYPE \S+?)_total counter$/, "$1 counter")
    const [, labels = ""] = line.startsWith(`${histogram}_bucket`) ? (/(\{.*\}) /.exec(line) ?? []) : []
    const exemplar = exemplars.of(labels)
    return exemplar === undefined ? line : `${line} # {trace_id="${exemplar.traceId}"} ${exemplar.seconds} ${exemplar.at / 1000}`
  })
  return `${lines.join("\n")}# EOF\n`
}
