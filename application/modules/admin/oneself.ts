import { Effect } from "effect"
import { CurrentPrincipal } from "../../../domain/administration/principal.ts"
import { invalidMember } from "../../../domain/errors.ts"

/** Refuses administrators who act on themselves, so that they cannot lock themselves out. */
export const notOneself = Effect.fnUntraced(function* notOneself(userId: string) {
  const { kind, id } = yield* CurrentPrincipal
  if (kind === "user" && id === userId) return yield* invalidMember("user_id", "administrators cannot do this to themselves")
})
