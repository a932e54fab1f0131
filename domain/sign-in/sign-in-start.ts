import { Context, Effect } from "effect"
import { Policies, type SignInStart } from "../policies.ts"

/** The start of the sign-in in hand, as far as it differs from the operation in hand. */
export const KnownStart = Context.Reference<Partial<{ readonly [Member in keyof SignInStart]: SignInStart[Member] | null }>>(
  "sallyport/KnownStart",
  { defaultValue: () => ({}) },
)

/** The first step of the sign-in in hand. */
export const signInStart = Effect.gen(function* () {
  const { path, provider_id = null } = yield* KnownStart
  const start: SignInStart = { path: path ?? (yield* Policies).endpoint.path, provider_id }
  return start
})
