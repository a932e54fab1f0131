import { Effect, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { HttpClient } from "effect/http"
import type { AuthError, CodeOf, CommonCode, ErrorClass } from "../../domain/errors.ts"
import { type EventKind, type EventKinds, eventTypes } from "../../domain/events/event-types.ts"
import type { RowEvents } from "../../domain/events/row-events.ts"
import type { SecurityEvent } from "../../domain/events/security-event.ts"
import { type Samples, samples } from "../../domain/mail/samples.ts"
import { noRuleParts, type Outcome, type PresentedCredentials } from "../../domain/policies.ts"
import type { Deliver } from "../../domain/ports/channels.ts"
import type { Jose } from "../../domain/ports/jose.ts"
import type { PublicFetch } from "../../domain/ports/public-fetch.ts"
import type { Store, Write } from "../../domain/ports/store.ts"
import type { TextHashes } from "../../domain/ports/text-hashes.ts"
import type { NoteAccepted } from "../../domain/sessions/accepted.ts"
import type { CurrentSession } from "../../domain/sessions/caller.ts"
import type { Settings, SettingsValue } from "../../domain/settings.ts"
import type { Challenger } from "../../domain/sign-in/challenges.ts"
import type { Keys } from "../../domain/tokens/keys.ts"
import { type ModuleKeys, moduleKeys } from "../../domain/tokens/module-keys.ts"
import type { AnyEndpoint, ByName, Guard, Reply } from "./endpoint.ts"
import type { AnyGraphField } from "./graph-field.ts"
import type { ConsoleScreen, ModulePage } from "./module-page.ts"
import type { AnyEventStream } from "./streams/event-stream.ts"

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

/** Finds the client or the key that a request with these credentials counts against, before it is counted. */
export type CountedMachine = (presented: PresentedCredentials) => Effect.Effect<string | null, never, Keys | Settings | Store | TextHashes>

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
 * Delivers a message of the outbox to another service. The outbox repeats a refused delivery unless the refusal is permanent, and interrupts
 * one after 30 seconds. A message can arrive more than once.
 */
export type Channel = Deliver<ChannelServices>

/** What a channel can use. It has no caller. */
export type ChannelServices = HttpClient.HttpClient | Jose | Keys | PublicFetch | SecureRandom.SecureRandom | Settings | Store | TextHashes

/** Receives the outcome of an operation. Its failures are logged; the response waits for it. */
export type Observer<R> = (outcome: Outcome) => Effect.Effect<void, unknown, R>

/**
 * Returns the writes that store these security events of a call, and the note why it was made (`Note`). They are committed with the writes
 * that caused the events, or on their own for refused calls. It may run more than once, so it commits nothing itself, and its writes must
 * not insert a unique value that another row can have.
 */
export type Recorded<R> = (events: ReadonlyArray<SecurityEvent>, note: string | null) => Effect.Effect<ReadonlyArray<Write>, never, R>

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

/** What belongs to a module with any settings, so that documentation and tools can read it from the definition alone. */
export interface Owned {
  /** The errors that only this module fails with. Those of several modules are in `domain/errors.ts`. */
  readonly errors: ReadonlyArray<ErrorClass>
  /** The types of events that only this module has. Those of several modules are in `domain/events/event-types.ts`. */
  readonly events: EventKinds
  /** The mails that it sends, with made-up values: `mail preview` shows them. */
  readonly mails: Samples
  /** Its texts in a language, by key; in English if it lacks the language. A language is loaded at its first use. */
  readonly texts: (tag: string) => Promise<Readonly<Record<string, string>>>
}
/** What a module owns, with empty members for what it does not. */
export const ownedBy = ({ errors = [], events = {}, mails = {}, texts = async () => ({}) }: Partial<Owned>): Owned => ({
  errors,
  events,
  mails,
  texts,
})

/** What several modules own together, and the domain. Types of events are sorted: filters of the API list them. */
export const ownedByAll = (modules: ReadonlyArray<Owned>): Owned => {
  const kinds = [eventTypes, ...modules.map(({ events }) => events)].flatMap((events) => Object.entries<EventKind>(events))
  return {
    errors: modules.flatMap(({ errors }) => errors),
    events: Object.fromEntries(kinds.toSorted(([one], [other]) => (one < other ? -1 : 1))),
    mails: Object.assign({}, samples, ...modules.map(({ mails }) => mails)),
    texts: async (tag) => Object.assign({}, ...(await Promise.all(modules.map(({ texts }) => texts(tag))))),
  }
}

/** Every part that a module can have, with its default. */
const noParts = {
  ...noRuleParts,
  /** Authorizes the caller of each endpoint of the module, all of which need a session, before the input is decoded. */
  guard: undefined as Guard<any> | undefined,
  endpoints: [] as ReadonlyArray<AnyEndpoint>,
  graphFields: [] as ReadonlyArray<AnyGraphField>,
  /** Pages for browsers, made with `sallyport/pages`. */
  pages: [] as ReadonlyArray<ModulePage>,
  /** Screens of the console, with pages made by `sallyport/pages`. */
  console: [] as ReadonlyArray<ConsoleScreen>,
  /** Streams of events: the subscriptions of GraphQL. */
  streams: [] as ReadonlyArray<AnyEventStream>,
  hooks: [] as ReadonlyArray<Hook<any>>,
  /** The errors that the gates fail with. */
  gateErrors: [] as ReadonlyArray<ErrorClass>,
  challenge: undefined as Challenger<any> | undefined,
  /** Receives messages of the outbox, by the name of their channel (`Outbox.post`). */
  channels: {} as Readonly<Record<string, Channel>>,
  observe: undefined as Observer<any> | undefined,
  /** The security events that follow from changes of rows; modules with `recorded` store them. */
  rowEvents: [] as ReadonlyArray<RowEvents>,
  recorded: undefined as Recorded<any> | undefined,
  /** Notes the users whose sessions and refresh tokens are accepted. */
  accepted: undefined as NoteAccepted | undefined,
  background: [] as ReadonlyArray<Background<any>>,
  gauges: [] as ReadonlyArray<Gauge<any>>,
  /** Runs at `secret rotate`, after the stored values are encrypted under the first secret. It may run again. */
  secretRotated: Effect.void as Effect.Effect<unknown, never, any>,
  /** The errors that `beforeUserRemoval` fails with. */
  removalErrors: [] as ReadonlyArray<ErrorClass>,
  sessionTransports: [] as ReadonlyArray<SessionTransport>,
  /** The client or the key that a request of a machine counts against; null if its credential is not valid. */
  countedMachine: undefined as CountedMachine | undefined,
  /** Warnings and notes about these settings, in addition to those of the core. */
  findings: (() => []) as (core: SettingsValue) => ReadonlyArray<Finding>,
  /** The same about the rows of the store, for `doctor`. */
  storedFindings: (() => Effect.succeed([])) as (core: SettingsValue) => Effect.Effect<ReadonlyArray<Finding>, never, Store>,
}
type AllParts = Readonly<typeof noParts>

/** The parts that a module declares; the others have their defaults. */
type Parts = Partial<AllParts>

/** A module with its settings. */
export interface Module<out Es extends Readonly<Record<string, AnyEndpoint>>, out R> extends Owned, Omit<AllParts, "endpoints" | "guard"> {
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
type Runs = "after" | "ask" | "before" | "check" | "heldBy" | "load" | "prove" | "run" | "waives"

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

/** The types of events that parts cause and that are not types of the domain. */
type EventOfPart<P> = MemberOf<P, "rowEvents"> extends RowEvents<infer Own> ? (string extends Own ? never : Own) : never

/** Fails to compile with the types that are missing in `events`. */
type DeclaresEvents<P, Kinds> = [Exclude<EventOfPart<P>, keyof Kinds>] extends [never]
  ? unknown
  : { readonly events: { readonly undeclared: Exclude<EventOfPart<P>, keyof Kinds> } }

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
  | NeedsOfPart<P[Exclude<keyof P, "tables" | "endpoints" | "reclaimedTables" | "guard" | "rowEvents" | "stepUps" | "channels">]>
  | NeedsOfGuard<P>
  | NeedsOfStepUps<P>
type NeedsOfGuard<P> = P extends { readonly guard: infer Guard } ? Exclude<NeedsOfPart<Guard>, CurrentSession> : never
type NeedsOfStepUps<P> = P extends { readonly stepUps: infer All } ? NeedsOfPart<All[keyof All]> : never
type EndpointsOf<P> = P extends { readonly endpoints: infer Es extends ReadonlyArray<AnyEndpoint> } ? ByName<Es> : Record<never, never>

/** A feature. Its name is its key under `modules` in the configuration. */
export interface Definition<S, Es extends Readonly<Record<string, AnyEndpoint>>, R, Written = any, Name extends string = string>
  extends Owned {
  readonly name: Name
  readonly settings: Schema.Codec<S, Written>
  /** Faults that the schema cannot find: in the combination of these settings, or of these with other settings. */
  readonly faults: (settings: S, rest: Rest, all?: Owned) => ReadonlyArray<Fault>
  /** `all`: what the modules of the configuration own, also those that are not enabled. Default: only what this one owns. */
  readonly build: (settings: S, all?: Owned) => Module<Es, R>
}

/**
 * The settings that the faults of a module also depend on: those of the core, those of the other enabled modules, and, if they are known,
 * how SMS are sent and which proxies are trusted.
 */
export type Rest = SettingsValue & {
  readonly modules?: Readonly<Record<string, unknown>>
  readonly sms?: { readonly kind: string }
  readonly trusted_proxies?: ReadonlyArray<string>
}

/** An invalid setting: its path below the module's settings, and the expected value. */
export interface Fault {
  readonly path: ReadonlyArray<string | number>
  readonly wanted: string
}
export type AnyDefinition = Definition<any, any, any>

/** Declares a feature in one value: its settings with defaults, and the parts that it has with given settings. */
export const define = <S, Written, const P extends Parts, const Name extends string, const Kinds extends EventKinds = Record<never, never>>(
  feature: {
    readonly name: Name
    readonly settings: Schema.Codec<S, Written>
    readonly faults?: (settings: S, rest: Rest, all: Owned) => ReadonlyArray<Fault>
    readonly parts: (settings: S, all: Owned, keys: ModuleKeys) => P
    readonly events?: Kinds
  } & Partial<Omit<Owned, "events">> &
    DeclaresErrors<P> &
    DeclaresEvents<P, Kinds>,
): Definition<S, EndpointsOf<P>, NeedsOfParts<P>, Written, Name> => ({
  ...ownedBy(feature),
  name: feature.name,
  settings: feature.settings,
  faults: (settings, rest, all = ownedByAll([ownedBy(feature)])) => feature.faults?.(settings, rest, all) ?? [],
  build: (settings, all = ownedByAll([ownedBy(feature)])) => {
    const parts = feature.parts(settings, all, moduleKeys(feature.name))
    // A misspelt name, such as `gate`, would otherwise be ignored, and users admitted whom the gate has to refuse.
    const unknownPart = Object.keys(parts).find((part) => !Object.hasOwn(noParts, part))
    if (unknownPart !== undefined) throw new Error(`the module ${feature.name} declares ${unknownPart}, which is not a part of a module`)
    const { guard, endpoints, ...others } = { ...noParts, ...parts }
    return {
      ...others,
      ...ownedBy(feature),
      name: feature.name,
      endpoints: byName(feature.name, endpoints, guard),
      "~needs": undefined,
    } as Module<any, any>
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
  if (endpoint.access === "public") throw new Error(`the module ${module} has a guard, and its endpoint ${endpoint.name} needs no session`)
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
