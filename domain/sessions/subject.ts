import { Context, Effect } from "effect"
import type { SignInName } from "../users/sign-in-name.ts"

interface Noted {
  user_id: string | null
  name: SignInName<never> | null
  /** Whether the caller, who called an endpoint of administrators, has no rights of one. */
  is_ordinary: boolean
}

/** The user whom the current operation is about, for observing modules. Undefined if no module observes. */
export const Subject = Context.Reference<Noted | undefined>("sallyport/Subject", { defaultValue: () => undefined })

/** No user and no name are known yet. */
export const emptySubject = (): Noted => ({ user_id: null, name: null, is_ordinary: false })

/** Records the user whom a credential, a challenge or a mailbox belongs to. */
export const noteUser = (user_id: string) =>
  Effect.map(Subject, (noted) => {
    if (noted !== undefined) noted.user_id = user_id
  })

/** Records that the caller of an endpoint of administrators is none. */
export const noteOrdinary = Effect.map(Subject, (noted) => {
  if (noted !== undefined) noted.is_ordinary = true
})

/** Records the name of a sign-in attempt. Its owner is looked up only if a module observes the operation. */
export const noteName = Effect.fnUntraced(function* noteName<R>({ owner, ...typed }: SignInName<R>) {
  const noted = yield* Subject
  const services = yield* Effect.context<R>()
  if (noted !== undefined) noted.name = { ...typed, owner: Effect.provide(owner, services) }
})
