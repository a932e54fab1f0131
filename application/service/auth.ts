import { Effect, flow, Option, Schema, type Scope } from "effect"
import { hasAdministratorRights } from "../../domain/administration/administrators.ts"
import {
  applicationNamed,
  CallingApplication,
  CurrentMachine,
  CurrentPrincipal,
  type Needed,
  principalWith,
} from "../../domain/administration/principal.ts"
import type { Attributes } from "../../domain/attributes/attributes.ts"
import { type AuthError, Forbidden, ImpersonationRefused, Overloaded, RateLimited, Unauthorized } from "../../domain/errors.ts"
import { eventTypes } from "../../domain/events/event-types.ts"
import { rememberDevice } from "../../domain/limits/known-device.ts"
import { liveSession } from "../../domain/limits/live-session.ts"
import { samples } from "../../domain/mail/samples.ts"
import { type NeededInOrganization, OrganizationCaller, suffices } from "../../domain/organizations/acting.ts"
import { type Machine, type Operation, type OrganizationKey, Policies } from "../../domain/policies.ts"
import { orFail } from "../../domain/ports/store.ts"
import type { AnyTable } from "../../domain/ports/table.ts"
import { Accepted } from "../../domain/sessions/accepted.ts"
import { Caller, CurrentSession } from "../../domain/sessions/caller.ts"
import { isImpersonated } from "../../domain/sessions/session-token.ts"
import { current } from "../../domain/sessions/sessions.ts"
import type { SignIn } from "../../domain/sessions/sign-in.ts"
import { withMemberAttributes } from "./attributes/members.ts"
import { withOrganizationAttributes } from "./attributes/organizations.ts"
import { unknownAttributeIn, withAttributes } from "./attributes/users.ts"
import { background } from "./background.ts"
import { type AnyEndpoint, classOf, countsOnAddress, type Endpoint, type Reply, reply } from "./endpoint.ts"
import { faults, unexpected } from "./faults.ts"
import type { AnyGraphField, Page, Viewer } from "./graph-field.ts"
import { impersonating, refuseImpersonated } from "./impersonating.ts"
import type { AnyModule, CountedMachine, Needs, SessionTransport } from "./module.ts"
import type { ConsoleScreen, ModulePage } from "./module-page.ts"
import { observed } from "./observing.ts"
import { isFor, observerOf, policiesOf, withChallenges, withPartErrors, withProofs } from "./policies.ts"
import { type Recorder, recorderOf } from "./recording.ts"
import { makeShedding, workloadOf } from "./shedding.ts"
import { type AnyEventStream, isViewer } from "./streams/event-stream.ts"
import type { Authorize, OpenStream } from "./streams/reader.ts"
import { makeStreams } from "./streams/streaming.ts"

