import { Context, Effect } from "effect"
import type { SignInName } from "./sign-in-name.ts"

interface Noted {
  user_id: string | null
  name: SignInName<never> | null
}

/** Whom the current operation is about, for the modules that observe it. Undefined where no module does: then nothing is kept. */
export const Subject = Context.Reference<Noted | undefined>("sallyport/Subject", { defaultValue: () => undefined })

/** Nothing is known yet. */
export const nothingNoted = (): Noted => ({ user_id: null, name: null })

/** Keeps the user whom a credential, a challenge or a mailbox belongs to. */
export const noteUser = (user_id: string) =>
  Effect.map(Subject, (noted) => {
    if (noted !== undefined) noted.user_id = user_id
  })

/** Keeps the name that a sign-in was attempted with. Its owner is looked up only if a module observes the operation. */
export const noteName = Effect.fnUntraced(function* noteName<R>({ owner, ...typed }: SignInName<R>) {
  const noted = yield* Subject
  const services = yield* Effect.context<R>()
  if (noted !== undefined) noted.name = { ...typed, owner: Effect.provide(owner, services) }
})
