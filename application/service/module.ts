import { type Effect, Schema } from "effect"
import type { AuthError } from "../../domain/errors.ts"
import type { Write } from "../../domain/ports/store.ts"
import type { SettingsValue } from "../../domain/settings.ts"
import type { Authenticator } from "../../domain/sign-in/authenticators.ts"
import type { Challenger } from "../../domain/sign-in/challenges.ts"
import type { Reclaim } from "../../domain/sign-in/reclaims.ts"
import type { StepUp } from "../../domain/sign-in/step-up.ts"
import type { AnyTable } from "../../domain/storage/table.ts"
import type { User } from "../../domain/users/user.ts"
import type { AnyEndpoint, Reply } from "./endpoint.ts"
import type { AnyGraphField, GraphField } from "./graph-field.ts"

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

/** What a module brings. Leaving the module out of the list removes all of it. */
interface Parts<Es extends Readonly<Record<string, AnyEndpoint>>, R, C, F, P, A> {
  readonly tables?: ReadonlyArray<AnyTable>
  readonly endpoints?: Es
  readonly graphFields?: ReadonlyArray<GraphField<R>>
  readonly hooks?: ReadonlyArray<Hook<R>>
  readonly gates?: ReadonlyArray<Gate<R>>
  readonly challenge?: Challenger<C> | undefined
  /** Removed when a never-verified account returns to the owner of its address (`verified-email.ts`). */
  readonly authenticators?: ReadonlyArray<Authenticator>
  readonly accountKinds?: ReadonlyArray<AccountKind>
  /** Run when a never-verified account returns to the owner of its address. */
  readonly reclaims?: ReadonlyArray<(user: User) => Effect.Effect<Reclaim, never, R>>
  readonly factor?: Factor<F>
  /** By the name of their member in the input of `POST /step-up`. */
  readonly stepUps?: Readonly<Record<string, StepUp<P>>>
  readonly isAdministrator?: (user: User) => Effect.Effect<boolean, never, A>
  /** Whether administrators without a factor may administer nothing. */
  readonly administratorsNeedFactor?: boolean
  readonly beforeUserRemoval?: ReadonlyArray<UserRemovalHook<R>>
  readonly sessionTransports?: ReadonlyArray<SessionTransport>
  readonly keepers?: ReadonlyArray<Keeper<R>>
  /** Addresses that give their user rights here: a user adopts one only by proving the mailbox (`confirmed-addresses.ts`). */
  readonly confirmedAddresses?: ReadonlyArray<string>
  /** What operators should know of these settings, beside those of the core. */
  readonly findings?: (core: SettingsValue) => ReadonlyArray<Finding>
}

/** A module with its settings in place. */
export interface Module<out Es extends Readonly<Record<string, AnyEndpoint>>, out R> {
  readonly name: string
  readonly tables: ReadonlyArray<AnyTable>
  readonly endpoints: Es
  readonly graphFields: ReadonlyArray<AnyGraphField>
  readonly hooks: ReadonlyArray<Hook<any>>
  readonly gates: ReadonlyArray<Gate<any>>
  readonly challenge: Challenger<any> | undefined
  readonly authenticators: ReadonlyArray<Authenticator>
  readonly accountKinds: ReadonlyArray<AccountKind>
  readonly reclaims: ReadonlyArray<(user: User) => Effect.Effect<Reclaim, never, any>>
  readonly factor: Factor<any> | undefined
  readonly stepUps: Readonly<Record<string, StepUp<any>>>
  readonly administratorsNeedFactor: boolean
  readonly isAdministrator: ((user: User) => Effect.Effect<boolean, never, any>) | undefined
  readonly beforeUserRemoval: ReadonlyArray<UserRemovalHook<any>>
  readonly sessionTransports: ReadonlyArray<SessionTransport>
  readonly keepers: ReadonlyArray<Keeper<any>>
  readonly confirmedAddresses: ReadonlyArray<string>
  readonly findings: (core: SettingsValue) => ReadonlyArray<Finding>
  readonly "~needs": R | undefined
}
export type AnyModule = Module<any, any>

type NeedsOfEndpoints<Es> = {
  [E in keyof Es]: Es[E] extends { handler: (input: any) => Effect.Effect<any, any, infer R> } ? R : never
}[keyof Es]
export type Needs<M> = M extends Module<infer Es, infer R> ? R | NeedsOfEndpoints<Es> : never

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
export const define = <
  S,
  const Es extends Readonly<Record<string, AnyEndpoint>> = Record<never, never>,
  R = never,
  C = never,
  F = never,
  P = never,
  A = never,
>(feature: {
  readonly name: string
  readonly settings: Schema.Codec<S, any>
  readonly faults?: (settings: S, rest: Rest) => ReadonlyArray<Fault>
  readonly parts: (settings: S) => Parts<Es, R, C, F, P, A>
}): Definition<S, Es, R | C | F | P | A> => ({
  name: feature.name,
  settings: feature.settings,
  faults: feature.faults ?? (() => []),
  build: (settings) => {
    const {
      tables = [],
      endpoints = {} as Es,
      graphFields = [],
      hooks = [],
      gates = [],
      challenge,
      authenticators = [],
      accountKinds = [],
      reclaims = [],
      factor,
      stepUps = {},
      isAdministrator,
      administratorsNeedFactor = false,
      beforeUserRemoval = [],
      sessionTransports = [],
      keepers = [],
      confirmedAddresses = [],
      findings = () => [],
    } = feature.parts(settings)
    return {
      name: feature.name,
      tables,
      endpoints,
      graphFields,
      hooks,
      gates,
      challenge,
      authenticators,
      accountKinds,
      reclaims,
      factor,
      stepUps,
      isAdministrator,
      administratorsNeedFactor,
      beforeUserRemoval,
      sessionTransports,
      keepers,
      confirmedAddresses,
      findings,
      "~needs": undefined,
    }
  },
})

/** The settings of a feature that has none. A struct without fields takes anything, so what stands there is looked at. */
export const NoSettings = Schema.Struct({}).check(
  Schema.makeFilter((value) => typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0, {
    expected: "{}, since there is nothing to set",
  }),
)
