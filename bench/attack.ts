// Sends an attacker's requests, and reports the number of answers per status. Runs in a separate process, which builds all requests
// before it reports that it is ready: only sending them takes place during the measurement.
import { Agent, request } from "node:http"

/** What an attacker sends, and how fast. */
export type Load =
  /** At a fixed rate, without waiting for answers. */
  | { readonly kind: "documents" | "fragments" | "header"; readonly perSecond: number }
  /** Sign-ins of these users in turn, every second one with a wrong password: always this many requests wait for their answer. */
  | { readonly kind: "sign-ins"; readonly concurrent: number; readonly emails: ReadonlyArray<string>; readonly password: string }

/** One attack. The process waits for all answers before it ends. */
export type Attack = Load & {
  readonly port: number
  readonly seconds: number
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

const paths = { documents: "/graphql", fragments: "/graphql", header: "/api/auth/token/verify", "sign-ins": "/api/auth/sign-in/email" }

const bodiesOf = (attack: Attack): ReadonlyArray<unknown> => {
  if (attack.kind === "header") return [{ token: tokenOf(attack.from) }]
  if (attack.kind === "sign-ins")
    return attack.emails.flatMap((email) => [attack.password, "not the password"].map((password) => ({ email, password })))
  const documentsOf = attack.kind === "fragments" ? fragmentsOf : documentOf
  return Array.from({ length: attack.perSecond * attack.seconds }, (_, index) => ({ query: documentsOf(attack.from + index) }))
}

const attack: Attack = JSON.parse(process.argv[2] ?? "")
const { port, kind, seconds, address } = attack
const bodies = bodiesOf(attack).map((body) => Buffer.from(JSON.stringify(body)))
const path = paths[kind]
const agent = new Agent({ keepAlive: true })
const codes: Record<string, number> = {}

const send = (index: number) =>
  new Promise<void>((resolve) => {
    const done = (code: string | number) => {
      codes[code] = (codes[code] ?? 0) + 1
      resolve()
    }
    const body = bodies[index % bodies.length] ?? Buffer.alloc(0)
    const headers = { "content-type": "application/json", "content-length": body.length, "x-forwarded-for": address }
    request({ agent, port, host: "127.0.0.1", method: "POST", path, headers, timeout: 60_000 }, (response) => {
      response.resume().on("end", () => done(response.statusCode ?? 0))
    })
      .on("error", (error) => done((error as NodeJS.ErrnoException).code ?? "error"))
      .end(body)
  })

const sendAtRate = async (perSecond: number) => {
  const begun = performance.now()
  const answers: Array<Promise<void>> = []
  for (let index = 0; index < perSecond * seconds; index++) {
    const due = begun + (index * 1000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    answers.push(send(index))
  }
  await Promise.all(answers)
}

const sendConcurrently = async (concurrent: number) => {
  const end = performance.now() + seconds * 1000
  let sent = 0
  const sendInTurn = async () => {
    while (performance.now() < end) await send(sent++)
  }
  await Promise.all(Array.from({ length: concurrent }, sendInTurn))
}

process.once("message", async () => {
  await (attack.kind === "sign-ins" ? sendConcurrently(attack.concurrent) : sendAtRate(attack.perSecond))
  agent.destroy()
  process.send?.(JSON.stringify(codes), () => process.disconnect())
})
process.send?.("ready")
