import { request } from "node:http"

/** The members of response bodies that these tests read. */
export interface Body {
  readonly user?: { readonly id: string; readonly email: string; readonly email_verified: boolean } | null
  readonly session?: { readonly id: string } | null
  readonly sessions?: ReadonlyArray<{ readonly id: string }>
  readonly accounts?: ReadonlyArray<{ readonly provider_id: string }>
  readonly success?: boolean
  readonly secret?: string
  readonly challenge_token?: string
  readonly key?: string
  readonly api_key?: { readonly id: string }
  readonly organization?: { readonly id: string }
  readonly members?: ReadonlyArray<{ readonly role: string }>
  readonly valid?: boolean
  readonly version?: string
  readonly status?: string
  readonly error?: { readonly code: string; readonly message: string }
}

export interface Answer {
  readonly status: number
  readonly body: Body
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The session as a browser would send it back. */
  readonly cookie: string | undefined
}

export interface Options {
  readonly cookie?: string | undefined
  readonly apiKey?: string
}

const patience = 30_000

/** Sends one request on a new connection, so that no connection of a killed process is used. With a body it is a POST, else a GET. */
export const send = (port: number, path: string, body: unknown, { cookie, apiKey }: Options): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
    }
    const method = text === undefined ? "GET" : "POST"
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, async (response) => {
      try {
        const parts = await response.toArray()
        const cookie = response.headers["set-cookie"]?.[0]?.split(";")[0]
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()), headers: response.headers, cookie })
      } catch (fault) {
        reject(fault)
      }
    })
    sent.setTimeout(patience, () => sent.destroy(new Error(`${path} gave no answer within ${patience} ms`)))
    sent.once("error", reject)
    sent.end(text)
  })
