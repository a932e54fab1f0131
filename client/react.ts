import { type HTMLAttributes, type RefAttributes, useSyncExternalStore } from "react"
import type { Elements } from "./elements/types.ts"
import type { SessionOf, WithSession } from "./session.ts"
import { pending, type SessionState } from "./session-store.ts"

type UseSession = (client: WithSession, rendered?: SessionState<SessionOf>) => SessionState<SessionOf>

const inBrowser: UseSession = ({ $session }, rendered = pending) => {
  const state = useSyncExternalStore($session.subscribe, $session.get, () => rendered)
  return state.status === "pending" ? rendered : state
}

/**
 * The session, for a component. `rendered` is the state that the server rendered: the first render in the browser uses it too, so that
 * hydration finds no difference. Pass the same object at every render, as the props of a server component are.
 */
// On a server it calls no hook: Next.js renders with another React than the one that an external package imports.
export const useSession: UseSession = typeof window === "undefined" ? (_, rendered = pending) => rendered : inBrowser

type OfReact = { [Name in keyof Elements]: HTMLAttributes<HTMLElement> & RefAttributes<HTMLElement> & Elements[Name] }

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends OfReact {}
  }
}
