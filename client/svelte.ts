import type { SessionOf, WithSession } from "./session.ts"
import { pending, type SessionState } from "./session-store.ts"

/** The session as a Svelte store: `const session = sessionStore(client)`, then `$session`. It begins with what the server rendered. */
export const sessionStore = ({ $session }: WithSession, rendered: SessionState<SessionOf> = pending) => ({
  subscribe: (run: (state: SessionState<SessionOf>) => void): (() => void) => {
    const tell = () => {
      const state = $session.get()
      run(state.status === "pending" ? rendered : state)
    }
    tell()
    return $session.subscribe(tell)
  },
})
