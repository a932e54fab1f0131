import { Data } from "effect"

/** The database is not what it has to be, in a way that only its owner can decide on. */
export class DatabaseRefused extends Data.TaggedError("DatabaseRefused")<{
  readonly reason: string
  /** What to run, once it has been decided. */
  readonly statement: string
}> {
  override get message() {
    return `${this.reason}. Sallyport does not change this by itself; to do so, run: ${this.statement}`
  }
}
