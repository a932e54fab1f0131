// Sends an attacker's requests at a fixed rate, without waiting for answers, and reports the number of answers per status. Runs in
// a separate process, which builds all requests before it reports that it is ready: only sending them takes place during the measurement.
import { request } from "node:http"

/** One attack. */
export interface Attack {
  readonly port: number
  readonly kind: "documents" | "fragments" | "header"
  readonly perSecond: number
  /** The total number of requests; the process waits for all answers before it ends. */
  readonly count: number
  /** The number of the first document. Documents are numbered, so that none is sent twice. */
  readonly from: number
  /** The client address in `X-Forwarded-For`. */
  readonly address: string
}

/** A valid document of 5.9 KB with almost the maximum of tokens; the parsed document takes about 500 KB. */
const levels = 390
const documentOf = (number: number) => `query A${number} { ${"... on Query { ".repeat(levels)}__typename ${"}".repeat(levels)} }`

/** A document whose fragments repeat a field so often that validation would compare it thousands of times. */
const fragments = Array.from({ length: 130 }, (_, index) => index)
const fragmentsOf = (number: number) =>
  `query A${number} { ${fragments.map((each) => `...F${each}`).join(" ")} } ${fragments.map((each) => `fragment F${each} on Query { viewer { user { id } } }`).join(" ")}`

/** A token with an invalid signature, whose JSON header has as many members as fit into the largest body. */
const tokenOf = (number: number) => {
  const members = Array.from({ length: 66_000 }, (_, index) => `"${index.toString(36)}":0`)
  const header = `{"alg":"HS256","typ":"JWT","n":${number},${members.join(",")}}`
  return `${Buffer.from(header).toString("base64url")}.e30.AAAA`
}

const { port, kind, perSecond, count, from, address }: Attack = JSON.parse(process.argv[2] ?? "")
const bodyOf = (number: number) => {
  if (kind === "header") return JSON.stringify({ token: tokenOf(from) })
  return JSON.stringify({ query: kind === "fragments" ? fragmentsOf(number) : documentOf(number) })
}
const bodies = Array.from({ length: kind === "header" ? 1 : count }, (_, index) => Buffer.from(bodyOf(from + index)))
const path = kind === "header" ? "/api/auth/token/verify" : "/graphql"
const codes: Record<string, number> = {}

const send = (body = Buffer.alloc(0)) =>
  new Promise<void>((resolve) => {
    const done = (code: string | number) => {
      codes[code] = (codes[code] ?? 0) + 1
      resolve()
    }
    const headers = { "content-type": "application/json", "content-length": body.length, "x-forwarded-for": address }
    request({ port, host: "127.0.0.1", method: "POST", path, headers, timeout: 60_000 }, (response) => {
      response.resume().on("end", () => done(response.statusCode ?? 0))
    })
      .on("error", (error) => done((error as NodeJS.ErrnoException).code ?? "error"))
      .end(body)
  })

const attack = async () => {
  const begun = performance.now()
  const answers: Array<Promise<void>> = []
  for (let index = 0; index < count; index++) {
    const due = begun + (index * 1000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    answers.push(send(bodies[index % bodies.length]))
  }
  await Promise.all(answers)
  process.send?.(JSON.stringify(codes), () => process.disconnect())
}
process.once("message", attack)
process.send?.("ready")