/** The service, as the shells use it. */
export interface Auth<R> {
  /** The names of the modules. */
  readonly modules: ReadonlyArray<string>
  readonly tables: ReadonlyArray<AnyTable>
  /** By name: the path in camelCase. The outputs of sign-in endpoints include the challenges of modules. */
  readonly endpoints: Readonly<Record<string, AnyEndpoint<R>>>
  /** The fields that modules add to the graph of GraphQL. */
  readonly graphFields: ReadonlyArray<AnyGraphField>
  /** The pages that modules add. */
  readonly pages: ReadonlyArray<ModulePage>
  /** The screens that modules add to the console. */
  readonly console: ReadonlyArray<ConsoleScreen>
  /** The attributes of users that the configuration declares. */
  readonly attributes: Attributes
  /** Those of organizations, and of their members. */
  readonly organizationAttributes: Attributes
  readonly memberAttributes: Attributes
  /** The types of all security events, sorted. */
  readonly eventTypes: ReadonlyArray<string>
  /** The streams of events of the modules. */
  readonly streams: ReadonlyArray<AnyEventStream>
  /** Ways to send a session's credential other than the cookie. */
  readonly sessionTransports: ReadonlyArray<SessionTransport>
  /** The client that a request of a machine counts against. */
  readonly countedMachine: CountedMachine | undefined
  /** The same for requests that only a key can authorize. */
  readonly countedKey: CountedMachine | undefined
  /** Authorizes, decodes, and runs the hooks and the handler: the same steps for every shell. */
  readonly call: <I, O>(endpoint: Endpoint<I, O, any>, raw: unknown) => Effect.Effect<Reply<O>, AuthError, R>
  /** Fails if the endpoint's operations are refused now: `call` checks it too, but later. */
  readonly admit: (endpoint: AnyEndpoint) => Effect.Effect<void, AuthError>
  /** The caller, at the root of the graph; null without a session. */
  readonly viewer: Effect.Effect<Reply<Viewer | null>, AuthError, R>
  /** Whether the viewer has the rights of an administrator. */
  readonly isAdministrator: (viewer: Viewer) => Effect.Effect<boolean, never, R>
  /** The values of a graph field for each of these parents. */
  readonly load: (
    graphField: AnyGraphField,
    viewer: Viewer | null,
    parents: ReadonlyArray<unknown>,
    page: Page,
  ) => Effect.Effect<ReadonlyArray<unknown>, AuthError, R>
  /** Opens a stream of events, which ends with the scope. */
  readonly open: (stream: AnyEventStream, viewer: Viewer | null, raw: unknown) => Effect.Effect<OpenStream, AuthError, R | Scope.Scope>
  /** Reads new events for all open streams, and ends the streams whose callers have lost their rights. `background` repeats it. */
  readonly poll: Effect.Effect<void, never, Exclude<R, Caller>>
  /** Stores the security events of refused calls that wait. */
  readonly flush: Effect.Effect<void, never, Exclude<R, Caller>>
  /** Starts the background work of the modules; it ends with the scope. */
  readonly background: Effect.Effect<void, never, Exclude<R, Caller> | Scope.Scope>
}

type CallNeeds = Effect.Services<typeof liveSession> | Effect.Services<ReturnType<typeof rememberDevice>>

