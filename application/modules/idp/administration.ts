import { Effect, Schema } from "effect"
import { Forbidden } from "../../../domain/errors.ts"
import { CurrentSession } from "../../../domain/sessions/caller.ts"
import { hasAdministratorRights } from "../../../domain/users/administrators.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { rotateKeys } from "./keys/signing-keys.ts"
import type { Settings } from "./settings.ts"

/** Fails unless the caller is an administrator. */
export const administratorsOnly = Endpoint.guard(
  [Forbidden],
  Effect.gen(function* () {
    const { user } = yield* CurrentSession
    if (!(yield* hasAdministratorRights(user))) return yield* new Forbidden()
  }),
)

/** Begins a rotation of the signing keys before it is due. */
export const rotate = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/rotate-keys",
    summary: "Publishes the next signing keys, which sign after a day. Adds none while such keys are published already.",
    access: "session",
    guard: administratorsOnly,
    input: Endpoint.NoInput,
    output: Schema.Struct({ added: Schema.Int }),
    handler: Effect.fnUntraced(function* identityProviderRotateKeys() {
      return Endpoint.reply({ added: yield* rotateKeys(settings) })
    }),
  })
