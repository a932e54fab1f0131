import { Effect, Option, Schema } from "effect"
import type { AuthError } from "../domain/Errors.ts"
import { InvalidRequest, Unauthorized } from "../domain/Errors.ts"
import { CurrentSession } from "./Caller.ts"
import type { AnyEndpoint, Endpoint, Reply } from "./Endpoint.ts"
import { faults } from "./Faults.ts"
import type { AnyModule, Needs } from "./Module.ts"
import { current } from "./Sessions.ts"
import type { AnyTable } from "./Table.ts"

/** The service as its shells see it. */
export interface Auth<R> {
  readonly tables: ReadonlyArray<AnyTable>
  /** By name: the path in camelCase. */
  readonly endpoints: Readonly<Record<string, AnyEndpoint<R>>>
  /** Who asks, decode, before-hooks, handler, after-hooks: the same steps for every shell. */
  readonly call: <I, O>(endpoint: Endpoint<I, O, any>, raw: unknown) => Effect.Effect<Reply<O>, AuthError, R>
}

type CallNeeds = Effect.Services<typeof current>

/** Joins modules into one service; hooks run in the order of the modules. Dies when two modules claim one name. */
export const make = <const Ms extends ReadonlyArray<AnyModule>>(
  modules: Ms,
): Auth<Exclude<Needs<Ms[number]>, CurrentSession> | CallNeeds> => {
  const endpoints = Object.fromEntries(modules.flatMap((module) => Object.entries<AnyEndpoint>(module.endpoints)))
  const tables = modules.flatMap((module) => module.tables)
  assertDistinct(
    "path",
    Object.values(endpoints).map(({ method, path }) => `${method} ${path}`),
  )
  assertDistinct(
    "endpoint",
    modules.flatMap((module) => Object.keys(module.endpoints)),
  )
  assertDistinct(
    "table",
    tables.map(({ name }) => name),
  )

  const calls = new Map(Object.values(endpoints).map((endpoint) => [endpoint, caller(endpoint, modules)]))
  const call = (endpoint: AnyEndpoint, raw: unknown) => (calls.get(endpoint) ?? caller(endpoint, modules))(raw)
  return { tables, endpoints, call } as Auth<any>
}

const assertDistinct = (what: string, names: ReadonlyArray<string>) => {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`two modules bring the ${what} ${twice}`)
}

/** What one call of one endpoint does, worked out once. */
const caller = (endpoint: AnyEndpoint, modules: ReadonlyArray<AnyModule>) => {
  const hooks = modules.flatMap((module) => module.hooks).filter(({ on }) => on === "*" || on.includes(endpoint.path))
  const before = hooks.flatMap((hook) => ("before" in hook ? [hook.before] : []))
  const after = hooks.flatMap((hook) => ("after" in hook ? [hook.after] : []))
  const decode = Schema.decodeUnknownEffect(endpoint.input)

  const run = Effect.fnUntraced(function* (raw: unknown) {
    let input: unknown = yield* Effect.mapError(decode(raw), ({ issue }) => new InvalidRequest({ message: faults(issue) }))
    for (const hook of before) input = yield* hook(input, endpoint.path)
    let reply = yield* endpoint.handler(input)
    for (const hook of after) reply = yield* hook(reply, endpoint.path)
    return reply
  })
  return endpoint.access === "public" ? run : withSession(run)
}

/** Answers `unauthorized` before anything else is looked at, and renews the cookie of a session that was rolled on. */
const withSession = (run: (raw: unknown) => Effect.Effect<Reply<unknown>, AuthError, any>) =>
  Effect.fnUntraced(function* (raw: unknown) {
    const found = yield* current
    if (Option.isNone(found)) return yield* new Unauthorized()

    const { session, user, credential, refreshed } = found.value
    const reply = yield* Effect.provideService(run(raw), CurrentSession, { session, user, credential })
    return refreshed && reply.session === "keep" ? { ...reply, session: { session, user, credential } } : reply
  })
