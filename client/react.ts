import { useSyncExternalStore } from "react"
import type { SessionOf } from "./session.ts"
import type { SessionState, SessionStore } from "./session-store.ts"
import { pending } from "./session-store.ts"

interface WithSession {
  readonly $session: SessionStore<SessionOf>
}

/**
 * The session, for a component. `rendered` is what the server rendered with: the first render in the browser repeats it, so that hydration
 * finds no difference. Keep its identity, as props of a server component do.
 */
export const useSession = ({ $session }: WithSession, rendered: SessionState<SessionOf> = pending): SessionState<SessionOf> => {
  const state = useSyncExternalStore($session.subscribe, $session.get, () => rendered)
  return state.status === "pending" ? rendered : state
}
