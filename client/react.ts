import { type HTMLAttributes, type RefAttributes, useSyncExternalStore } from "react"
import type { Elements } from "./elements/types.ts"
import type { SessionOf, WithSession } from "./session.ts"
import { pending, type SessionState } from "./session-store.ts"

/**
 * The session, for a component. `rendered` is the state that the server rendered: the first render in the browser uses it too, so that
 * hydration finds no difference. Pass the same object at every render, as the props of a server component are.
 */
export const useSession = ({ $session }: WithSession, rendered: SessionState<SessionOf> = pending): SessionState<SessionOf> => {
  const state = useSyncExternalStore($session.subscribe, $session.get, () => rendered)
  return state.status === "pending" ? rendered : state
}

type OfReact = { [Name in keyof Elements]: HTMLAttributes<HTMLElement> & RefAttributes<HTMLElement> & Elements[Name] }

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends OfReact {}
  }
}
