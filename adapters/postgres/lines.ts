import type { Duplex } from "node:stream"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Deferred, Effect, Exit, Scope, Semaphore } from "effect"
import type { SqlError } from "effect/sql"

/** How to reach a database: everything but the connection's own transport. */
export interface Config extends PgConnection.Config {
  readonly stream: () => Duplex
}

/** An open connection. It leaves the set it stands in by itself when it breaks. */
export interface Line {
  readonly connection: PgConnection.PgConnection
  /** How many wait for an answer on it. */
  load: number
  /** Ends it at once; whoever waits on it fails. */
  readonly cut: () => void
}

/** Connections of one kind. A failed attempt to connect fails all who wait for it, and the next one asked starts anew. */
export interface Lines {
  /** A connection with room, without waiting, if there is one. */
  readonly ready: () => Line | undefined
  readonly get: Effect.Effect<Line, SqlError.SqlError>
  readonly hangUp: () => void
}

/** Connections that many statements share; another one is opened when all have their hands full. */
export const shared = (config: Config, size: number): Lines => {
  const open = new Set<Line>()
  let opening: Deferred.Deferred<Line, SqlError.SqlError> | undefined

  const more = () => {
    if (opening !== undefined) return opening
    const attempt = Deferred.makeUnsafe<Line, SqlError.SqlError>()
    opening = attempt
    Effect.runFork(dial(config, open)).addObserver((exit) => {
      opening = undefined
      Deferred.doneUnsafe(attempt, exit)
    })
    return attempt
  }
  const ready = () => {
    let least: Line | undefined
    for (const line of open) {
      if (line.load < plenty) return line
      if (least === undefined || line.load < least.load) least = line
    }
    if (least !== undefined && open.size < size) more()
    return least
  }
  return { ready, get: Effect.suspend(() => Deferred.await(more())), hangUp: () => hangUp(open) }
}

/** Below this many waiting answers a connection is not worth a second one beside it. */
const plenty = 16

/** Connections that belong to one at a time. */
export const owned = (config: Config, size: number) => {
  const open = new Set<Line>()
  const idle: Array<Line> = []
  const permits = Semaphore.makeUnsafe(size)
  const take = Effect.suspend(() => {
    for (let line = idle.pop(); line !== undefined; line = idle.pop()) if (open.has(line)) return Effect.succeed(line)
    return dial(config, open)
  })
  return {
    use: <A, E>(use: (line: Line) => Effect.Effect<A, E>) =>
      permits.withPermit(
        Effect.flatMap(take, (line) =>
          Effect.ensuring(
            use(line),
            Effect.sync(() => void idle.push(line)),
          ),
        ),
      ),
    hangUp: () => hangUp(open),
  }
}

const hangUp = (open: Set<Line>) => {
  for (const line of open) line.cut()
}

const dial = (config: Config, open: Set<Line>): Effect.Effect<Line, SqlError.SqlError> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    let socket: Duplex | undefined
    const stream = () => {
      socket = config.stream()
      return socket
    }
    const connection = yield* PgConnection.make({ ...config, stream, multiplex: true }).pipe(Scope.provide(scope))
    const end = Effect.suspend(() => Scope.close(scope, Exit.void))
    const line: Line = {
      connection,
      load: 0,
      cut: () => {
        open.delete(line)
        Effect.runFork(end)
        setTimeout(() => socket?.destroy(), grace).unref()
      },
    }
    socket?.once("close", () => open.delete(line))
    if (socket?.destroyed === false) open.add(line)
    return line
  })

/** For the farewell to leave; a server that is gone does not take it. */
const grace = 1000
