import { Effect, Struct } from "effect"
import type { SecurityEvent } from "../../domain/events/security-event.ts"
import { requestNetwork } from "../../domain/limits/client-network.ts"
import type { SignInName } from "../../domain/users/sign-in-name.ts"

/** A refused call, which has no commit of its own. */
export interface Failure {
  readonly event: SecurityEvent
  /** The name that was typed: its owner is looked up later, so that the answer does not wait for it. */
  readonly name: SignInName<never> | null
}

/** The maximum number of failures that wait or are counted. */
export const capacity = 10_000
/** The maximum number of different failures of one network that are counted; the others share one event. */
export const perNetwork = 20
/**
 * Milliseconds of the windows whose repeats share an event: they end 2, 10 and 60 seconds after the first failure. All further windows are as
 * long as `lastWindow`.
 */
const windows = [2_000, 8_000, 50_000]
const lastWindow = 60_000

/** Equal failures whose repeats are counted. */
interface Counted {
  readonly network: string
  /** The end of the current window, milliseconds since 1970, and its number. */
  until: number
  window: number
  repeats: number
  last: Failure
}

/**
 * Failures that wait to be stored. The first of equal ones is stored at once. The others share one record with their number in each window,
 * and so do all beyond `perNetwork`. Otherwise an attacker could fill the store. The windows grow, so that few repeats are lost when the
 * process is killed soon after them.
 */
export const makeFailures = () => {
  const waiting: Array<Failure> = []
  const open = new Map<string, Counted>()
  const networks = new Map<string, number>()
  let dropped = 0

  const add = (given: Failure, now: number) => {
    const network = requestNetwork(given.event.ip_address)
    const isFull = !open.has(keyOf(given)) && (networks.get(network) ?? 0) >= perNetwork
    const failure = isFull ? anonymous(given) : given
    const key = keyOf(failure)
    const repeated = open.get(key)
    if (repeated !== undefined) {
      repeated.repeats += 1
      repeated.last = failure
      return
    }
    if (open.size >= capacity || waiting.length >= capacity) {
      dropped += 1
      return
    }
    open.set(key, { network, until: now + lengthOf(0), window: 0, repeats: 0, last: failure })
    networks.set(network, (networks.get(network) ?? 0) + 1)
    waiting.push(failure)
  }

  const forget = (key: string, network: string) => {
    open.delete(key)
    const others = (networks.get(network) ?? 1) - 1
    if (others === 0) networks.delete(network)
    else networks.set(network, others)
  }

  /** Ends a window. The count goes on, unless a window of 50 seconds or more had no repeats: then the next failure is a first one again. */
  const endWindow = (key: string, counted: Counted, now: number) => {
    const { network, repeats, last, window } = counted
    if (repeats === 0 && window >= windows.length - 1) return forget(key, network)
    if (repeats > 0) waiting.push({ ...last, event: { ...last.event, count: repeats } })
    counted.repeats = 0
    counted.window = window + 1
    counted.until = now + lengthOf(counted.window)
  }

  /** Removes and returns what is due, and the number of failures that found no place. */
  const drain = (now: number) => {
    for (const [key, counted] of open) if (counted.until <= now) endWindow(key, counted, now)
    const lost = dropped
    dropped = 0
    return { due: waiting.splice(0), lost }
  }

  /** Puts failures back that could not be stored. */
  const restore = (failures: ReadonlyArray<Failure>) => {
    const kept = failures.slice(0, capacity - waiting.length)
    waiting.unshift(...kept)
    dropped += failures.length - kept.length
  }
  return { add, drain, restore }
}
export type Failures = ReturnType<typeof makeFailures>

const lengthOf = (window: number) => windows[window] ?? lastWindow

/** The member of `data` with the user whom a refused call names. */
export const refusedTarget = "target_user_id"

/** A failure without its subject and target. */
const anonymous = ({ event }: Failure): Failure => {
  const data = Struct.omit(event.data, [refusedTarget])
  return { event: { ...event, data, subject: { kind: "visitor", id: null } }, name: null }
}

const keyOf = ({ event: { type, reason, subject, ip_address, data }, name }: Failure) =>
  JSON.stringify([type, reason, subject, name?.name, requestNetwork(ip_address), data])

/** The owner of the typed name as subject; for an unknown name its keyed hash. */
export const withSubject = Effect.fnUntraced(function* withSubject<R>(
  { event, name }: Failure,
  hash: (name: string) => Effect.Effect<string, never, R>,
) {
  if (name === null || event.subject.kind === "user") return event
  const owner = yield* name.owner
  if (owner._tag === "Some") return { ...event, subject: { kind: "user", id: owner.value } } satisfies SecurityEvent
  return { ...event, subject: { kind: "identifier", id: yield* hash(name.name) } } satisfies SecurityEvent
})
