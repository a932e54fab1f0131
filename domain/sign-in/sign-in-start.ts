import { Context, Effect } from "effect"
import { Policies, type SignInStart } from "../policies.ts"
import { joinedMethods } from "../sessions/session-renewal.ts"

interface Known {
  /** Null or absent: the sign-in begins with the current operation. */
  readonly path?: string | null
  readonly provider_id?: string | null
  readonly methods?: string | null
}

/** The first step of the current sign-in, if an earlier operation was that step. */
export const KnownStart = Context.Reference<Known>("sallyport/KnownStart", { defaultValue: () => ({}) })

/** The first step of the current sign-in. */
export const signInStart = Effect.gen(function* () {
  const { path, provider_id = null } = yield* KnownStart
  const start: SignInStart = { path: path ?? (yield* Policies).endpoint.path, provider_id }
  return start
})

/** The methods that the user has authenticated by in this sign-in, in the form that a session stores. */
export const shownMethods = Effect.gen(function* () {
  const { methods: earlier = null } = yield* KnownStart
  const { methods = [] } = (yield* Policies).endpoint
  return joinedMethods([...(earlier === null ? [] : earlier.split(" ")), ...methods])
})
