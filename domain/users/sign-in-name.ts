import { Effect, Option } from "effect"
import { find } from "../ports/store.ts"
import { Users } from "./tables.ts"

/** The name that a user types to sign in, and the id of the user who has it. The lookup takes as long for unknown as for known names. */
export interface SignInName<out R> {
  /** Such as `email`, or a kind of a module: unknown names of each kind have budgets of their own. */
  readonly kind: string
  readonly name: string
  readonly owner: Effect.Effect<Option.Option<string>, never, R>
}

/** An email address as sign-in name. */
export const byEmail = (email: string) => {
  const user = find(Users, { email })
  return {
    kind: "email" as const,
    name: email,
    owner: user.pipe(Effect.map(Option.map(({ id }) => id))),
  }
}
