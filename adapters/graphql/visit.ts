import DataLoader from "dataloader"
import type { Context } from "effect"
import { Cause, Effect, Exit } from "effect"
import type { Auth } from "../../application/service/auth.ts"
import type { AnyEndpoint, Reply } from "../../application/service/endpoint.ts"
import { countsOnAddress, statusOf } from "../../application/service/endpoint.ts"
import type { AnyGraphField, Page, Viewer } from "../../application/service/graph-field.ts"
import type { AuthError } from "../../domain/errors.ts"
import type { Consumed } from "../../domain/limits/limits.ts"
import { countRequest } from "../../domain/limits/limits.ts"
import type { countUnlessLive } from "../../domain/limits/live-session.ts"
import { Caller } from "../../domain/sessions/caller.ts"
import { anonymous } from "../http/exchange.ts"
import { isRefusal, refused } from "./errors.ts"

/** What a field leaves with the caller. */
type Left = Pick<Reply<unknown>, "session" | "cookies">

/** One request and everything its fields do: to a field, what `Auth` is to a route. */
export interface Visit {
  /** Calls an endpoint; its body. */
  readonly call: (endpoint: AnyEndpoint, raw: unknown) => Promise<unknown>
  readonly viewer: () => Promise<Viewer | null>
  /** Where an edge leads from one parent; the parents of one level are loaded together. */
  readonly load: (graphField: AnyGraphField, parent: object, page: Page) => Promise<unknown>
  readonly run: <A>(effect: Effect.Effect<A, AuthError>) => Promise<A>
  /** What all fields together leave with the caller: the last one holds. */
  readonly left: () => Left
  /** The budget of requests after what further fields took from it. */
  readonly budget: () => Consumed | null
}

interface Asked {
  readonly caller: Caller["Service"]
  /** What becomes of a defect. */
  readonly onDefect: (defect: unknown) => Effect.Effect<never, AuthError>
}

/** What fields need beside their caller. */
export type Needs<R> = Exclude<R | Effect.Services<typeof countUnlessLive>, Caller> | Effect.Services<ReturnType<typeof countRequest>>

/** Begins a request. Its first field was paid for with the request itself; each further one is as a request more. */
export const makeVisit = <R>(auth: Auth<R>, services: Context.Context<Needs<R>>, signal: AbortSignal, asked: Asked): Visit => {
  let caller = asked.caller
  let consumed: Consumed | null = null
  let known: Promise<Viewer | null> | undefined
  const loaders = new Map<string, DataLoader<object, unknown>>()
  const trail: Array<Left> = []

  const exitOf = <A>(effect: Effect.Effect<A, AuthError, any>): Promise<Exit.Exit<A, AuthError>> => {
    const here = effect.pipe(Effect.provideService(Caller, caller), Effect.catchDefect(asked.onDefect))
    return Effect.runPromiseExitWith(services)(here as Effect.Effect<A, AuthError>, { signal })
  }
  const run: Visit["run"] = async (effect) => {
    const exit = await exitOf(effect)
    if (Exit.isSuccess(exit)) return exit.value
    throw refused(Cause.squash(exit.cause) as AuthError)
  }

  /** The budget of a further field. Some count on the address, also as the first field of a request that was counted on its session. */
  const count = async (at: number, onAddress: boolean) => {
    const isCounted = at === 0 && !(onAddress && asked.caller.credential !== null)
    if (isCounted) return
    const counted = countRequest(onAddress ? anonymous(asked.caller) : asked.caller)
    consumed = (await run(counted as Effect.Effect<Consumed | null, AuthError>)) ?? consumed
  }
  /** Keeps a field's place: what fields leave holds in the order in which they were asked for. */
  const begin = async (onAddress = false) => {
    const at = trail.push({ session: "keep" }) - 1
    await count(at, onAddress)
    return at
  }
  /** Fields that come later see what this one did. */
  const leave = (at: number, { session, cookies = [] }: Left) => {
    const left = { session, cookies }
    trail[at] = left
    caller = callerAfter(caller, left)
  }

  const call: Visit["call"] = async (endpoint, raw) => {
    const at = await begin(countsOnAddress(endpoint))
    const exit = await exitOf(auth.call(endpoint, raw))
    if (endpoint.method === "POST") {
      known = undefined
      loaders.clear()
    }
    if (Exit.isSuccess(exit)) {
      leave(at, exit.value)
      return exit.value.body
    }
    const error = Cause.squash(exit.cause) as AuthError
    leave(at, error)
    throw refused(error, statusOf(endpoint, error))
  }

  /** Who asks, looked up once as long as nothing has changed that. */
  const current = () => {
    known ??= (async () => {
      const { body, ...reply } = await run(auth.viewer as Effect.Effect<Reply<Viewer | null>, AuthError>)
      leave(trail.length, reply)
      return body
    })()
    return known
  }
  const viewer = async () => {
    await begin()
    return current()
  }

  const loaderOf = (graphField: AnyGraphField, page: Page) => {
    const key = `${auth.graphFields.indexOf(graphField)} ${JSON.stringify(page)}`
    const made =
      loaders.get(key) ??
      new DataLoader<object, unknown>(async (parents) => {
        const loaded = auth.load(graphField, await current(), parents, page)
        const found = await run(loaded as Effect.Effect<ReadonlyArray<unknown>, AuthError>)
        return found.map((each) => (isRefusal(each) ? refused(each) : each))
      })
    loaders.set(key, made)
    return made
  }

  return {
    call,
    viewer,
    run,
    load: (graphField, parent, page) => loaderOf(graphField, page).load(parent),
    left: () => together(trail),
    budget: () => consumed,
  }
}

/** A caller who has kept what a field left. */
const callerAfter = (caller: Caller["Service"], { session, cookies = [] }: Left): Caller["Service"] => {
  if (session === "keep" && cookies.length === 0) return caller
  const credential = session === "keep" ? caller.credential : session === "clear" ? null : session.credential
  return { ...caller, credential, cookies: { ...caller.cookies, ...Object.fromEntries(cookies.map(({ name, value }) => [name, value])) } }
}

const together = (trail: ReadonlyArray<Left>): Left => ({
  session: trail.findLast(({ session }) => session !== "keep")?.session ?? "keep",
  cookies: trail.flatMap(({ cookies = [] }) => cookies),
})
