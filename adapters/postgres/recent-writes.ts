import { performance } from "node:perf_hooks"
import type { Write } from "../../domain/ports/store.ts"
import { changedIds } from "../../domain/sessions/changed-sessions.ts"

/** The sessions and users that this process has changed recently, so that a replica may not have the change yet. */
export interface RecentWrites {
  readonly note: (writes: ReadonlyArray<Write>) => void
  /** Whether one of these ids was changed; true for every id while more changes were made than are remembered. */
  readonly includes: (...ids: ReadonlyArray<string>) => boolean
}

/** Each id is remembered for `millis` to twice as long. Of `most` ids in this time at most, about 100 bytes each. */
export const make = (millis: number, most = 100_000, now = () => performance.now()): RecentWrites => {
  let newer = new Set<string>()
  let older = new Set<string>()
  let end = now() + millis
  const forget = () => {
    const at = now()
    if (at < end) return
    older = at < end + millis ? newer : new Set()
    newer = new Set()
    end = at + millis
  }
  return {
    note: (writes) => {
      forget()
      for (const id of writes.flatMap(changedIds)) if (newer.size < most) newer.add(id)
    },
    includes: (...ids) => {
      forget()
      return newer.size === most || older.size === most || ids.some((id) => newer.has(id) || older.has(id))
    },
  }
}
