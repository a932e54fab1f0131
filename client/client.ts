import { type CallOptions, send, type TokenStore } from "./http.ts"
import { gets, type Operations } from "./operations.ts"
import type { SessionOf } from "./session.ts"
import { makeSessionStore, type SessionStore } from "./session-store.ts"

export interface ClientOptions {
  /** The service's `public_url`; by default the origin of the page. */
  readonly baseUrl?: string
  /** The service's `base_path`. */
  readonly basePath?: string
  readonly fetch?: typeof globalThis.fetch
  /** Sends the session's token instead of cookies, for programs other than browsers. The service needs the module `bearer`. */
  readonly token?: TokenStore
  /** The paths of operations of further modules that are read by GET, as `sallyport types` writes them. */
  readonly gets?: ReadonlyArray<string>
}

export type Client<All = Operations> = All & { readonly $session: SessionStore<SessionOf> }

/** A client of the service. Operations are named by their path: `client.signUp.email(input)` sends `POST /sign-up/email`. */
export const createClient = <All = Operations>(options: ClientOptions = {}): Client<All> => {
  const { baseUrl = "", basePath = "/api/auth", fetch = (...args) => globalThis.fetch(...args), token } = options
  const url = baseUrl + basePath
  const read = new Set([...gets, ...(options.gets ?? [])])
  const call = (path: string, input?: object, each?: CallOptions) =>
    send({ url, fetch, token, onChange: () => store.changed() }, [read.has(path) ? "GET" : "POST", path], input, each)
  const store = makeSessionStore<SessionOf>(url, () => call("/get-session"))
  const at = (path: string): any =>
    new Proxy((input?: object, each?: CallOptions) => call(path, input, each), {
      get: (target, name) =>
        typeof name === "symbol" || builtIns.has(name) ? Reflect.get(Object.prototype, name, target) : at(`${path}/${kebab(name)}`),
    })
  return new Proxy({} as Client<All>, {
    get: (_, name) => (name === "$session" ? store : Reflect.get(at(""), name)),
  })
}

/** Members that JavaScript looks up on any value. They are not operations: otherwise printing or awaiting a client would send a request. */
const builtIns = new Set(["then", "toString", "toJSON", "valueOf"])

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
