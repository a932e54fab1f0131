import { Duplex } from "node:stream"
import type { PGlite } from "@electric-sql/pglite"

/** Bytes that a connection has written and that wait to be executed. */
interface Turn {
  readonly connection: Duplex
  readonly bytes: Uint8Array
  readonly done: (error?: Error) => void
}

/**
 * Connections to a database with a single session. Each write of the driver consists of whole messages up to a Sync and is executed as a
 * unit. While a transaction is open, only the connection that opened it is served.
 */
export class Session {
  readonly #pglite: PGlite
  readonly #before: (connection: Duplex) => Promise<unknown>
  readonly #waiting: Array<Turn> = []
  readonly #pauses: Array<() => Promise<void>> = []
  #busy = false
  #holder: Duplex | undefined

  /** `beforeTurn` runs before each turn: tests use it to share one session between several databases. */
  constructor(pglite: PGlite, beforeTurn: (connection: Duplex) => Promise<unknown> = async () => {}) {
    this.#pglite = pglite
    this.#before = beforeTurn
  }

  /** A duplex stream for the driver, which writes protocol messages and reads the answers. */
  connect(): Duplex {
    const connection: Duplex = new Duplex({
      read: () => {},
      write: (bytes: Uint8Array, _encoding, done) => {
        this.#waiting.push({ connection, bytes, done })
        void this.#work()
      },
      final: (done) => {
        connection.push(null)
        done()
      },
      destroy: (error, done) => {
        this.#leave(connection).then(() => done(error), done)
      },
    })
    return connection
  }

  /** Runs the work while no statement is executed and no transaction is open. */
  paused<A>(work: () => Promise<A>): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#pauses.push(() => work().then(resolve, reject))
      void this.#work()
    })
  }

  async #work(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    for (let step = this.#next(); step !== undefined; step = this.#next()) await step()
    this.#busy = false
  }

  #next(): (() => Promise<void>) | undefined {
    if (this.#holder === undefined && this.#pauses.length > 0) return this.#pauses.shift()
    const at = this.#holder === undefined ? 0 : this.#waiting.findIndex(({ connection }) => connection === this.#holder)
    const turn = at < 0 ? undefined : this.#waiting.splice(at, 1)[0]
    return turn && (() => this.#serve(turn))
  }

  async #serve({ connection, bytes, done }: Turn): Promise<void> {
    try {
      await this.#before(connection)
      await this.#pglite.execProtocolRawStream(bytes, {
        syncToFs: false,
        onRawData: (answer) => {
          if (!connection.destroyed) connection.push(Uint8Array.from(answer))
        },
      })
      this.#holder = this.#pglite.isInTransaction() ? connection : undefined
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Closing a connection rolls its open transaction back, as on a server. */
  async #leave(connection: Duplex): Promise<void> {
    if (this.#holder !== connection) return
    await this.#pglite.exec("ROLLBACK")
    this.#holder = undefined
    void this.#work()
  }
}
