import { type Effect, Schema } from "effect"
import { needsProof } from "../../domain/administration/permissions.ts"
import type { CurrentPrincipal, Needed } from "../../domain/administration/principal.ts"
import type { Writer } from "../../domain/attributes/attributes.ts"
import {
  type AuthError,
  type CodeOf,
  type CommonCode,
  type DeclaredError,
  type ErrorClass,
  Forbidden,
  type GateCode,
  InvalidRequest,
  type RemovalCode,
  SessionNotFresh,
} from "../../domain/errors.ts"
import type { NeededInOrganization, OrganizationCaller } from "../../domain/organizations/acting.ts"
import type { Certificates } from "../../domain/ports/certificates.ts"
import type { Jose } from "../../domain/ports/jose.ts"
import type { PublicFetch } from "../../domain/ports/public-fetch.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { TextHashes } from "../../domain/ports/text-hashes.ts"
import type { CurrentSession } from "../../domain/sessions/caller.ts"
import type { AuthenticationMethod, Issued, SignIn, SignsIn } from "../../domain/sessions/sign-in.ts"
import type { Cookie } from "../../domain/sessions/signed-cookie.ts"
import type { Settings } from "../../domain/settings.ts"
import type { Keys } from "../../domain/tokens/keys.ts"
import { type WithReason, withReason } from "./reasons.ts"

/** A handler's result: the body, the effect on the caller's session, and cookies. */
export interface Reply<out A, out S extends SignIn = Issued> {
  readonly body: A
  readonly session: S | "clear" | "keep"
  readonly cookies?: ReadonlyArray<Cookie>
  /** What the response over HTTP contains in place of the body as JSON. */
  readonly text?: Text
  /** Further header fields of the response over HTTP. */
  readonly fields?: Readonly<Record<string, string>>
  /** The target of a redirect of the caller's browser. */
  readonly location?: string
  /** Whether the body is the challenge of a module, in place of the endpoint's own. */
  readonly isChallenge?: boolean
  /** Where the browser is to go after the challenge. */
  readonly target?: string
}

/** A response of another media type. */
export interface Text {
  readonly type: string
  readonly content: string
  readonly headers?: Readonly<Record<string, string>>
}

export const reply = <const A, const S extends SignIn | "clear" | "keep" = "keep">(body: A, session: S = "keep" as S) =>
  ({ body, session }) as Reply<A, Extract<S, SignIn>>

/** Whether an endpoint requires a valid session, a session or a key of an organization, or a caller with a permission; null: with any. */
type Access = "public" | "session" | "member" | Needed

/** What the caller of an endpoint provides. */
type Provided<A extends Access> = A extends "public"
  ? never
  : A extends "session"
    ? CurrentSession
    : A extends "member"
      ? OrganizationCaller
      : CurrentPrincipal

/**
 * How an endpoint of another protocol (OAuth, JOSE) differs. Redirected browsers and other software call it over HTTP, even if the REST
 * shell is disabled. Other shells expose it only with `isOperation`.
 */
