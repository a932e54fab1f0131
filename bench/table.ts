// Writes Markdown tables from the lines of `npm run bench -- --json`: npx node bench/table.ts < results.jsonl

import { text } from "node:stream/consumers"
import { median, type Result } from "./report.ts"

const digits = (value: number) => (value < 10 ? 1 : 0)
const shown = (value: number | null) => (value === null ? "–" : value.toLocaleString("en", { maximumFractionDigits: digits(value) }))

/** A median with the least and the largest value. */
const range = (values: ReadonlyArray<number>) =>
  values.length === 0 ? "" : `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`

const header = [
  "| Operation | Side | Requests a second | p50, ms | p99, ms | Processor time, µs | wrk, % of the machine | Ratio | Ratio of processor time |",
  "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |",
]

const row = ({ title, side, perSecond, p50, p99, micros, loadShare, ratios, processorRatios }: Result) => {
  const share = loadShare === null ? null : loadShare * 100
  const cells = [
    title,
    side,
    ...[perSecond, p50, p99, micros, share].map(shown),
    range(ratios),
    range(processorRatios.filter(Number.isFinite)),
  ]
  return `| ${cells.join(" | ")} |`
}

const lines = (await text(process.stdin)).split("\n").filter((line) => line.startsWith("{"))
const results: ReadonlyArray<Result> = lines.map((line) => JSON.parse(line))
for (const [store, ofStore = []] of Object.entries(Object.groupBy(results, ({ store }) => store))) {
  console.log(`${store}\n\n${[...header, ...ofStore.map(row)].join("\n")}\n`)
}
