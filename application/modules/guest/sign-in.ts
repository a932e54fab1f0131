import { Effect, Schema } from "effect"
import { notAdmitted } from "../../../domain/errors.ts"
import { consume, countByNetwork } from "../../../domain/limits/limits.ts"
import { insert, retryOnConflict } from "../../../domain/ports/store.ts"
import { endOf } from "../../../domain/sessions/session.ts"
import { Settings } from "../../../domain/settings.ts"
import { Guests } from "../../../domain/sign-in/guests.ts"
import { issueToNewAccount } from "../../../domain/sign-in/issuing.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import { admit } from "../../../domain/users/admission.ts"
import { newUser } from "../../../domain/users/new-user.ts"
import { User } from "../../../domain/users/user.ts"
import * as Endpoint from "../../service/endpoint.ts"

/** New guests in an hour: of one client network, and of all together. */
const most = { ofNetwork: 10, ofAll: 1000 }
const window = 3600

export const signInGuest = Endpoint.make({
  method: "POST",
  path: "/sign-in/guest",
  summary: "Signs in a new guest: a user without a credential, who can prove an address later.",
  access: "public",
  signsIn: "registration",
  output: Schema.Struct({ user: User }),
  errors: notAdmitted,
  handler: Effect.fnUntraced(function* guestSignIn() {
    yield* countByNetwork("sign_in", { limit: most.ofNetwork, window })
    yield* consume({ name: "module/guest/all", limit: most.ofAll, window }, "all")
    const id = yield* newId
    const admission = yield* admit(`guest:${id}`)
    const { user, writes } = yield* newUser(admission, { id, email_verified: false, name: null, is_guest: true })
    const visit_at = endOf(user.created_at, user.created_at, (yield* Settings).session)
    const guest = insert(Guests, { user_id: id, visit_at, has_ended: false, merged_into: null })
    const issued = yield* retryOnConflict(issueToNewAccount(user, [...writes, guest]))
    return Endpoint.reply({ user: issued.user }, issued)
  }),
})
