import { Effect, Schema } from "effect"
import type { AuthError, ErrorClass } from "../../domain/errors.ts"
import type { Authenticator, OpenedSession, Outcome, Reclaim } from "../../domain/policies.ts"
import type { Write } from "../../domain/ports/store.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import type { Challenger } from "../../domain/sign-in/challenges.ts"
import type { StepUp } from "../../domain/sign-in/step-up.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import type { User } from "../../domain/users/user.ts"
import type { AnyEndpoint, Reply } from "./endpoint.ts"
import type { AnyGraphField } from "./graph-field.ts"

/** One exact path, several, or all. */
type Paths = "*" | ReadonlyArray<`/${string}`>

/** Runs before or after the handler of these paths: it may rewrite the input or the reply, or fail in their place. */
export type Hook<R> =
  | { readonly on: Paths; readonly before: (input: any, path: string) => Effect.Effect<unknown, AuthError, R> }
  | { readonly on: Paths; readonly after: (reply: Reply<any>, path: string) => Effect.Effect<Reply<any>, AuthError, R> }

/**
 * Stands in the way of every new session, whatever it is issued for: fails with the reason why this user gets none.
 * It is asked before the session is committed; whoever changes its answer also writes the user, so that nobody slips by.
 */
export type Gate<R> = (user: User) => Effect.Effect<void, AuthError, R>

/** A kind of factor that users add to their account. While they have one, sensitive changes need a recent proof. */
export interface Factor<out R> {
  /** Whether it is a second factor: then only proofs by several factors count. */
  readonly second: boolean
  readonly isHeldBy: (userId: string) => Effect.Effect<boolean, never, R>
}

/** A kind of linked account. */
interface AccountKind {
  readonly provider_id: string
  /** What mails call it. */
  readonly label: string
  /** Whether it is a second factor: a password reset of a verified account never removes those. */
  readonly isFactor: boolean
}

/**
 * Asked before a user is removed: the writes that have to be in the same commit, or the reason why they cannot go yet.
 * Rows that reference the user go with them anyway.
 */
type UserRemovalHook<R> = (user: User) => Effect.Effect<ReadonlyArray<Write>, AuthError, R>

/** Whether the session that a sign-in's request carries, of the same user, lives on beside the new one. It ends when no module keeps it. */
export type Keeper<R> = (credential: string) => Effect.Effect<boolean, never, R>
/** What `doctor` says of a module's settings. A warning is also logged at the start, and makes `doctor` fail. */
export interface Finding {
  readonly severity: "note" | "warning"
  readonly text: string
}

/** Another way than the cookie for a session's value to come and go. */
export interface SessionTransport {
  /** The value in a request's header fields; asked where there is no cookie. */
  readonly read: (header: (name: string) => string | undefined) => string | null
  /** The header field that takes a new value to the caller; pages of trusted origins may read it. */
  readonly field: string
}

/**
 * Adds writes to the commit that opens a session. It may run more than once for one session, so it commits nothing itself; its writes
 * claim no unique value that another row may hold.
 */
export type SessionOpened<R> = (opened: OpenedSession) => Effect.Effect<ReadonlyArray<Write>, never, R>

/** Sees what became of an operation, after it is decided. Its failures are logged, and the caller's answer waits for it. */
export type Observer<R> = (outcome: Outcome) => Effect.Effect<void, unknown, R>

/** Every part that a module can bring, with what stands for it where a module has none. */
const noParts = {
  tables: [] as ReadonlyArray<AnyTable>,
  endpoints: {} as Readonly<Record<string, AnyEndpoint>>,
  graphFields: [] as ReadonlyArray<AnyGraphField>,
  hooks: [] as ReadonlyArray<Hook<any>>,
  gates: [] as ReadonlyArray<Gate<any>>,
  /** What the gates refuse with. */
  gateErrors: [] as ReadonlyArray<ErrorClass>,
  challenge: undefined as Challenger<any> | undefined,
  sessionOpened: (() => Effect.succeed([])) as SessionOpened<any>,
  observe: undefined as Observer<any> | undefined,
  /** Removed when a never-verified account returns to the owner of its address (`verified-email.ts`). */
  authenticators: [] as ReadonlyArray<Authenticator>,
  accountKinds: [] as ReadonlyArray<AccountKind>,
  /** Run when a never-verified account returns to the owner of its address. */
  reclaims: [] as ReadonlyArray<(user: User) => Effect.Effect<Reclaim, never, any>>,
  factor: undefined as Factor<any> | undefined,
  /** By the name of their member in the input of `POST /step-up`. */
  stepUps: {} as Readonly<Record<string, StepUp<any>>>,
  isAdministrator: (() => Effect.succeed(false)) as (user: User) => Effect.Effect<boolean, never, any>,
  /** Whether administrators without a factor may administer nothing. */
  administratorsNeedFactor: false as boolean,
  beforeUserRemoval: [] as ReadonlyArray<UserRemovalHook<any>>,
  sessionTransports: [] as ReadonlyArray<SessionTransport>,
  keepers: [] as ReadonlyArray<Keeper<any>>,
  /** Addresses that give their user rights here: a user adopts one only by proving the mailbox. */
  confirmedAddresses: [] as ReadonlyArray<string>,
  /** What operators should know of these settings, beside those of the core. */
  findings: (() => []) as (core: SettingsValue) => ReadonlyArray<Finding>,
}
type AllParts = Readonly<typeof noParts>