export interface Protocol {
  /** Whether the body may be a form. A repeated parameter is a list. */
  readonly form?: boolean
  /** Whether pages of any origin may call it. It then gets no session and no cookies. */
  readonly anyOrigin?: boolean
  /** Whether pages of any origin may navigate a browser here with links and forms. They cannot read the response. */
  readonly navigable?: boolean
  /** Whether other shells expose it too. */
  readonly isOperation?: boolean
  /** Seconds for which clients and proxies may keep a successful response. Without it they must not. */
  readonly maxAge?: number
  /** Whether a success creates a resource: the status is then 201. */
  readonly created?: boolean
  /** The media type of successes that contain a `text`. */
  readonly text?: string
  /** Further paths, from the root of the host. `{base_path}` is replaced by that of the service. */
  readonly aliases?: ReadonlyArray<`/${string}`>
  /** The header field with the certificate of the TLS client, which counts only from trusted proxies (RFC 8705). Null: no certificates. */
  readonly certificateField?: string | null
  /** The client with a verified secret in the request, which has its own request budget. Null without one. */
  readonly client?: (request: {
    readonly authorization: string | null
    readonly client_certificate: string | null
    readonly body: unknown
  }) => Effect.Effect<string | null, never, Certificates | Jose | Keys | PublicFetch | Settings | Store | TextHashes>
  /** An error in the protocol's format; the envelope if undefined. `form`: whether the request's body was a form. */
  readonly refusal?: (error: AuthError, request: { readonly form: boolean; readonly authorization: string | null }) => Refusal | undefined
}
export interface Refusal {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** The method over HTTP. Only endpoints of other protocols use `PUT` and `DELETE`. */
export type Method = "GET" | "POST" | "PUT" | "DELETE"

type Path = `/${string}`

type Joined<Text extends string, Separator extends string> = Text extends `${infer Head}${Separator}${infer Tail}`
  ? `${Head}${Joined<Capitalize<Tail>, Separator>}`
  : Text
/** The name of the endpoint at a path: `/sign-in/email` has the name `signInEmail`. */
type NameOf<P extends Path> = P extends `/${infer Rest}` ? Joined<Joined<Rest, "/">, "-"> : never
const nameOf = <P extends Path>(path: P) => path.slice(1).replace(/[/-]+(.)/g, (_, first: string) => first.toUpperCase()) as NameOf<P>

/** The codes that a handler can fail with although its endpoint does not list them. */
type ImpliedCode<A extends Access, Gated extends boolean, Removes extends boolean> =
  | CommonCode
  | (Gated extends true ? GateCode : never)
  | (A extends "public" ? never : "unauthorized")
  | (A extends string ? never : "forbidden")
  | (Removes extends true ? RemovalCode : never)

/** Authorizes callers before the input is decoded, so that validation errors reveal nothing to unauthorized callers. */
export interface Guard<out R> {
  readonly errors: ReadonlyArray<DeclaredError>
  readonly check: Effect.Effect<void, AuthError, R>
}

/**
 * Declares a guard with the errors that it fails with, in addition to those of every endpoint. The endpoints behind it need not declare
 * them.
 */
export const guard = <const Errors extends ReadonlyArray<DeclaredError>, R>(
  errors: Errors,
  check: Effect.Effect<void, AuthError<CodeOf<Errors[number]> | CommonCode>, R>,
): Guard<R> => ({ errors, check })

/** Where the input of an endpoint gets the configured attributes, and who sends it. */
export interface TakesAttributes {
  readonly from: Exclude<Writer, "private">
  /** Undefined: they are those of a user. */
  readonly of?: "organization" | "member"
  /** The member of the input that has them; undefined: the input itself. */
  readonly in?: "changes"
}

/** One operation of the service. Shells are derived from this value alone. */
export interface Endpoint<I, O, R, out Name extends string = string> {
  /** The key in the records of endpoints, and the name of the GraphQL field. */
  readonly name: Name
  readonly method: Method
  readonly path: Path
  readonly summary: string
  readonly access: Access
  readonly input: Schema.Codec<I, any>
  readonly output: Schema.Codec<O, any>
  /** The errors in addition to those of every endpoint. */
  readonly errors: ReadonlyArray<DeclaredError>
  /** The error for input that cannot be decoded. The handler can fail with it too. */
  readonly invalid: ErrorClass
  readonly guard: Guard<R> | undefined
  /** What callers need in the organization that they name, where access is `member`. */
  readonly needed: NeededInOrganization | undefined
  readonly protocol: Protocol | undefined
  /** How users authenticate here; undefined if the endpoint starts no session. */
  readonly signsIn: SignsIn | undefined
  /** The methods that users authenticate by here, for the claim `amr` of ID tokens. */
  readonly methods: ReadonlyArray<AuthenticationMethod>
  /** Whether it can return a new session credential although it is not a sign-in. */
  readonly changesCredential: boolean
  /** Whether it reads the caller's session although it is public: its requests then count against the session. */
  readonly readsSession: boolean
  /** Whether its input gets a further member for each proof that modules define (`step-up.ts`). */
  readonly takesProofs: boolean
  /** Where its input gets the attributes of users that the configuration declares. */
  readonly attributes: TakesAttributes | undefined
  /** Whether the gates of modules can refuse its callers. Endpoints that sign in always pass them. */
  readonly passesGates: boolean
  /** Whether it removes users: it can then fail with the codes of the modules' `beforeUserRemoval`. */
  readonly removesUsers: boolean
  readonly impersonation: AdmitsImpersonation
  readonly handler: (input: I) => Effect.Effect<Reply<O, SignIn>, AuthError, R>
}
export type AnyEndpoint<R = any> = Endpoint<any, any, R>

/** Whether an administrator in the name of a user may call it: in both modes of an impersonation, only to `act`, or never. */
export type AdmitsImpersonation = "read" | "act" | "never"

/** A list of endpoints as a record by their names. */
export type ByName<Es extends ReadonlyArray<AnyEndpoint>> =
  Es extends ReadonlyArray<AnyEndpoint> ? { readonly [E in Es[number] as E["name"]]: E } : never

/**
 * Declares an operation. A handler does not compile if it fails with an undeclared code, starts a session without `signsIn`, passes
 * gates without it or `passesGates`, or removes a user without `removesUsers`.
 */
export const make = <
  O,
  const P extends Path,
  const A extends Access,
  R,
  I = typeof NoInput.Type,
  const Name extends string = NameOf<P>,
  const Errors extends ReadonlyArray<DeclaredError> = readonly [],
  Invalid extends ErrorClass = typeof InvalidRequest,
  G = never,
  S extends SignsIn | undefined = undefined,
  const Gated extends boolean = false,
  const Removes extends boolean = false,
  const Takes extends boolean = false,
>(endpoint: {
  readonly method: Method
  readonly path: P
  /** Replaces the name that follows from the path. */
  readonly name?: Name
  /** One sentence for the API documentation. */
  readonly summary: string
  readonly access: A
  /** Without it, the operation has no parameters. */
  readonly input?: Schema.Codec<I, any>
  readonly output: Schema.Codec<O, any>
  /**
   * The errors in addition to `invalid`, those of the guard, and those of every endpoint. List `invalid` too if it has another status here.
   */
  readonly errors?: Errors
  /** Replaces `invalid_request` for input that cannot be decoded. */
  readonly invalid?: Invalid
  readonly guard?: Guard<G>
  /** Use `forMembers`. */
  readonly needed?: NeededInOrganization
  readonly protocol?: Protocol
  /** How users authenticate here. The output then includes the challenges of modules (`auth.ts`). */
  readonly signsIn?: S
  /** The methods that users authenticate by here; none for those without a name in RFC 8176, such as a mailed link. */
  readonly methods?: ReadonlyArray<AuthenticationMethod>
  readonly changesCredential?: boolean
  readonly readsSession?: boolean
  readonly takesProofs?: boolean
  readonly attributes?: TakesAttributes
  readonly passesGates?: Gated
  readonly removesUsers?: Removes
  /**
   * Whether callers can say why, for the audit log only: where an administrator harms an account, gets a secret, or does what cannot be undone
   * or concerns many.
   */
  readonly takesReason?: Takes
  /** Default: `read` for a GET with a session and without a guard, otherwise `never`. A GET that returns credentials declares `never`. */
  readonly impersonation?: AdmitsImpersonation
  readonly handler: (
    input: I,
  ) => Effect.Effect<
    Reply<O, S extends SignsIn ? SignIn : Issued>,
    AuthError<CodeOf<Errors[number]> | CodeOf<Invalid> | ImpliedCode<A, S extends SignsIn ? true : Gated, Removes>>,
    R
  >
}): Endpoint<Takes extends true ? I & WithReason : I, O, Exclude<R | G, Provided<A>>, Name> => {
  const { takesReason = false, ...given } = endpoint
  const declared = takesReason ? { ...given, ...withReason({ input: NoInput, ...given }) } : given
  return {
    name: nameOf(endpoint.path),
    input: NoInput,
    invalid: InvalidRequest,
    guard: undefined,
    needed: undefined,
    protocol: undefined,
    signsIn: undefined,
    methods: [],
    changesCredential: false,
    readsSession: false,
    takesProofs: false,
    attributes: undefined,
    passesGates: endpoint.signsIn !== undefined,
    removesUsers: false,
    impersonation: endpoint.method === "GET" && isForUsers(endpoint.access) && endpoint.guard === undefined ? "read" : "never",
    ...declared,
    errors: errorsOf(declared),
  } as Endpoint<any, O, any, any>
}

/** Whether an endpoint is for users with a session. */
const isForUsers = (access: Access) => access === "session" || access === "member"

interface Declared {
  readonly access: Access
  readonly input?: Schema.Codec<any, any>
  readonly errors?: ReadonlyArray<DeclaredError>
  readonly invalid?: ErrorClass
  readonly guard?: Guard<any>
  readonly takesProofs?: boolean
}

/** All errors of an endpoint: what it declares, and what its guard and its input imply. */
const errorsOf = ({ access, input, errors = [], invalid = InvalidRequest, guard, takesProofs }: Declared): ReadonlyArray<DeclaredError> => {
  const isImplied = ((input ?? NoInput) !== NoInput || takesProofs === true) && !errors.some((declared) => classOf(declared) === invalid)
  const ofAccess = typeof access === "object" ? [Forbidden, ...(needsProof(access.permission) ? [SessionNotFresh] : [])] : []
  return [...ofAccess, ...(guard?.errors ?? []), ...(isImplied ? [invalid] : []), ...errors]
}

/** The class of a declared error, with any status at the endpoint. */
export const classOf = (declared: DeclaredError): ErrorClass => (typeof declared === "function" ? declared : declared[0])

/**
 * Whether requests count against the address even with a session. Otherwise each request to an endpoint that issues a credential would get
 * a new budget, and a request to an endpoint that never looks up the session could use the budget of an ended session.
 */
export const countsOnAddress = ({ access, signsIn, changesCredential, readsSession }: AnyEndpoint): boolean =>
  signsIn !== undefined || changesCredential || (access === "public" && !readsSession)

/** The status of an error at this endpoint. */
export const statusOf = (endpoint: AnyEndpoint, error: AuthError): number => {
  const own = endpoint.errors.find((declared) => Array.isArray(declared) && declared[0].code === error._tag)
  return Array.isArray(own) ? own[1] : error.status
}

/** The input of an operation without parameters. */
export const NoInput = Schema.Struct({})

/** The output of an operation without a result. */
export const Success = Schema.Struct({ success: Schema.Literal(true) }).annotate({ identifier: "Success" })
export const succeeded = { success: true } as const

/** The body of a redirect, which names its target too. */
export const Redirect = Schema.Struct({ redirect: Schema.String }).annotate({ identifier: "Redirect" })
