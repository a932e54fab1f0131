import { Effect } from "effect"
import type { Backend } from "../../backend/index.ts"
import { type AuthError, InternalError, Unavailable } from "../../domain/errors.ts"
import { isLocal } from "../../domain/values/url.ts"
import { storeOf } from "../config/adapters.ts"
import type { AnyExtension, Given, Input, ModuleName } from "../config/input.ts"
import type { Configuration } from "../config/load.ts"
import { endingOf } from "../process/start-faults.ts"
import type { CallOptions, CallResult, WaitUntil } from "./call.ts"
import type { Calls } from "./enabled-calls.ts"
import { fingerprintOf } from "./fingerprint.ts"
import { type Instance, instanceFor, NotOpen, notOpen, register } from "./instances.ts"
import { refusedResponse } from "./refused-response.ts"
import type { Reloaded } from "./reloaded.ts"
import { processServices } from "./service.ts"
import { sessionReader } from "./session-reader.ts"
import { completed, type Running, start } from "./start.ts"

/** A service in your own process. It opens at its first use. */
export interface Sallyport<C> extends Backend {
  /**
   * Answers a request to an endpoint, to GraphQL, to a page or to a health check. `address` is the address of the peer that sent the request,
   * which the framework provides. Of `x-forwarded-for`, only the entries that proxies of `trusted_proxies` wrote are read. `waitUntil` gets
   * the delivery of mail and short messages, on platforms that freeze the process after a response.
   */
  readonly fetch: (request: Request, options?: { readonly address?: string | null; readonly waitUntil?: WaitUntil }) => Promise<Response>
  /** Runs an operation without HTTP, for code that has checked the origin of its request. */
  readonly call: Calls<C>
  /**
   * Opens the service; waits up to 30 seconds for a store that cannot be reached. Rejects with the text that the command prints, such as
   * every fault of the configuration.
   */
  readonly ready: () => Promise<void>
  /**
   * Replaces secrets, `mail`, `sms`, `log.level` and `modules.events.webhooks` by those of another configuration, and names the settings
   * that only a new service changes. Rejects as the start does, without a change.
   */
  readonly reload: <const E extends AnyExtension = never, const Name extends ModuleName<E> = never>(
    configuration: Given<E, Name>,
  ) => Promise<Reloaded>
  /** Refuses new requests, waits for running ones and for mail that is due, then closes the store. */
  readonly close: () => Promise<void>
}

/** The part of a configuration that decides which operations there are. */
export interface Enabling<E, Name extends string> {
  readonly modules: Readonly<Record<Name, object>>
  readonly extensions: ReadonlyArray<E>
}

/**
 * How long a request waits for the service to open, and `ready` for a store that cannot be reached, in milliseconds. The first request of a
 * developer waits until the embedded database is created.
 */
const patience = { request: () => (process.env["NODE_ENV"] === "development" ? 60_000 : 10_000), ready: 30_000 }

/**
 * The service in this process. It does nothing before its first use, so that modules which have it can be loaded by a build. The
 * configuration is that of `sallyport.config.ts`; environment variables only add what it lacks, and `listen` has no effect.
 */
export const sallyport = <const E extends AnyExtension = never, const Name extends ModuleName<E> = never>(
  input: Given<E, Name>,
): Sallyport<Enabling<E, Name>> => {
  const registration = register()
  let found: Promise<Instance> | undefined
  let isClosed = false

  const instance = () => (found ??= instanceOf(input, registration))
  const running = async (): Promise<Running> => {
    if (isClosed) throw closed
    const { current } = await instance()
    if (current.isClosed) throw closed
    return current.running()
  }

  /** Runs a task of an open service. `refused` answers in its place while the service is not open. */
  const use = async <A>(task: (running: Running) => Promise<A>, refused: (error: AuthError) => A): Promise<A> => {
    if (isPrerendering()) throw new Error(prerendered)
    const opened = await withinPatience(running()).catch((reason: NotOpen) => refusalOf(reason, input))
    return "calls" in opened ? task(opened) : refused(opened)
  }

  const call = (name: string) => (options?: CallOptions) =>
    use((running) => delivering(running, operationOf(running, name)(options ?? {}), options?.waitUntil), refusedCall)

  return {
    fetch: (request, { address = null, waitUntil } = {}) =>
      use((running) => delivering(running, running.fetch(request, address), isRead(request) ? undefined : waitUntil), refusedResponse),
    call: callsBy(call) as Calls<Enabling<E, Name>>,
    getSession: sessionReader(call("getSession")),
    ready: async () => {
      if (isPrerendering()) return
      const end = performance.now() + patience.ready
      await running().catch((reason: NotOpen) => retried(reason, running, end))
    },
    reload: async (next) => {
      const { reload } = await running().catch(({ fault }: NotOpen) => Promise.reject(fault))
      return reload(next)
    },
    close: async () => {
      isClosed = true
      const opened = await found?.catch(() => undefined)
      await opened?.close()
    },
  }
}

