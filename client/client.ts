import { type CallOptions, type OperationsOf, send, type TokenStore } from "./http.ts"
import { type Operations, operations as shipped } from "./operations.ts"
import type { SessionOf } from "./session.ts"
import { makeSessionStore, type SessionStore } from "./session-store.ts"

export interface ClientOptions<All = Operations> {
  /** The service's `public_url`; by default the origin of the page. */
  readonly baseUrl?: string
  /** The service's `base_path`. */
  readonly basePath?: string
  readonly fetch?: typeof globalThis.fetch
  /** Sends the session's token instead of cookies, for programs other than browsers. The service needs the module `bearer`. */
  readonly token?: TokenStore
  /** Those of your configuration, from the file that `sallyport types` writes. Default: all operations that Sallyport has. */
  readonly operations?: OperationsOf<All>
}

export type Client<All = Operations> = All & { readonly $session: SessionStore<SessionOf> }

/** A client of the service. Operations are named by their path: `client.signUp.email(input)` sends `POST /sign-up/email`. */
export const createClient = <All = Operations>(options: ClientOptions<All> = {}): Client<All> => clientOf(options)

/** A client; `isOneUsers` says that all who read `$session` are one user. */
export const clientOf = <All>(
  { baseUrl = "", basePath = "/api/auth", fetch = (...args) => globalThis.fetch(...args), token, operations }: ClientOptions<All>,
  isOneUsers?: boolean,
): Client<All> => {
  const url = baseUrl + basePath
  const read = new Set((operations ?? shipped).gets)
  const call = (path: string, input?: object, each?: CallOptions) =>
    send({ url, fetch, token, onChange: () => store.changed() }, [read.has(path) ? "GET" : "POST", path], input, each)
  const store = makeSessionStore<SessionOf>(url, () => call("/get-session"), isOneUsers)
  const at = (path: string): any =>
    new Proxy((input?: object, each?: CallOptions) => call(path, input, each), {
      get: (target, name) =>
        typeof name === "symbol" || builtIns.has(name) ? Reflect.get(Object.prototype, name, target) : at(`${path}/${kebab(name)}`),
    })
  return new Proxy({ $session: store } as Client<All>, {
    get: (own, name) => Reflect.get(Object.hasOwn(own, name) ? own : at(""), name),
  })
}

/** Members that JavaScript looks up on any value. They are not operations: otherwise printing or awaiting a client would send a request. */
const builtIns = new Set(["then", "toJSON", ...Object.getOwnPropertyNames(Object.prototype)])

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
