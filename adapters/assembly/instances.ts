import { Data } from "effect"
import { codes, endingOf } from "../process/start-faults.ts"
import type { Running } from "./start.ts"

/** Why a service is not open. */
export class NotOpen extends Data.Error<{
  readonly fault: unknown
  /** Whether only another configuration helps: the service is not opened again. */
  readonly isFinal: boolean
}> {}

/** A service of this process, which opens at its first use, and again at a use after a failure. */
export class Instance {
  readonly fingerprint: string
  readonly registration: number
  /** The service that replaced this one after a change of its code. */
  successor: Instance | undefined
  #open: () => Promise<Running>
  #onFailure: (fault: unknown) => void
  #opening: Promise<Running> | undefined
  #failure: { readonly reason: NotOpen; readonly at: number; readonly attempts: number } | undefined
  #closing: Promise<void> | undefined

  constructor(
    { fingerprint, registration }: Registration,
    { open, onFailure }: { readonly open: () => Promise<Running>; readonly onFailure: (fault: unknown) => void },
  ) {
    this.fingerprint = fingerprint
    this.registration = registration
    this.#open = open
    this.#onFailure = onFailure
  }

  /** The newest service in place of this one. */
  get current(): Instance {
    return this.successor?.current ?? this
  }

  get isClosed(): boolean {
    return this.#closing !== undefined
  }

  /** The open service. Rejects with `NotOpen` until another attempt is due: one second after the first, then every two. */
  running(): Promise<Running> {
    if (this.#opening !== undefined) return this.#opening
    const failure = this.#failure
    if (failure !== undefined && (failure.reason.isFinal || performance.now() - failure.at < (failure.attempts === 1 ? 1000 : 2000)))
      return Promise.reject(failure.reason)
    this.#opening = this.#open().then(
      (running) => {
        this.#failure = undefined
        return running
      },
      (fault: unknown) => {
        this.#opening = undefined
        if (failure === undefined) this.#onFailure(fault)
        const reason = notOpen(fault)
        this.#failure = { reason, at: performance.now(), attempts: (failure?.attempts ?? 0) + 1 }
        throw reason
      },
    )
    return this.#opening
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      const running = await this.#opening?.catch(() => undefined)
      await running?.close()
    })()
    return this.#closing
  }
}

export const notOpen = (fault: unknown) => new NotOpen({ fault, isFinal: endingOf(fault)?.code === codes.configuration })

interface Registration {
  /** What the configuration says; equal for the same configuration in another module graph. */
  readonly fingerprint: string
  /** Grows with each handle of the process. */
  readonly registration: number
}

interface Registry {
  registrations: number
  /** By database. */
  readonly instances: Map<string, ReadonlyArray<Instance>>
}

const symbol = Symbol.for("sallyport/instances/2")

/** Shared by every copy of this module: bundlers of frameworks evaluate a file in several module graphs of one process. */
const registry = (): Registry => {
  const global = globalThis as { [symbol]?: Registry }
  global[symbol] ??= { registrations: 0, instances: new Map() }
  return global[symbol]
}

export const register = (): number => {
  const known = registry()
  known.registrations += 1
  return known.registrations
}

/** Whether modules are evaluated again after an edit: then the newest one replaces what the older ones opened. */
const isReloaded = () => process.env["NODE_ENV"] === "development"

/**
 * The instance for a database, `key`: one for each configuration. In development, a newer configuration closes the older one, which would
 * hold its connections or its data directory. Without a key it is never shared.
 */
export const instanceFor = (
  key: string | undefined,
  { fingerprint, registration }: Registration,
  { open, onFailure, onSecond }: ConstructorParameters<typeof Instance>[1] & { readonly onSecond: () => void },
): Instance => {
  const { instances } = registry()
  const known = key === undefined ? [] : (instances.get(key) ?? [])
  const opened = known.filter(({ isClosed }) => !isClosed)
  const existing = opened.find((each) => each.fingerprint === fingerprint || (isReloaded() && each.registration > registration))
  if (existing !== undefined) return existing
  const replaced = isReloaded() ? opened : []
  /** Hold the database until they are closed. */
  const before = [...known.filter(({ isClosed }) => isClosed), ...replaced]
  const made = new Instance(
    { fingerprint, registration },
    { onFailure, open: () => Promise.allSettled(before.map((each) => each.close())).then(open) },
  )
  for (const each of replaced) each.successor = made
  if (replaced.length < opened.length) onSecond()
  if (key !== undefined) instances.set(key, isReloaded() ? [made] : [...opened, made])
  return made
}
