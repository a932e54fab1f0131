// Loaded into the measured server by memory.ts. On SIGUSR2 it writes the memory of the process to HEAP_FILE: as it is, and the heap after a
// garbage collection. Plain JavaScript, because Node would load ten megabytes to strip types.
import { renameSync, writeFileSync } from "node:fs"

const megabytes = (bytes) => bytes / 2 ** 20
const file = process.env["HEAP_FILE"] ?? ""

process.on("SIGUSR2", () => {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
  globalThis.gc?.()
  const collected = process.memoryUsage().heapUsed
  const figures = { rss, heapTotal, heapUsed, external, collected }
  const text = JSON.stringify(Object.fromEntries(Object.entries(figures).map(([name, bytes]) => [name, megabytes(bytes)])))
  // A reader sees the whole file or none.
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
})
