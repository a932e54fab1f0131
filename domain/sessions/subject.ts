import { Context, Effect } from "effect"
import type { SignInName } from "../users/sign-in-name.ts"

interface Noted {
  user_id: string | null
  name: SignInName<never> | null
  /** Whether the caller, who called an endpoint of administrators, has no rights of one. */
  is_ordinary: boolean
  /** The users whom the caller, an administrator, has looked up. */
  readonly reached: Set<string>
  /** The users of whom the caller, an administrator, was shown private attributes. */
  readonly shown_private: Set<string>
}

/** The user whom the current operation is about, for observing modules. Undefined if no module observes. */
export const Subject = Context.Reference<Noted | undefined>("sallyport/Subject", { defaultValue: () => undefined })

/** No user and no name are known yet. */
export const emptySubject = (): Noted => ({
  user_id: null,
  name: null,
  is_ordinary: false,
  reached: new Set(),
  shown_private: new Set(),
})

/** Records the user whom a credential, a challenge or a mailbox belongs to. */
export const noteUser = (user_id: string) =>
  Effect.map(Subject, (noted) => {
    if (noted !== undefined) noted.user_id = user_id
  })

/** Records that the caller of an endpoint of administrators is none. */
export const noteOrdinary = Effect.map(Subject, (noted) => {
  if (noted !== undefined) noted.is_ordinary = true
})

/** Records that the caller, an administrator, has looked up a user. */
export const noteReached = (user_id: string) => Effect.map(Subject, (noted) => void noted?.reached.add(user_id))

/** A look-up that shows nothing of the user whom it finds. */
export const unnoted = Effect.provideService(Subject, undefined)

/** Records that the caller, an administrator, was shown private attributes of these users. */
export const notePrivate = (ids: ReadonlyArray<string>) =>
  Effect.map(Subject, (noted) => {
    for (const id of ids) noted?.shown_private.add(id)
  })

/** Records the name of a sign-in attempt. Its owner is looked up only if a module observes the operation. */
export const noteName = Effect.fnUntraced(function* noteName<R>({ owner, ...typed }: SignInName<R>) {
  const noted = yield* Subject
  const services = yield* Effect.context<R>()
  if (noted !== undefined) noted.name = { ...typed, owner: Effect.provide(owner, services) }
})
