import { createServer, type IncomingHttpHeaders } from "node:http"
import { text } from "node:stream/consumers"
import type { KeyManagementSettings } from "../../../adapters/key-management/adapters.ts"
import { freePort } from "../../free-port.ts"

/** A request that a stand-in received. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Speaks the HTTP API of a key management. */
export interface StandIn {
  readonly answer: (request: Received) => Reply
  /** Adds a version to the key. */
  readonly rotate: () => void
  /** Settings with which the stand-in accepts requests. */
  readonly settings: (origin: string) => Exclude<KeyManagementSettings, { readonly kind: "local" }>
  /** The same settings with credentials that it refuses. */
  readonly strangers: (origin: string) => Exclude<KeyManagementSettings, { readonly kind: "local" }>
}

/** A stand-in on a port of this machine. */
export const serve = async (standIn: StandIn) => {
  const requests: Array<Received> = []
  let fault: Partial<Reply> | "silence" | undefined
  const server = createServer(async (request, response) => {
    const { method = "", url: path = "", headers } = request
    const received = { method, path, headers, body: await text(request) }
    requests.push(received)
    if (fault === "silence") return
    const { status, body, headers: fields = {} } = { ...standIn.answer(received), ...fault }
    response.writeHead(status, { "content-type": "application/json", ...fields }).end(body)
  })
  const port = await freePort()
  const listen = () => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  await listen()
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    requests,
    origin: `http://127.0.0.1:${port}`,
    /** Answers with this, whatever the request is. */
    disturb: (by: Partial<Reply> | "silence" | undefined) => {
      fault = by
    },
    close,
    reopen: listen,
  }
}

export const json = (status: number, body: object): Reply => ({ status, body: JSON.stringify(body) })