/** Joins modules into one service; hooks run in the order of the modules. Throws when two modules declare the same name. */
export const make = <const Ms extends ReadonlyArray<AnyModule>>(
  modules: Ms,
): Auth<Exclude<Needs<Ms[number]>, CurrentSession | Policies> | CallNeeds> => {
  const endpoints = Object.fromEntries(modules.flatMap((module) => Object.entries<AnyEndpoint>(module.endpoints)))
  const tables = modules.flatMap((module) => module.tables)
  for (const [what, namesOf] of Object.entries(names)) assertDistinct(what, modules.flatMap(namesOf))
  const types = [eventTypes, ...modules.map(({ events }) => events)].flatMap(Object.keys)
  assertDistinct("type of event", types)
  assertDistinct("mail", [samples, ...modules.map(({ mails }) => mails)].flatMap(Object.keys))

  const attributes = modules.flatMap((module) => module.attributes)
  const added = withAttributes(attributes)
  const organizations = modules.flatMap(({ organizationAttributes }) => organizationAttributes)
  const addedToOrganizations = withOrganizationAttributes(organizations)
  const members = modules.flatMap(({ memberAttributes }) => memberAttributes)
  const addedToMembers = withMemberAttributes(members)
  const unknownIn = unknownAttributeIn({ user: attributes, organization: organizations, member: members })
  const recorder = recorderOf(modules)
  const shedding = makeShedding()
  const flush = recorder?.flush ?? Effect.void
  const completed = modules.flatMap((own) =>
    Object.values<AnyEndpoint>(own.endpoints).map((declared) => {
      const shown = addedToMembers.endpoint(addedToOrganizations.endpoint(added.endpoint(declared)))
      const endpoint = withPartErrors(withProofs(withChallenges(shown, own, modules), modules), modules)
      const admitted = shedding.admitted(workloadOf(endpoint))
      return { declared, endpoint, call: caller(endpoint, own, { modules, recorder, admitted, unknownIn }) }
    }),
  )
  const shown = Object.fromEntries(completed.map(({ endpoint }) => [endpoint.name, endpoint]))
  const calls = new Map(completed.flatMap(({ declared, endpoint, call }) => [[declared, call] as const, [endpoint, call] as const]))
  const call = (endpoint: AnyEndpoint, raw: unknown) => calls.get(endpoint)?.(raw) ?? Effect.die(unknownEndpoint(endpoint, endpoints))
  const graphFields = modules.flatMap(({ graphFields }) =>
    graphFields.map((field) => addedToMembers.field(addedToOrganizations.field(added.field(field)))),
  )
  const sessionTransports = modules.flatMap(({ sessionTransports }) => sessionTransports)
  const policies = policiesOf(graph, modules)
  const streams = modules.flatMap(({ streams }) => streams)
  const opened = makeStreams(authorizeWith(policies))
  const isAdministrator = ({ user }: Viewer) => Effect.provideService(hasAdministratorRights(user), Policies, policies)
  return {
    modules: modules.map(({ name }) => name),
    tables,
    endpoints: shown,
    graphFields,
    pages: modules.flatMap(({ pages }) => pages),
    console: modules.flatMap(({ console }) => console),
    attributes,
    organizationAttributes: organizations,
    memberAttributes: members,
    eventTypes: types.toSorted(),
    streams,
    sessionTransports,
    countedMachine: countedMachineOf(modules),
    countedKey: countedMachineOf(modules.filter(({ takesApiKeys }) => takesApiKeys)),
    call,
    viewer: accepting(modules)(impersonating(policies)(shedding.admitted("session")(viewer))),
    isAdministrator,
    load: (...given: LoadOf) => Effect.provideService(shedding.admitted("list")(load(recorder, ...given)), Policies, policies),
    admit: (endpoint: AnyEndpoint) => shedding.admit(workloadOf(endpoint)),
    open: Effect.fnUntraced(function* openStream(stream: AnyEventStream, viewer: Viewer | null, raw: unknown) {
      if (viewer !== null && isImpersonated(viewer.credential)) return yield* new ImpersonationRefused()
      const follower = yield* followerOf(viewer, policies)
      return yield* opened.open(stream, follower, raw)
    }),
    poll: opened.poll,
    flush,
    background: background(modules, recorder, opened),
  } as Auth<any>
}

/** Lets programs follow the streams that need a permission only. */
const authorizeWith =
  (policies: Policies["Service"]): Authorize =>
  ({ permission }, follower) => {
    if (permission === null) return isViewer(follower) ? Effect.void : Effect.fail(new Unauthorized())
    const principal = Effect.provideService(Effect.asVoid(principalWith({ permission })), Policies, policies)
    return isViewer(follower)
      ? Effect.provideService(principal, CurrentSession, follower)
      : Effect.provideService(principal as Effect.Effect<void, AuthError>, CurrentMachine, follower)
  }

/** The user of the session that opens a stream, or else the program of the request. */
const followerOf = Effect.fnUntraced(function* followerOf(viewer: Viewer | null, policies: Policies["Service"]) {
  const { api_key } = yield* Caller
  if (viewer !== null && api_key !== null && policies.takesApiKeys) return yield* new Unauthorized({ message: twoCredentials })
  if (viewer !== null) return viewer
  const machine: Option.Option<Machine> = yield* Effect.provideService(
    policies.machine({ method: "POST", path: graph.path }),
    Policies,
    policies,
  )
  return Option.getOrNull(machine)
})

/** The first client or key that a module finds. */
const countedMachineOf = (modules: ReadonlyArray<AnyModule>): CountedMachine | undefined => {
  const each = modules.flatMap(({ countedMachine }) => countedMachine ?? [])
  if (each.length === 0) return undefined
  return Effect.fnUntraced(function* firstCounted(presented) {
    for (const countedMachine of each) {
      const counted = yield* countedMachine(presented)
      if (counted !== null) return counted
    }
    return null
  })
}

