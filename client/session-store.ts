import type { Result } from "./http.ts"

/** The state of the session: not read yet, absent, or present with its user. */
export type SessionState<Session> =
  | { readonly status: "pending" }
  | { readonly status: "anonymous" }
  | ({ readonly status: "authenticated" } & Session)

/** The session as the page last read it. Bindings for frameworks use `get` and `subscribe`. */
export interface SessionStore<Session> {
  readonly get: () => SessionState<Session>
  /** Calls the listener after each change; returns the function that removes the listener. The session is read when listening starts. */
  readonly subscribe: (listener: () => void) => () => void
  readonly refresh: () => Promise<SessionState<Session>>
  /** Takes over the session that the server rendered. Does nothing on a server, where all visitors share the module. */
  readonly hydrate: (session: SessionState<Session>) => void
}

/** The minimum time between two reads when the page becomes visible, in milliseconds. */
const mostOften = 5000

export const pending = { status: "pending" } as const

export const makeSessionStore = <Session extends { readonly session: object; readonly user: object }>(
  name: string,
  read: () => Promise<Result<Session | { readonly session: null; readonly user: null }, string>>,
  isOneUsers = typeof document === "object",
): SessionStore<Session> & { readonly changed: () => void } => {
  const inBrowser = typeof document === "object"
  const channel = inBrowser ? new BroadcastChannel(name) : undefined
  const listeners = new Set<() => void>()
  let state: SessionState<Session> = pending
  let running: Promise<SessionState<Session>> | undefined
  let isStale = false
  let isHydrated = false
  let isListening = false
  let lastRead = 0

  const become = (next: SessionState<Session>) => {
    if (JSON.stringify(next) === JSON.stringify(state)) return
    state = next
    for (const listener of listeners) listener()
  }
  /** Reads again if the session changed during a read, so that an outdated response never replaces a newer one. */
  const readLatest = async () => {
    try {
      do {
        isStale = false
        lastRead = Date.now()
        const { data, error } = await read()
        if (isStale) continue
        if (data?.session) become({ status: "authenticated", ...(data as Session) })
        else if (data || error?.status === 401) become({ status: "anonymous" })
      } while (isStale)
    } finally {
      // This also runs if a listener throws: otherwise no read would ever start again.
      running = undefined
    }
    return state
  }
  const refresh = () => {
    isStale = true
    running ??= readLatest()
    return running
  }
  const onVisible = () => {
    if (document.visibilityState === "visible" && Date.now() - lastRead >= mostOften) refresh()
  }
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) refresh()
  }
  const listen = (change: "addEventListener" | "removeEventListener") => {
    isListening = change === "addEventListener"
    if (!inBrowser) return
    channel?.[change]("message", refresh)
    document[change]("visibilitychange", onVisible)
    globalThis[change]("online", refresh)
    globalThis[change]("pageshow", onPageShow as EventListener)
    // A server action may have signed in or out before it led here.
    globalThis.navigation?.[change]("navigatesuccess", refresh)
  }
  /** Runs in a microtask: if a page replaces its only listener, the store keeps listening and does not read the session again. */
  const stopUnlessHeard = () => {
    if (!isListening || listeners.size) return
    listen("removeEventListener")
    isHydrated = false
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      if (isOneUsers && !isListening) {
        listen("addEventListener")
        // Without a listener, the store did not receive the changes of other tabs.
        if (!isHydrated) refresh()
      }
      return () => {
        listeners.delete(listener)
        queueMicrotask(stopUnlessHeard)
      }
    },
    refresh,
    hydrate: (session) => {
      if (!isOneUsers) return
      isHydrated = session.status !== "pending"
      become(session)
    },
    changed: () => {
      channel?.postMessage(0)
      if (isOneUsers) refresh()
    },
  }
}
