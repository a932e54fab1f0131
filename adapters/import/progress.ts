import { performance } from "node:perf_hooks"

const width = 24
const interval = 200

/** Shows on one line of the terminal how much of the file was read. Writes nothing if the stream is not a terminal. */
export const makeProgress = (stream: NodeJS.WriteStream, size: number) => {
  const begun = performance.now()
  let last = 0
  const clear = () => {
    if (stream.isTTY) stream.write("\r\u001b[K")
  }
  return {
    clear,
    show: (bytes: number, records: number) => {
      const now = performance.now()
      if (!stream.isTTY || now - last < interval) return
      last = now
      const share = size === 0 ? 1 : Math.min(1, bytes / size)
      const bar = "#".repeat(Math.round(share * width)).padEnd(width, "-")
      const rate = Math.round(records / Math.max(0.001, (now - begun) / 1000))
      stream.write(`\r\u001b[K[${bar}] ${Math.floor(share * 100)} %  ${records} records, ${rate} a second`)
    },
  }
}
