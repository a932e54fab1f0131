import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Deferred, Effect, Exit, Scope, Semaphore } from "effect"
import type { SqlError } from "effect/sql"
import * as Servers from "./servers.ts"

/** An open connection. It is removed from its pool when it breaks. */
export interface PooledConnection {
  readonly connection: PgConnection.PgConnection
  /** When it was opened, by `performance.now()`. */
  readonly opened: number
  /** How many statements or transactions wait for its results. */
  load: number
  /** When it began to work, or last had a result, by `performance.now()`. */
  since: number
  /** How many of them are commits: what follows on this connection waits until the disk, and a synchronous standby, have stored them. */
  commits: number
  /** Closes it at once; statements that wait for a result fail. */
  readonly destroy: () => void
}

/** Connections of one kind. A failed attempt to connect fails all callers that wait for it; the next call starts a new attempt. */
export interface Pool {
  /**
   * An open connection, without waiting; undefined when none is open that has results, and another one can be opened. Commits go to the least busy one, so that they wait for disk and
   * standby at the same time. Other statements go where no commit waits.
   */
  readonly available: (isCommit: boolean) => PooledConnection | undefined
  readonly acquire: Effect.Effect<PooledConnection, SqlError.SqlError>
  readonly usage: () => Usage
  readonly close: () => void
}

/** How many connections are open, and how many of them have work. */
export interface Usage {
  readonly open: number
  readonly used: number
}

/** The open connections of a pool. */
class Connections extends Set<PooledConnection> {
  isClosed = false

  /** A connection that is still being opened is closed as soon as it is open: it would keep a process alive that has nothing left to do. */
  close() {
    this.isClosed = true
    for (const connection of this) connection.destroy()
  }
}

const usageOf = (open: Connections): Usage => ({ open: open.size, used: [...open].filter(({ load }) => load > 0).length })

/** Connections that many statements share; another one is opened when a statement finds no suitable one. */
export const shared = (config: Servers.Config, size: number): Pool => {
  const open = new Connections()
  let opening: Deferred.Deferred<PooledConnection, SqlError.SqlError> | undefined

  const openAnother = () => {
    if (opening !== undefined) return opening
    const attempt = Deferred.makeUnsafe<PooledConnection, SqlError.SqlError>()
    opening = attempt
    Effect.runFork(connect(config, open)).addObserver((exit) => {
      opening = undefined
      Deferred.doneUnsafe(attempt, exit)
    })
    return attempt
  }
  const available = (isCommit: boolean) => {
    let least: PooledConnection | undefined
    for (const connection of open) {
      if (!isCommit && connection.commits === 0 && connection.load < busyFrom && !isStuck(connection)) return connection
      // Of equals, commits take the last one and other statements the first one, so that they rarely meet.
      if (least === undefined || weight(connection) < weight(least) || (isCommit && weight(connection) === weight(least)))
        least = connection
    }
    if (least === undefined || least.load === 0 || open.size >= size) return least
    openAnother()
    return isStuck(least) ? undefined : least
  }
  return { available, acquire: Effect.suspend(() => Deferred.await(openAnother())), usage: () => usageOf(open), close: () => open.close() }
}

/** A connection with at least this load counts as busy for statements that do not commit. */
const busyFrom = 16

/** Whether a statement has had no result for so long that it may wait for a lock; what follows it on the connection would wait as well. */
const isStuck = ({ load, since }: PooledConnection) => load > 0 && performance.now() - since > stuckAfter
const stuckAfter = 200

const weight = (connection: PooledConnection) => connection.load + (isStuck(connection) ? 1000 : 0)

/** Connections that serve one caller at a time. */
export const exclusive = (config: Servers.Config, size: number) => {
  const open = new Connections()
  const idle: Array<PooledConnection> = []
  const permits = Semaphore.makeUnsafe(size)
  const take = Effect.suspend(() => {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop())
      if (open.has(connection)) return Effect.succeed(connection)
    return connect(config, open)
  })
  return {
    use: <A, E>(use: (connection: PooledConnection) => Effect.Effect<A, E>) =>
      permits.withPermit(
        Effect.flatMap(take, (connection) =>
          Effect.ensuring(
            use(connection),
            Effect.sync(() => void idle.push(connection)),
          ),
        ),
      ),
    usage: () => usageOf(open),
    close: () => open.close(),
  }
}

const connect = (config: Servers.Config, open: Connections): Effect.Effect<PooledConnection, SqlError.SqlError> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const { connection, socket } = yield* Servers.connect({ ...config, multiplex: true }).pipe(Scope.provide(scope))
    const closeScope = Effect.suspend(() => Scope.close(scope, Exit.void))
    const pooled: PooledConnection = {
      connection,
      opened: performance.now(),
      load: 0,
      since: 0,
      commits: 0,
      destroy: () => {
        open.delete(pooled)
        Effect.runFork(closeScope)
        setTimeout(() => socket?.destroy(), terminateTimeout).unref()
      },
    }
    socket?.once("close", () => open.delete(pooled))
    if (open.isClosed) pooled.destroy()
    else if (socket?.destroyed === false) open.add(pooled)
    return pooled
  })

/** Milliseconds for PostgreSQL's Terminate message to be sent; without it, closing would wait for a server that no longer answers. */
const terminateTimeout = 1000
