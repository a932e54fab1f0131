import type { Result } from "./http.ts"

/** What is known of the session: nothing yet, that there is none, or the session and its user. */
export type SessionState<Session> =
  | { readonly status: "pending" }
  | { readonly status: "anonymous" }
  | ({ readonly status: "authenticated" } & Session)

/** The session as the page knows it. `get` and `subscribe` are what bindings of frameworks need. */
export interface SessionStore<Session> {
  readonly get: () => SessionState<Session>
  /** Calls the listener after each change; returns the function that ends it. The first listener of a page reads the session. */
  readonly subscribe: (listener: () => void) => () => void
  readonly refresh: () => Promise<SessionState<Session>>
  /** Takes over the session that the server rendered. Does nothing on a server, where all visitors share the module. */
  readonly hydrate: (session: SessionState<Session>) => void
}

/** The milliseconds between two readings when the page becomes visible. */
const mostOften = 5000

export const pending = { status: "pending" } as const

export const makeSessionStore = <Session extends { readonly session: object; readonly user: object }>(
  name: string,
  read: () => Promise<Result<Session | { readonly session: null; readonly user: null }, string>>,
): SessionStore<Session> & { readonly changed: () => void } => {
  const inBrowser = typeof document === "object"
  const channel = inBrowser ? new BroadcastChannel(name) : undefined
  const listeners = new Set<() => void>()
  let state: SessionState<Session> = pending
  let running: Promise<SessionState<Session>> | undefined
  let isStale = false
  let lastRead = 0

  const become = (next: SessionState<Session>) => {
    if (JSON.stringify(next) === JSON.stringify(state)) return
    state = next
    for (const listener of listeners) listener()
  }
  /** Reads until nothing changed during the reading, so that a late answer never replaces a newer one. */
  const readLatest = async () => {
    do {
      isStale = false
      lastRead = Date.now()
      const { data, error } = await read()
      if (isStale) continue
      if (data?.session) become({ status: "authenticated", ...(data as Session) })
      else if (data || error?.status === 401) become({ status: "anonymous" })
    } while (isStale)
    running = undefined
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
    channel?.[change]("message", refresh)
    document[change]("visibilitychange", onVisible)
    globalThis[change]("online", refresh)
    globalThis[change]("pageshow", onPageShow as EventListener)
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      if (inBrowser && !listeners.size) {
        listen("addEventListener")
        if (state === pending) refresh()
      }
      listeners.add(listener)
      return () => {
        if (listeners.delete(listener) && inBrowser && !listeners.size) listen("removeEventListener")
      }
    },
    refresh,
    hydrate: (session) => {
      if (inBrowser) become(session)
    },
    changed: () => {
      channel?.postMessage(0)
      if (inBrowser) refresh()
    },
  }
}