/** The names that no two modules can have. */
const names: Readonly<Record<string, (module: AnyModule) => ReadonlyArray<string>>> = {
  page: ({ pages }) => pages.map(({ path }) => path),
  path: ({ endpoints }) => Object.values<AnyEndpoint>(endpoints).map(({ method, path }) => `${method} ${path}`),
  endpoint: ({ endpoints }) => Object.keys(endpoints),
  table: ({ tables }) => tables.map(({ name }) => name),
  "error code": ({ errors }) => errors.map(({ code }) => code),
  channel: ({ channels }) => Object.keys(channels),
  stream: ({ streams }) => streams.map(({ name }) => name),
  "step-up": ({ stepUps }) => Object.keys(stepUps),
}

const assertDistinct = (what: string, names: ReadonlyArray<string>) => {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`two modules declare the ${what} ${twice}`)
}

const unknownEndpoint = ({ method, path }: AnyEndpoint, endpoints: Readonly<Record<string, AnyEndpoint>>) => {
  const isAnother = Object.values(endpoints).some((own) => own.method === method && own.path === path)
  const reason = isAnother ? "belongs to another build of a module of this service" : "is declared by no module of this service"
  return new Error(`${method} ${path} ${reason}`)
}

/** What runs around the steps of an endpoint. */
interface Around {
  readonly modules: ReadonlyArray<AnyModule>
  readonly recorder: Recorder | undefined
  /** The path of an attribute in an input that its sender cannot write. */
  readonly unknownIn: ReturnType<typeof unknownAttributeIn>
  readonly admitted: ReturnType<ReturnType<typeof makeShedding>["admitted"]>
}

/** Prepares the steps of one endpoint once, not for every request. */
const caller = (endpoint: AnyEndpoint, own: AnyModule, { modules, recorder, admitted, unknownIn }: Around) => {
  const hooks = modules.flatMap((module) => module.hooks).filter((hook) => isFor(hook, endpoint.path))
  const before = hooks.flatMap((hook) => ("before" in hook ? [hook.before] : []))
  const after = hooks.flatMap((hook) => ("after" in hook ? [hook.after] : []))
  const { access, name, needed, path, signsIn, methods } = endpoint
  const operation: Operation = { name, path, module: own.name, signsIn, methods }
  const policies = policiesOf(operation, modules)
  const decode = Schema.decodeUnknownEffect(endpoint.input)
  const failure = declaredFailure(endpoint)
  const isOnAddress = countsOnAddress(endpoint)

  const steps = Effect.fnUntraced(function* runOperation(raw: unknown) {
    if (endpoint.guard !== undefined) yield* endpoint.guard.check
    const unknown = unknownIn(endpoint, raw)
    if (unknown !== undefined) return yield* new endpoint.invalid(unexpected(unknown))
    let input: unknown = yield* Effect.mapError(decode(raw), ({ issue }) => new endpoint.invalid(faults(issue)))
    for (const hook of before) input = yield* hook(input, endpoint.path)
    let reply = settled(yield* endpoint.handler(input))
    // A new credential has its own request budget, so requests for one must count against the address.
    if (typeof reply.session === "object" && !isOnAddress && reply.session.credential !== (yield* Caller).credential)
      return yield* Effect.die(new Error(`${endpoint.path} returns a new credential without declaring it`))
    const cookies = cookiesOf(reply)
    if (signsIn !== undefined) cookies.push(...(yield* rememberDevice(signsIn, reply.session)))
    if (cookies.length > 0) reply = { ...reply, cookies }
    for (const hook of after) reply = yield* hook(reply, endpoint.path)
    return reply
  })
  const permittedSteps =
    typeof access === "object" ? withPrincipal(steps, access) : needed === undefined ? steps : withOrganizationCaller(steps, needed)
  const record = recorder?.around(operation, typeof access === "object" ? access.permission : null)
  const run = (raw: unknown) => {
    const reply = Effect.catch(Effect.andThen(refuseImpersonated(endpoint), permittedSteps(raw)), failure)
    return Effect.provideService(record === undefined ? reply : record(reply, raw), Policies, policies)
  }
  const session = isOnAddress ? current : liveSession
  const lookup = unlessApplication(policies.takesApiKeys ? withoutKey(session) : session)
  const authorized = access === "public" ? run : withSession(run, lookup, machineFor(endpoint, policies))
  const call = (raw: unknown) => admitted(authorized(raw))
  const observe = observerOf(modules)
  const seen = observe === undefined ? call : observed(call, operation, observe)
  const around = flow(impersonating(policies), accepting(modules))
  return (raw: unknown) => around(seen(raw))
}