/** What a module brings. Leaving the module out of the list removes all of it. */
type Parts = Partial<AllParts>

/** A module with its settings in place. */
export interface Module<out Es extends Readonly<Record<string, AnyEndpoint>>, out R> extends Omit<AllParts, "endpoints"> {
  readonly name: string
  readonly endpoints: Es
  readonly "~needs": R | undefined
}
export type AnyModule = Module<any, any>

type NeedsOfEndpoints<Es> = {
  [E in keyof Es]: Es[E] extends { handler: (input: any) => Effect.Effect<any, any, infer R> } ? R : never
}[keyof Es]
export type Needs<M> = M extends Module<infer Es, infer R> ? R | NeedsOfEndpoints<Es> : never

/** The members of parts that run effects. */
type Runs = "after" | "ask" | "before" | "isHeldBy" | "load" | "prove"

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
type NeedsOfParts<P> = NeedsOfPart<P[Exclude<keyof P, "tables" | "endpoints" | "authenticators" | "stepUps">]> | NeedsOfStepUps<P>
type NeedsOfStepUps<P> = P extends { readonly stepUps: infer All } ? NeedsOfPart<All[keyof All]> : never
type EndpointsOf<P> = P extends { readonly endpoints: infer Es extends Readonly<Record<string, AnyEndpoint>> } ? Es : Record<never, never>

/** A feature: its name is its key under `modules` in the configuration, `settings` what may stand there. */
export interface Definition<S, Es extends Readonly<Record<string, AnyEndpoint>>, R> {
  readonly name: string
  readonly settings: Schema.Codec<S, any>
  /** What is wrong with settings that are right each for itself, or beside the rest. */
  readonly faults: (settings: S, rest: Rest) => ReadonlyArray<Fault>
  readonly build: (settings: S) => Module<Es, R>
}

/** What settings are held against: the core's, and how short messages leave where that is known. */
export type Rest = SettingsValue & { readonly sms?: { readonly kind: string } }

/** A setting that cannot hold: where it stands under the module's own, and what is wanted there. */
export interface Fault {
  readonly path: ReadonlyArray<string | number>
  readonly wanted: string
}
export type AnyDefinition = Definition<any, any, any>

/** Declares a feature in one value: settings with their defaults, and what it brings under them. */
export const define = <S, const P extends Parts>(feature: {
  readonly name: string
  readonly settings: Schema.Codec<S, any>
  readonly faults?: (settings: S, rest: Rest) => ReadonlyArray<Fault>
  readonly parts: (settings: S) => P
}): Definition<S, EndpointsOf<P>, NeedsOfParts<P>> => ({
  name: feature.name,
  settings: feature.settings,
  faults: feature.faults ?? (() => []),
  build: (settings) => {
    const parts = feature.parts(settings)
    // A misspelt gate would let users in that it was written to refuse.
    const stranger = Object.keys(parts).find((part) => !Object.hasOwn(noParts, part))
    if (stranger !== undefined) throw new Error(`the module ${feature.name} brings ${stranger}, which is not a part of a module`)
    return { ...noParts, ...parts, name: feature.name, "~needs": undefined } as Module<any, any>
  },
})

/** The settings of a feature that has none. A struct without fields takes anything, so what stands there is looked at. */
export const NoSettings = Schema.Struct({}).check(
  Schema.makeFilter((value) => typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0, {
    expected: "{}, since there is nothing to set",
  }),
)
