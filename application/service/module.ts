import type { Option } from "effect"
import { Effect, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { HttpClient } from "effect/http"
import type { AuthError, CodeOf, CommonCode, ErrorClass } from "../../domain/errors.ts"
import type { RowEvents } from "../../domain/events/row-events.ts"
import type { SecurityEvent } from "../../domain/events/security-event.ts"
import type {
  Authenticator,
  ChallengeWaiver,
  ClaimsRequest,
  OpenedSession,
  Outcome,
  Reclaim,
  SessionAdditions,
} from "../../domain/policies.ts"
import type { DeliveryRefused } from "../../domain/ports/delivery.ts"
import type { Jose } from "../../domain/ports/jose.ts"
import type { PublicFetch } from "../../domain/ports/public-fetch.ts"
import type { Store, Write } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import type { TextHashes } from "../../domain/ports/text-hashes.ts"
import type { Phrase } from "../../domain/ports/texts.ts"
import type { CurrentSession } from "../../domain/sessions/caller.ts"
import type { StoredSession } from "../../domain/sessions/session.ts"
import type { Settings, SettingsValue } from "../../domain/settings.ts"
import type { Challenger } from "../../domain/sign-in/challenges.ts"
import type { StepUp } from "../../domain/sign-in/step-up.ts"
import type { Keys } from "../../domain/tokens/keys.ts"
import type { User } from "../../domain/users/user.ts"
import type { AnyEndpoint, ByName, Guard, Reply } from "./endpoint.ts"
import type { AnyEventStream } from "./event-stream.ts"
import type { AnyGraphField } from "./graph-field.ts"

/** The paths that a hook applies to: a list of exact paths, or all (`*`). */
type Paths = "*" | ReadonlyArray<`/${string}`>

/** Runs before or after the handler of these paths: rewrites the input or the reply, or fails instead with one of its `errors`. */
export type Hook<R> = {
  readonly on: Paths
  /** The errors that it adds to the endpoints at these paths. */
  readonly errors?: ReadonlyArray<ErrorClass>
} & (
  | { readonly before: (input: any, path: string) => Effect.Effect<unknown, AuthError, R> }
  | { readonly after: (reply: Reply<any>, path: string) => Effect.Effect<Reply<any>, AuthError, R> }
)

/**
 * Runs before every new session, for every sign-in method, and fails with the reason to refuse the user. It runs before the commit, so an
 * operation that changes its result must also write the user: otherwise a concurrent sign-in could pass.
 */
export type Gate<R> = (user: User) => Effect.Effect<void, AuthError, R>

/** A kind of factor that users add to their account. A user with one needs a recent proof for sensitive changes. */
export interface Factor<out R> {
  /** Whether it is a second factor: then only proofs by several factors count. */
  readonly second: boolean
  readonly isHeldBy: (userId: string) => Effect.Effect<boolean, never, R>
}

/** A kind of linked account. */
interface AccountKind {
  readonly provider_id: string
  /** Its name in mails: a text of the catalogs, or a name that is the same in all languages. */
  readonly label: Phrase | string
  /** Whether it is a second factor: a password reset of a verified account never removes it. */
  readonly isFactor: boolean
}

/**
 * Runs before a user is removed: returns the writes for the same commit, or fails with the reason to keep the user. Rows that reference the
 * user are removed in any case.
 */
type UserRemovalHook<R> = (user: User) => Effect.Effect<ReadonlyArray<Write>, AuthError, R>

/** Whether the user's session in a sign-in request is kept in addition to the new one. It ends unless a module keeps it. */
export type SessionKeeper<R> = (credential: string) => Effect.Effect<boolean, never, R>
/** What `doctor` reports about a module's settings. A warning is also logged at the start, and makes `doctor` fail. */
export interface Finding {
  readonly severity: "note" | "warning"
  readonly text: string
}

/** Another way than the cookie to send a session's credential. */
export interface SessionTransport {
  /** The credential in a request's header fields; read if there is no cookie. */
  readonly read: (header: (name: string) => string | undefined) => string | null
  /** The header field that returns a new credential; pages of trusted origins may read it. */
  readonly field: string
}

/**
 * Adds writes to the commit that opens a session, and cookies to its response. It may run more than once for one session, so it commits
 * nothing itself. Its writes must not insert a unique value that another row can have. With the proof `registration` they must not update
 * rows of `authenticators`, which the same commit may remove.
 */
export type SessionOpened<R> = (opened: OpenedSession) => Effect.Effect<SessionAdditions, never, R>

/** The claims about a user that clients of the identity provider get, as values of JSON. */
type UserClaims<R> = (requested: ClaimsRequest) => Effect.Effect<Readonly<Record<string, unknown>>, never, R>

/** Adds writes to the commits that record a proof of identity in a session. */
type IdentityProved<R> = (session: StoredSession) => Effect.Effect<ReadonlyArray<Write>, never, R>

/** Adds writes to the commits that end sessions of a user. */
type SessionEnded<R> = (user_id: string) => Effect.Effect<ReadonlyArray<Write>, never, R>

/**
 * Delivers a message of the outbox to another service. The outbox repeats a refused delivery unless the refusal is permanent, and interrupts
 * one after 30 seconds. A message can arrive more than once.
 */
export type Channel = (text: string) => Effect.Effect<void, DeliveryRefused, ChannelServices>

/** What a channel can use. It has no caller. */
export type ChannelServices = HttpClient.HttpClient | Jose | Keys | PublicFetch | SecureRandom.SecureRandom | Settings | Store | TextHashes

/**
 * Refuses a new password: returns the sentence that says why, which the caller receives with `invalid_request`. It never contains the
 * password. The user is null at a sign-up. Passwords of imported users are not checked.
 */
export type PasswordRule<R> = (password: string, user: User | null) => Effect.Effect<Option.Option<string>, never, R>

/** Adds writes to the commit that changes, sets or resets the password of a user. It may run more than once, so it commits nothing itself. */
export type PasswordChanged<R> = (user: User) => Effect.Effect<ReadonlyArray<Write>, never, R>

/** Receives the outcome of an operation. Its failures are logged; the response waits for it. */
export type Observer<R> = (outcome: Outcome) => Effect.Effect<void, unknown, R>

/**
 * Returns the writes that store these security events. They are committed with the writes that caused the events, or on their own for
 * refused calls. It may run more than once, so it commits nothing itself, and its writes must not insert a unique value that another row
 * can have.
 */
export type Recorded<R> = (events: ReadonlyArray<SecurityEvent>) => Effect.Effect<ReadonlyArray<Write>, never, R>

/** Work that runs again and again while the service runs, in every process on the store. */
export interface Background<out R> {
  /** Milliseconds between two rounds. */
  readonly every: number
  readonly run: Effect.Effect<unknown, never, R>
}

/** A number that a module reports as a metric, sampled every 15 seconds in every process. */
export interface Gauge<out R> {
  /** In the format of Prometheus, such as `sallyport_webhooks_disabled`. */
  readonly name: string
  readonly description: string
  readonly run: Effect.Effect<number, never, R>
}

/** Every part that a module can have, with its default. */
const noParts = {
  tables: [] as ReadonlyArray<AnyTable>,
  /** Authorizes the caller of each endpoint of the module, all of which need a session, before the input is decoded. */
  guard: undefined as Guard<any> | undefined,
  endpoints: [] as ReadonlyArray<AnyEndpoint>,
  graphFields: [] as ReadonlyArray<AnyGraphField>,
  /** Streams of events: the subscriptions of GraphQL. */
  streams: [] as ReadonlyArray<AnyEventStream>,
  hooks: [] as ReadonlyArray<Hook<any>>,
  gates: [] as ReadonlyArray<Gate<any>>,
  /** The errors that the gates fail with. */
  gateErrors: [] as ReadonlyArray<ErrorClass>,
  challenge: undefined as Challenger<any> | undefined,
  challengeWaivers: [] as ReadonlyArray<ChallengeWaiver<any>>,
  passwordRules: [] as ReadonlyArray<PasswordRule<any>>,
  passwordChanged: (() => Effect.succeed([])) as PasswordChanged<any>,
  /**
   * Adds writes to every commit that removes the second factor of a user and keeps the user. For the removal of the user, use
   * `beforeUserRemoval`. It may run more than once, so it commits nothing itself. The commit already writes the user.
   */
  secondFactorRemoved: (() => Effect.succeed([])) as PasswordChanged<any>,
  /**
   * Adds writes to the commit that ends all sessions of a user, or all but one: they end access that does not end with a session, such as
   * refresh tokens. It may run more than once, so it commits nothing itself.
   */
  sessionsRevoked: (() => Effect.succeed([])) as PasswordChanged<any>,
  /**
   * Adds writes to every commit that ends sessions of a user, also a single one; not at the expiry of a session, nor with the user
   * (`beforeUserRemoval`). It may run more than once, so it commits nothing itself.
   */
  sessionEnded: (() => Effect.succeed([])) as SessionEnded<any>,
  /** Receives messages of the outbox, by the name of their channel (`Outbox.post`). */
  channels: {} as Readonly<Record<string, Channel>>,
  /**
   * Adds claims to ID tokens and userinfo of the identity provider, by the scopes of the client. It replaces no claim of the standards.
   * Names that other services could use for something else should be URLs.
   */
  userClaims: (() => Effect.succeed({})) as UserClaims<any>,
  sessionOpened: (() => Effect.succeed({ writes: [] })) as SessionOpened<any>,
  /**
   * Adds writes to every commit in which a session gets a new proof of its user's identity: a sign-in or a step-up, and no hand-off, which
   * copies an earlier proof. It may run more than once, so it commits nothing itself.
   */
  identityProved: (() => Effect.succeed([])) as IdentityProved<any>,
  observe: undefined as Observer<any> | undefined,
  /** The security events that follow from changes of rows; modules with `recorded` store them. */
  rowEvents: [] as ReadonlyArray<RowEvents>,
  recorded: undefined as Recorded<any> | undefined,
  background: [] as ReadonlyArray<Background<any>>,
  gauges: [] as ReadonlyArray<Gauge<any>>,
  /** Runs at `secret rotate`, after the stored values are encrypted under the first secret. It may run again. */
  secretRotated: Effect.void as Effect.Effect<unknown, never, any>,
  /** The tables whose rows are removed when a never-verified account returns to the owner of its address (`verified-email.ts`). */
  authenticators: [] as ReadonlyArray<Authenticator>,
  accountKinds: [] as ReadonlyArray<AccountKind>,
  /** Called when a never-verified account returns to the owner of its address. */
  reclaims: [] as ReadonlyArray<(user: User) => Effect.Effect<Reclaim, never, any>>,
  factor: undefined as Factor<any> | undefined,
  /** Proofs for `POST /step-up`, by the names of their members in its input. */
  stepUps: {} as Readonly<Record<string, StepUp<any>>>,
  isAdministrator: (() => Effect.succeed(false)) as (user: User) => Effect.Effect<boolean, never, any>,
  /** Whether administrators without a factor are refused. */
  administratorsNeedFactor: false as boolean,
  beforeUserRemoval: [] as ReadonlyArray<UserRemovalHook<any>>,
  /** The errors that `beforeUserRemoval` fails with. */
  removalErrors: [] as ReadonlyArray<ErrorClass>,
  sessionTransports: [] as ReadonlyArray<SessionTransport>,
  keepers: [] as ReadonlyArray<SessionKeeper<any>>,
  /** Addresses that give their user rights: a user can change to one only by proving the mailbox. */
  confirmedAddresses: [] as ReadonlyArray<string>,
  /** Warnings and notes about these settings, in addition to those of the core. */
  findings: (() => []) as (core: SettingsValue) => ReadonlyArray<Finding>,
}
type AllParts = Readonly<typeof noParts>

/** The parts that a module declares; the others have their defaults. */
type Parts = Partial<AllParts>

/** A module with its settings. */
export interface Module<out Es extends Readonly<Record<string, AnyEndpoint>>, out R> extends Omit<AllParts, "endpoints" | "guard"> {
  readonly name: string
  /** By their names. */
  readonly endpoints: Es
  readonly "~needs": R | undefined
}
export type AnyModule = Module<any, any>

type NeedsOfEndpoints<Es> = {
  [E in keyof Es]: Es[E] extends { handler: (input: any) => Effect.Effect<any, any, infer R> } ? R : never
}[keyof Es]
export type Needs<M> = M extends Module<infer Es, infer R> ? R | NeedsOfEndpoints<Es> : never

/** The members of parts that are effects or return them. */
type Runs = "after" | "ask" | "before" | "check" | "isHeldBy" | "load" | "prove" | "run" | "waives"

/** The codes that an effect, or the effect that a function returns, fails with. Unknown ones (`string`) are checked at run time only. */
type CodeOfPart<A> = A extends (...given: any) => Effect.Effect<any, infer E, any>
  ? E extends { readonly _tag: infer Code extends string }
    ? string extends Code
      ? never
      : Code
    : never
  : never
type Listed<P, Member extends string> = P extends { readonly [M in Member]: ReadonlyArray<infer E extends ErrorClass> } ? CodeOf<E> : never
type MemberOf<P, Member extends string> = P extends { readonly [M in Member]: ReadonlyArray<infer A> } ? A : never
type UndeclaredByHook<H> = H extends unknown ? Exclude<CodeOfPart<H[keyof H & ("after" | "before")]>, Listed<H, "errors">> : never

/** The codes that parts fail with and do not declare. */
type Undeclared<P> = Exclude<
  | Exclude<CodeOfPart<MemberOf<P, "gates">>, Listed<P, "gateErrors">>
  | Exclude<CodeOfPart<MemberOf<P, "beforeUserRemoval">>, Listed<P, "removalErrors">>
  | UndeclaredByHook<MemberOf<P, "hooks">>,
  CommonCode
>

/** Fails to compile with the codes that are missing in `gateErrors`, `removalErrors`, or the `errors` of a hook. */
type DeclaresErrors<P> = [Undeclared<P>] extends [never] ? unknown : { readonly parts: { readonly undeclared: Undeclared<P> } }

/** The services that a part needs. */
type NeedsOfPart<A> =
  A extends Effect.Effect<any, any, infer R>
    ? R
    : A extends (...given: any) => infer B
      ? NeedsOfPart<B>
      : A extends ReadonlyArray<infer B>
        ? NeedsOfPart<B>
        : A extends { readonly [Member in Runs]?: unknown }
          ? NeedsOfPart<A[keyof A & Runs]>
          : never
type NeedsOfParts<P> =
  | NeedsOfPart<P[Exclude<keyof P, "tables" | "endpoints" | "authenticators" | "guard" | "rowEvents" | "stepUps" | "channels">]>
  | NeedsOfGuard<P>
  | NeedsOfStepUps<P>
type NeedsOfGuard<P> = P extends { readonly guard: infer Guard } ? Exclude<NeedsOfPart<Guard>, CurrentSession> : never
type NeedsOfStepUps<P> = P extends { readonly stepUps: infer All } ? NeedsOfPart<All[keyof All]> : never
type EndpointsOf<P> = P extends { readonly endpoints: infer Es extends ReadonlyArray<AnyEndpoint> } ? ByName<Es> : Record<never, never>

/** A feature. Its name is its key under `modules` in the configuration. */
export interface Definition<S, Es extends Readonly<Record<string, AnyEndpoint>>, R> {
  readonly name: string
  readonly settings: Schema.Codec<S, any>
  /** Faults that the schema cannot find: in the combination of these settings, or of these with other settings. */
  readonly faults: (settings: S, rest: Rest) => ReadonlyArray<Fault>
  readonly build: (settings: S) => Module<Es, R>
}

/**
 * The settings that the faults of a module also depend on: those of the core, those of the other enabled modules, and how SMS are sent, if
 * it is known.
 */
export type Rest = SettingsValue & { readonly modules?: Readonly<Record<string, unknown>>; readonly sms?: { readonly kind: string } }

/** An invalid setting: its path below the module's settings, and the expected value. */
export interface Fault {
  readonly path: ReadonlyArray<string | number>
  readonly wanted: string
}
export type AnyDefinition = Definition<any, any, any>

/** Declares a feature in one value: its settings with defaults, and the parts that it has with given settings. */
export const define = <S, const P extends Parts>(
  feature: {
    readonly name: string
    readonly settings: Schema.Codec<S, any>
    readonly faults?: (settings: S, rest: Rest) => ReadonlyArray<Fault>
    readonly parts: (settings: S) => P
  } & DeclaresErrors<P>,
): Definition<S, EndpointsOf<P>, NeedsOfParts<P>> => ({
  name: feature.name,
  settings: feature.settings,
  faults: feature.faults ?? (() => []),
  build: (settings) => {
    const parts = feature.parts(settings)
    // A misspelt name, such as `gate`, would otherwise be ignored, and users admitted whom the gate has to refuse.
    const unknownPart = Object.keys(parts).find((part) => !Object.hasOwn(noParts, part))
    if (unknownPart !== undefined) throw new Error(`the module ${feature.name} declares ${unknownPart}, which is not a part of a module`)
    const { guard, endpoints, ...others } = { ...noParts, ...parts }
    return { ...others, name: feature.name, endpoints: byName(feature.name, endpoints, guard), "~needs": undefined } as Module<any, any>
  },
})

/** The endpoints of a module, each behind the module's guard. Throws if two endpoints have the same name: the record would drop one. */
const byName = (module: string, endpoints: ReadonlyArray<AnyEndpoint>, guard: AllParts["guard"]) => {
  const record: Record<string, AnyEndpoint> = {}
  for (const endpoint of endpoints) {
    const { name } = endpoint
    if (Object.hasOwn(record, name)) throw new Error(`the module ${module} declares two endpoints with the name ${name}`)
    record[name] = guard === undefined ? endpoint : guarded(module, endpoint, guard)
  }
  return record
}

const guarded = (module: string, endpoint: AnyEndpoint, { errors, check }: Guard<any>): AnyEndpoint => {
  if (endpoint.access !== "session") throw new Error(`the module ${module} has a guard, and its endpoint ${endpoint.name} needs no session`)
  const own = endpoint.guard
  const both = own === undefined ? { errors, check } : { errors: [...errors, ...own.errors], check: Effect.andThen(check, own.check) }
  return { ...endpoint, guard: both, errors: [...errors, ...endpoint.errors] }
}

/** The settings of a feature without any. A struct without fields would accept every value. */
export const NoSettings = Schema.Struct({}).check(
  Schema.makeFilter((value) => typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0, {
    expected: "{}, since there is nothing to set",
  }),
)
