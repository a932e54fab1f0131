import type { Prepared } from "./prepared.ts"
import type { Request } from "./requests.ts"
import { clientHeaders } from "./service.ts"

/** One kind of request that the benchmark measures. */
export interface Operation {
  readonly name: string
  readonly title: string
  /** The modules of the server that it needs. */
  readonly modules?: ReadonlyArray<string>
  readonly connections: number
  readonly requests: (prepared: Prepared) => Promise<ReadonlyArray<Request>>
  /** A text that each answer must contain; undefined if a request can be sent only once. */
  readonly expects?: string
  /** Whether equal requests get equal answers. */
  readonly isRepeatable?: true
  /** Runs before each round. */
  readonly refill?: (prepared: Prepared) => Promise<void>
  /** Not the server is measured, but a backend that verifies the server's tokens. */
  readonly isOfBackend?: true
  /** Whether it needs a database that the benchmark can write to while the server runs. */
  readonly needsOpenDatabase?: true
}

/** Connections of requests without and with a password hash. */
export const [fast, hashing] = [32, 8] as const

/** The prefix of the paths of endpoints. */
export const api = "/api/auth"

export const get = (path: string, cookie: string): Request => ({ method: "GET", path: `${api}${path}`, headers: { cookie } })
export const bearing = (path: string, token: string): Request => ({
  method: "GET",
  path: `${api}${path}`,
  headers: { authorization: `Bearer ${token}` },
})
/** A request with a body of JSON. */
export const post = (path: string, body: object, cookie?: string): Request => ({
  method: "POST",
  path,
  headers: { "content-type": "application/json", ...(cookie === undefined ? {} : { cookie }) },
  body: JSON.stringify(body),
})
/** A request of the client of the module `idp`. */
export const clientPost = (path: string, fields: Readonly<Record<string, string>>): Request => ({
  method: "POST",
  path: `${api}${path}`,
  headers: clientHeaders,
  body: new URLSearchParams(fields).toString(),
})
export const graphql = (query: string, cookie: string): Request => post("/graphql", { query }, cookie)