/** Lets modules note the users whose sessions and refresh tokens a call accepts. */
const accepting = (modules: ReadonlyArray<AnyModule>) => {
  const notes = modules.flatMap(({ accepted }) => accepted ?? [])
  return <A, E, R>(call: Effect.Effect<A, E, R>) => {
    if (notes.length === 0) return call
    return Effect.provideService(call, Accepted, (...accepted) => {
      for (const note of notes) note(...accepted)
    })
  }
}

/** Fails with an error that the endpoint or a part of a module declares. Every other one is a defect: no client can know its code. */
const declaredFailure = ({ errors, path }: AnyEndpoint) => {
  const codes = new Set([...errors, RateLimited, Overloaded, ImpersonationRefused].map((declared) => classOf(declared).code))
  return (error: AuthError) =>
    codes.has(error._tag) ? Effect.fail(error) : Effect.die(new Error(`${path} failed with an undeclared error`, { cause: error }))
}

/** The cookies of the handler, and those that modules set with a new session. */
const cookiesOf = ({ cookies = [], session }: Reply<unknown>) => [
  ...cookies,
  ...(typeof session === "string" ? [] : (session.cookies ?? [])),
]

/** A challenged sign-in discards the endpoint's own body and cookies, and does not redirect yet. */
const settled = ({ session, ...rest }: Reply<unknown, SignIn>): Reply<unknown> => {
  if (typeof session === "string" || !("challenge" in session)) return { ...rest, session }
  const { location } = rest
  return { ...reply(session.challenge), isChallenge: true, ...(location === undefined ? {} : { target: location }) }
}

const viewer = Effect.map(liveSession, (live): Reply<Viewer | null> => {
  if (Option.isNone(live)) return reply(null)
  const { refreshed, ...here } = live.value
  return reply(here, refreshed ? here : "keep")
})

/** The graph as an operation, for the policies of modules. It starts no session. */
const graph: Operation = { name: "graph", path: "/", module: "graph", signsIn: undefined }

type LoadOf = [graphField: AnyGraphField, viewer: Viewer | null, parents: ReadonlyArray<unknown>, page: Page]

const load = Effect.fnUntraced(function* loadGraphField(recorder: Recorder | undefined, ...[graphField, viewer, parents, page]: LoadOf) {
  if (viewer === null) return yield* new Unauthorized()
  const { permission, load } = graphField
  const loaded =
    permission === undefined ? load(parents, page) : loadedBy(recorder, graphField, asPrincipal(load(parents, page), { permission }))
  const values = yield* Effect.provideService(loaded, CurrentSession, viewer)
  if (values.length !== parents.length)
    return yield* Effect.die(new Error(`${graphField.name} loads ${values.length} for ${parents.length} parents`))
  return values
})

/** A field for administrators, with a record of what it shows. */
const loadedBy = <A, R>(recorder: Recorder | undefined, { name }: AnyGraphField, loaded: Effect.Effect<A, AuthError, R>) =>
  recorder === undefined ? loaded : recorder.aroundField({ ...graph, name, path: `/admin/${name}` })(loaded)