const isRead = ({ method }: Request) => method === "GET" || method === "HEAD"

/** The result of a task, after which the platform waits for the messages that it stored. */
const delivering = async <A>({ deliver }: Running, task: Promise<A>, waitUntil: WaitUntil | undefined): Promise<A> => {
  const result = await task
  waitUntil?.(deliver())
  return result
}

/** The instance that serves this configuration. Rejects with the failure of its decoding. */
const instanceOf = async (input: Input<AnyExtension>, registration: number): Promise<Instance> => {
  const configuration = await Effect.runPromise(completed(input)).catch((fault: unknown) => {
    logged(textOf(fault))
    throw notOpen(fault)
  })
  const { identity } = storeOf(configuration.store)
  const key = identity === undefined ? undefined : `${configuration.store.kind} ${identity} ${configuration.settings.base_path}`
  return instanceFor(
    key,
    { fingerprint: fingerprintOf(input), registration },
    {
      open: () => start(configuration),
      onFailure: (fault) => logged(textOf(fault), configuration),
      onSecond: () => logged("A second service with another configuration uses the same database in this process.", configuration),
    },
  )
}

/** Without a configuration, the log has its defaults. */
const logged = (text: string, configuration: Pick<Configuration, "log" | "clock"> = { log: { level: "info" } }) =>
  Effect.runFork(Effect.provide(Effect.logError(text), processServices(configuration)))

const textOf = (fault: unknown): string => (fault instanceof Error && fault.message !== "" ? fault.message : String(fault))

/** Whether Next.js renders pages during a build, where neither secret nor database need exist. */
const isPrerendering = () => process.env["NEXT_PHASE"] === "phase-production-build"

const prerendered = "Sallyport was used while Next.js prerendered a page: read `headers()` or `await connection()` first"

const withinPatience = async (opening: Promise<Running>): Promise<Running> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new NotOpen({ fault: new Unavailable(), isFinal: false })), patience.request())
  try {
    return await Promise.race([opening, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Opens again for as long as the store cannot be reached and time is left; rejects with the last fault. */
const retried = async ({ fault }: NotOpen, running: () => Promise<Running>, end: number): Promise<void> => {
  const { _tag, isFinal = false } = Object(fault) as { readonly _tag?: string; readonly isFinal?: boolean }
  const heals = (_tag === "StoreUnavailable" || _tag === "RedisUnavailable") && !isFinal
  if (!heals || performance.now() > end) throw fault
  await new Promise((resolve) => setTimeout(resolve, 1000))
  await running().catch((reason: NotOpen) => retried(reason, running, end))
}

const closedError = new Unavailable({ message: "The service is closed." })
const closed = new NotOpen({ fault: closedError, isFinal: true })

/** Seconds after which a client may ask again. */
const retryAfter = 5

/** What requests get while the service is not open. Developers on their own machine see the reason. */
const refusalOf = ({ fault, isFinal }: NotOpen, { public_url = urlOfEnvironment() }: Pick<Input, "public_url">): AuthError => {
  if (fault === closedError) return closedError
  const isShown = process.env["NODE_ENV"] !== "production" && URL.canParse(public_url) && isLocal(new URL(public_url))
  const shown = isShown && endingOf(fault) !== undefined ? { message: textOf(fault) } : {}
  return isFinal ? new InternalError(shown) : new Unavailable({ ...shown, retryAfter })
}

/** Empty, so that no reason is shown, if the URL is in a file. */
const urlOfEnvironment = () =>
  process.env["SALLYPORT_PUBLIC_URL"] || (process.env["SALLYPORT_PUBLIC_URL_FILE"] ? "" : "http://localhost:3000")

const refusedCall = ({ _tag: code, message, status, retryAfter }: AuthError): CallResult<never> => ({
  data: null,
  error: { code, message, status, ...(retryAfter === undefined ? {} : { retryAfter }) },
  challenge: null,
  headers: new Headers(),
})

const operationOf = ({ calls }: Running, name: string) => {
  const operation = Object.hasOwn(calls, name) ? calls[name] : undefined
  if (operation === undefined) throw new TypeError(`No enabled module has the operation ${name}.`)
  return operation
}

/** The operations by name. Which ones there are is known only once the configuration is read, at the first use. */
const callsBy = (call: (name: string) => unknown): object =>
  new Proxy({}, { get: (_, name) => (typeof name === "string" && name !== "then" ? call(name) : undefined) })
