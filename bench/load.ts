import { connect } from "node:net"

/** One request, sent again and again over so many connections, for a while. */
export interface Load {
  readonly port: number
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly connections: number
  readonly seconds: number
}

/** Answers with 200 per second. Sends raw bytes, so that on a small machine the load costs little of what it measures. */
const answersPerSecond = (load: Load): Promise<number> => {
  const { body = "", headers = {} } = load
  const lines = [
    `${load.method} ${load.path} HTTP/1.1`,
    "host: localhost",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === "" ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`]),
  ]
  const request = `${lines.join("\r\n")}\r\n\r\n${body}`

  return new Promise((resolve, reject) => {
    let answers = 0
    let running = true
    const begin = process.hrtime.bigint()
    const sockets = Array.from({ length: load.connections }, () => {
      const socket = connect(load.port, "127.0.0.1")
      let pending = ""
      socket.setNoDelay(true)
      socket.on("connect", () => socket.write(request))
      socket.on("error", (error) => running && reject(error))
      socket.on("data", (chunk) => {
        pending += chunk.toString("latin1")
        const length = answerLength(pending)
        if (length === null || pending.length < length) return
        if (!pending.startsWith("HTTP/1.1 200")) return reject(new Error(`not a success: ${pending.slice(0, 300)}`))
        pending = pending.slice(length)
        answers += 1
        if (running) socket.write(request)
      })
      return socket
    })
    setTimeout(() => {
      running = false
      const seconds = Number(process.hrtime.bigint() - begin) / 1e9
      for (const socket of sockets) socket.destroy()
      resolve(answers / seconds)
    }, load.seconds * 1000)
  })
}

const answerLength = (text: string): number | null => {
  const head = text.indexOf("\r\n\r\n")
  if (head < 0) return null
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  return length === undefined ? null : head + 4 + Number(length)
}

console.log(await answersPerSecond(JSON.parse(process.argv[2] ?? "") as Load))
