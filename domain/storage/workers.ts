import { DateTime, Duration, Effect, Fiber, Random, Semaphore } from "effect"
import { limits } from "../ports/delivery.ts"

/** What a worker delivers to one receiver: `Row`s that are due, each of which it leases before its attempt. */
export interface Receiver<Row, Leased, R> {
  readonly id: string
  /** At most `page` rows, in groups: the rows of a group are tried one after another. */
  readonly due: Effect.Effect<ReadonlyArray<ReadonlyArray<Row>>, never, R>
  /** "busy" if another process has the group; undefined if the row is done, or has to wait. */
  readonly lease: (row: Row) => Effect.Effect<Leased | "busy" | undefined, never, R>
  /** False if the receiver failed. */
  readonly attempt: (leased: Leased) => Effect.Effect<boolean, never, R>
  /** While it fails, it gets one attempt at a time, and after a failure none before the next round. */
  readonly isFailing: () => boolean
}

/** The number of rows that a receiver lists at once. */
export const page = 100
/** How long a round begins attempts at a receiver as it knows it: after that, one that was changed or removed gets nothing more. */
const turn = Duration.seconds(10)

interface Lane {
  readonly slots: Semaphore.Semaphore
  isListing: boolean
  /** Whether a round was asked for meanwhile: its rows may be newer than the list. */
  isWanted: boolean
  rounds: number
}

type Fork = <R>(work: Effect.Effect<void, never, R>) => Effect.Effect<Fiber.Fiber<void>, never, R>

/**
 * Delivers in the background, with a worker for each receiver: one that hangs delays no other. `start` begins a round for each receiver;
 * a fault of a worker is the fault of the next round. `settled` waits for all attempts that run.
 */
export const makeWorkers = (fork: Fork = Effect.forkChild) => {
  const lanes = new Map<string, Lane>()
  const fibers = new Set<Fiber.Fiber<void>>()
  let faults: ReadonlyArray<unknown> = []
  const keepFault = Effect.catchDefect((fault) =>
    Effect.sync(() => {
      faults = [fault]
    }),
  )

  const startRound = <Row, Leased, R>(receiver: Receiver<Row, Leased, R>) => {
    const lane = lanes.get(receiver.id) ?? { slots: Semaphore.makeUnsafe(limits.concurrency), isListing: false, isWanted: false, rounds: 0 }
    if (lane.isListing) {
      lane.isWanted = true
      return Effect.void
    }
    lanes.set(receiver.id, lane)
    lane.isListing = true
    lane.rounds++
    return Effect.map(fork(keepFault(work(receiver, lane, keepFault))), (fiber) => {
      fibers.add(fiber)
      fiber.addObserver(() => {
        fibers.delete(fiber)
        if (--lane.rounds === 0) lanes.delete(receiver.id)
      })
    })
  }

  return {
    start: Effect.fnUntraced(function* startWorkers<Row, Leased, R>(receivers: ReadonlyArray<Receiver<Row, Leased, R>>) {
      yield* Effect.forEach(receivers, startRound, { discard: true })
      const [fault] = faults
      faults = []
      if (fault !== undefined) return yield* Effect.die(fault)
    }),
    settled: Effect.suspend(() => Fiber.awaitAll([...fibers])),
  }
}

type KeepFault = <R>(work: Effect.Effect<void, never, R>) => Effect.Effect<void, never, R>

/** One round. The next one of the receiver may begin while attempts of this one still run, as long as it has a free slot. */
const work = <Row, Leased, R>(receiver: Receiver<Row, Leased, R>, lane: Lane, keepFault: KeepFault) =>
  Effect.gen(function* workForReceiver() {
    const end = DateTime.addDuration(yield* DateTime.now, turn)
    const running: Array<Fiber.Fiber<void>> = []
    let begun = 0
    /** Tries the rows of a group; false if an attempt failed and no further one may be made. */
    const inOrder = Effect.fnUntraced(function* tryInOrder(group: ReadonlyArray<Row>, isProbe: boolean) {
      for (const row of group) {
        if (DateTime.isGreaterThan(yield* DateTime.now, end)) return false
        const leased = yield* receiver.lease(row)
        if (leased === "busy") return true
        if (leased === undefined) continue
        begun++
        if (!(yield* receiver.attempt(leased)) && isProbe) return false
      }
      return true
    })
    const listed = Effect.gen(function* tryListed() {
      while (true) {
        const before = begun
        lane.isWanted = false
        const groups = yield* receiver.due
        // Other processes may have the same list: in another order, they rarely want the same row at once.
        for (const group of yield* Random.shuffle(groups)) {
          yield* lane.slots.take(1)
          const release = lane.slots.release(1)
          if (receiver.isFailing()) {
            if (!(yield* Effect.ensuring(inOrder(group, true), release))) return
          } else running.push(yield* Effect.forkChild(keepFault(Effect.asVoid(Effect.ensuring(inOrder(group, false), release)))))
        }
        if (!lane.isWanted && (begun === before || groups.flat().length < page)) return
      }
    })
    yield* Effect.ensuring(
      listed,
      Effect.sync(() => {
        lane.isListing = false
      }),
    )
    yield* Fiber.awaitAll(running)
  })
