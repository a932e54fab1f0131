import type { Effect } from "effect"
import { Schema } from "effect"
import type { AuthError, CommonCode, DeclaredError, ErrorClass } from "../../domain/errors.ts"
import { InvalidRequest } from "../../domain/errors.ts"
import type { CurrentSession } from "../../domain/sessions/caller.ts"
import type { Cookie } from "../../domain/sessions/signed-cookie.ts"
import type { Issued, SignIn, SignsIn } from "../../domain/sign-in/sign-in.ts"
import type { Keys } from "../../domain/tokens/keys.ts"

/** What a handler answers: a body, what becomes of the caller's session, and values that their browser is to keep. */
export interface Reply<out A, out S extends SignIn = Issued> {
  readonly body: A
  readonly session: S | "clear" | "keep"
  readonly cookies?: ReadonlyArray<Cookie>
  /** Where the caller's browser goes from here. */
  readonly location?: string
}
export const reply = <const A, const S extends SignIn | "clear" | "keep" = "keep">(body: A, session: S = "keep" as S) =>
  ({ body, session }) as Reply<A, Extract<S, SignIn>>

type CodeOf<E extends DeclaredError> =
  E extends ErrorClass<infer Code> ? Code : E extends readonly [ErrorClass<infer Code>, number] ? Code : never

/** Who may call: anybody, or only callers with a valid session. */
type Access = "public" | "session"

/**
 * How an endpoint differs that another protocol describes (OAuth, JOSE): browsers on their way and other software call it over HTTP,
 * also where the REST shell is off and from links on other sites, and it is no operation of any other shell.
 */
export interface Protocol {
  /** Whether a body may be a form. A parameter that is given twice is a list. */
  readonly form?: boolean
  /** Whether pages of any origin may call it, without credentials. It then sees no session and no cookie. */
  readonly anyOrigin?: boolean
  /** Whether pages of any origin may send a browser here, as links and forms do. They see nothing of the answer. */
  readonly navigable?: boolean
  /** Whether other shells have it as an operation as well. */
  readonly isOperation?: boolean
  /** A further path, from the root of the host; `{base_path}` in it is that of the service. */
  readonly alias?: `/${string}`
  /** The client whose secret a request carries, which has a budget of requests of its own. Null unless the secret was verified. */
  readonly client?: (request: {
    readonly authorization: string | null
    readonly body: unknown
  }) => Effect.Effect<string | null, never, Keys>
  /** An error in the protocol's words; the envelope where there are none. `form`: the request's body was one. */
  readonly refusal?: (error: AuthError, asked: { readonly form: boolean; readonly authorization: string | null }) => Refusal | undefined
}
export interface Refusal {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/**
 * One operation of the service. Shells are read off this value: the REST route
 * knows nothing that does not stand here.
 */
export interface Endpoint<I, O, R> {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
  readonly summary: string
  readonly access: Access
  readonly input: Schema.Codec<I, any>
  readonly output: Schema.Codec<O, any>
  readonly errors: ReadonlyArray<DeclaredError>
  /** What input that cannot be decoded is answered with. */
  readonly invalid: ErrorClass
  /** Who may call is decided before the input is looked at. */
  readonly guard: Effect.Effect<void, AuthError, R> | undefined
  readonly protocol: Protocol | undefined
  /** How those prove who they are to whom it gives a new session; none where it gives none. */
  readonly signsIn: SignsIn | undefined
  /** Whether it can answer with another session credential than the caller's and is no sign-in. */
  readonly changesCredential: boolean
  /** Whether it looks the caller's session up although it is public: its requests count on the session. */
  readonly readsSession: boolean
  /** Whether its input has a further member for each proof that modules bring (`step-up.ts`). */
  readonly takesProofs: boolean
  readonly handler: (input: I) => Effect.Effect<Reply<O, SignIn>, AuthError, R>
}
export type AnyEndpoint<R = any> = Endpoint<any, any, R>

/**
 * Declares an operation. A handler that fails with a code it does not declare does not compile, nor does one that signs
 * somebody in and does not say so (`signsIn`).
 */
export const make = <
  I,
  O,
  const Errors extends ReadonlyArray<DeclaredError>,
  const A extends Access,
  R,
  G = never,
  S extends SignsIn | undefined = undefined,
>(endpoint: {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
  /** One sentence for people who read the API's documentation. */
  readonly summary: string
  readonly access: A
  readonly input: Schema.Codec<I, any>
  readonly output: Schema.Codec<O, any>
  readonly errors: Errors
  /** Answered instead of `invalid_request` when the input cannot be decoded. */
  readonly invalid?: ErrorClass<CodeOf<Errors[number]>>
  /** Refuses callers before the input is decoded, so that strangers learn nothing from its faults. */
  readonly guard?: Effect.Effect<void, AuthError<CodeOf<Errors[number]> | CommonCode>, G>
  readonly protocol?: Protocol
  /** What whoever gets a new session here has proved; what a module may ask for first is then part of the output (`auth.ts`). */
  readonly signsIn?: S
  readonly changesCredential?: boolean
  readonly readsSession?: boolean
  readonly takesProofs?: boolean
  readonly handler: (
    input: I,
  ) => Effect.Effect<Reply<O, S extends SignsIn ? SignIn : Issued>, AuthError<CodeOf<Errors[number]> | CommonCode>, R>
}): Endpoint<I, O, A extends "session" ? Exclude<R | G, CurrentSession> : R | G> =>
  ({
    invalid: InvalidRequest,
    guard: undefined,
    protocol: undefined,
    signsIn: undefined,
    changesCredential: false,
    readsSession: false,
    takesProofs: false,
    ...endpoint,
  }) as Endpoint<I, O, any>

/**
 * Whether requests count on the address even with a session. An endpoint that answers with a new credential would otherwise give a new
 * budget with each request, and one that never looks the session up would accept the budget of a session that has ended.
 */
export const countsOnAddress = ({ access, signsIn, changesCredential, readsSession }: AnyEndpoint): boolean =>
  signsIn !== undefined || changesCredential || (access === "public" && !readsSession)

/** The status an error has at this endpoint. */
export const statusOf = (endpoint: AnyEndpoint, error: AuthError): number => {
  const own = endpoint.errors.find((declared) => Array.isArray(declared) && declared[0].code === error._tag)
  return Array.isArray(own) ? own[1] : error.status
}

/** The input of an operation that takes none. */
export const NoInput = Schema.Struct({})

/** The output of an operation that has nothing to tell. */
export const Success = Schema.Struct({ success: Schema.Literal(true) }).annotate({ identifier: "Success" })
export const succeeded = { success: true } as const