/** Answers `forbidden` before the input is decoded, unless the caller of the session has the permission. */
const withPrincipal = (run: (raw: unknown) => Effect.Effect<Reply<unknown>, AuthError, any>, needed: Needed) => (raw: unknown) =>
  asPrincipal(run(raw), needed)

const asPrincipal = <A>(work: Effect.Effect<A, AuthError, any>, needed: Needed) =>
  Effect.flatMap(principalWith(needed), (principal) => Effect.provideService(work, CurrentPrincipal, principal))

/** Answers `forbidden` before the input is decoded to a key whose statement lacks what the endpoint needs. Members are looked up after it. */
const withOrganizationCaller =
  (run: (raw: unknown) => Effect.Effect<Reply<unknown>, AuthError, any>, needed: NeededInOrganization) => (raw: unknown) =>
    Effect.gen(function* runAsMember() {
      const machine = yield* Effect.serviceOption(CurrentMachine)
      const key = Option.getOrNull(Option.filter(machine, isOrganizationKey))
      if (key !== null && !suffices(key.organization.statement, needed)) return yield* new Forbidden()
      const caller = key === null ? { key, session: yield* CurrentSession } : { key }
      return yield* Effect.provideService(run(raw), OrganizationCaller, { needed, ...caller })
    })

const isOrganizationKey = (machine: Machine): machine is OrganizationKey => "organization" in machine

/** The machine that calls an endpoint with a permission, or one for members. Other endpoints are for users. */
const machineFor = ({ access, method, path }: AnyEndpoint, policies: Policies["Service"]) => {
  if (access === "member")
    return Effect.flatMap(CallingApplication, (name) =>
      name === null ? Effect.provideService(policies.organizationKey({ method, path }), Policies, policies) : Effect.succeedNone,
    )
  if (typeof access !== "object") return Effect.succeedNone
  const presented = Effect.provideService(policies.machine({ method, path }), Policies, policies)
  return Effect.flatMap(CallingApplication, (name) => (name === null ? presented : Effect.succeedSome(applicationNamed(name))))
}

/** Finds the session of a call. */
type Lookup = Effect.Effect<Effect.Success<typeof liveSession>, AuthError, Effect.Services<typeof liveSession> | Caller>

/** A call of the application itself has no session, whatever its header fields are. */
const unlessApplication = (lookup: Lookup): Lookup =>
  Effect.flatMap(CallingApplication, (application): Lookup => (application === null ? lookup : Effect.succeedNone))

/** A request with an API key has no session: of two credentials in one request, neither counts unnoticed. */
const withoutKey = (lookup: typeof liveSession): Lookup =>
  Effect.gen(function* sessionUnlessKey() {
    const { api_key, authorization, credential } = yield* Caller
    if (api_key === null) return yield* lookup
    if (authorization !== null || credential !== null) return yield* new Unauthorized({ message: twoCredentials })
    return Option.none()
  })
const twoCredentials = "Send an API key, a session or a token: this request has more than one."

/** Answers `unauthorized` before the input is decoded, and renews the cookie of a refreshed session. */
const withSession = (
  run: (raw: unknown) => Effect.Effect<Reply<unknown>, AuthError, any>,
  lookup: Lookup,
  machine: Effect.Effect<Option.Option<Machine>, AuthError>,
) =>
  Effect.fnUntraced(function* runWithSession(raw: unknown) {
    const live = yield* lookup
    if (Option.isNone(live)) {
      const caller = yield* orFail(machine, () => new Unauthorized())
      return yield* Effect.provideService(run(raw), CurrentMachine, caller)
    }

    const { refreshed, ...here } = live.value
    const reply = yield* Effect.provideService(run(raw), CurrentSession, here)
    return refreshed && reply.session === "keep" ? { ...reply, session: here } : reply
  })
