import { Context, Effect } from "effect"
import { Policies, type SignInStart } from "../policies.ts"
import { joinedMethods } from "../sessions/session.ts"
import type { Authentication } from "../sessions/sign-in.ts"

interface Known {
  /** Null or absent: the sign-in begins with the current operation. */
  readonly path?: string | null
  readonly provider_id?: string | null
  readonly methods?: string | null
  readonly is_sign_up?: boolean | null
}

/** The first step of the current sign-in, if an earlier operation was that step. */
export const KnownStart = Context.Reference<Known>("sallyport/KnownStart", { defaultValue: () => ({}) })

/** The first step of the current sign-in. `proof`: what the user has proved by the current operation. */
export const signInStart = Effect.fnUntraced(function* signInStart(proof: Authentication | "hand_off") {
  const { path, provider_id = null, is_sign_up } = yield* KnownStart
  const start: SignInStart = {
    path: path ?? (yield* Policies).endpoint.path,
    provider_id,
    is_sign_up: is_sign_up === true || proof === "registration",
  }
  return start
})

/** The methods that the user has authenticated by in this sign-in, in the form that a session stores. */
export const shownMethods = Effect.gen(function* () {
  const { methods: earlier = null } = yield* KnownStart
  const { methods = [] } = (yield* Policies).endpoint
  return joinedMethods([...(earlier === null ? [] : earlier.split(" ")), ...methods])
})
