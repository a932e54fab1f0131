import * as http from "node:http"
import * as https from "node:https"

/** An answer to a request; `status` is 0 if there was none. */
export interface Answer {
  readonly status: number
  /** The code of the error, or why there is no answer. */
  readonly fault: string | undefined
  /** The id of the request in the audit log. Undefined for answers of the balancer itself. */
  readonly requestId: string | undefined
  /** The instance that answered. */
  readonly servedBy: string | undefined
  readonly cookie: string | undefined
  readonly user: { readonly id: string } | null | undefined
}

const patience = 30_000
const unanswered = (fault: string): Answer => ({
  status: 0,
  fault,
  requestId: undefined,
  servedBy: undefined,
  cookie: undefined,
  user: undefined,
})

/** Sends requests over connections that stay open, by TLS if a certificate to trust is given. A request without a body is a GET. */
export const makeClient = (port: number, ca?: string) => {
  const agent = new (ca === undefined ? http : https).Agent({ keepAlive: true, scheduling: "lifo" })
  const { request } = ca === undefined ? http : https
  const send = (path: string, body: object | undefined, cookie: string | undefined) =>
    new Promise<Answer>((resolve) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
        ...(cookie === undefined ? {} : { cookie }),
        host: `localhost:${port}`,
      }
      const method = text === undefined ? "GET" : "POST"
      const options = {
        agent,
        ca,
        servername: "localhost",
        host: "127.0.0.1",
        port,
        path: `/api/auth${path}`,
        method,
        headers,
        timeout: patience,
      }
      const fail = (error: { readonly code?: string }) => resolve(unanswered(error.code ?? "no answer"))
      const sent = request(options, async (response) => {
        const parts = await response.toArray().catch(() => undefined)
        if (parts === undefined) return fail({ code: "half an answer" })
        const { statusCode: status = 0, headers } = response
        const [requestId, servedBy] = ["x-request-id", "x-served-by"].map((name) => headers[name]?.toString())
        const cookie = headers["set-cookie"]?.[0]?.split(";")[0]
        // The balancer answers with HTML.
        const { user, error } = requestId === undefined ? { error: { code: "balancer" } } : JSON.parse(Buffer.concat(parts).toString())
        resolve({ status, fault: error?.code, requestId, servedBy, cookie, user })
      })
      sent.once("timeout", () => sent.destroy(Object.assign(new Error("no answer"), { code: `no answer within ${patience} ms` })))
      sent.once("error", fail)
      sent.end(text)
    })
  return { send, close: () => agent.destroy() }
}
export type Client = ReturnType<typeof makeClient>
