import { DateTime, Effect, Schema } from "effect"
import { EmailNotVerified, Forbidden, InvalidToken } from "../../../domain/errors.ts"
import { check, orFail, removeVersioned, retryOnConflict, Store, update } from "../../../domain/ports/store.ts"
import * as Table from "../../../domain/ports/table.ts"
import { rereadSession, revokeAll } from "../../../domain/sessions/sessions.ts"
import { Guests, ownGuest } from "../../../domain/sign-in/guests.ts"
import { refuseGuest } from "../../../domain/sign-in/verification.ts"
import { singleUseToken } from "../../../domain/tokens/single-use-token.ts"
import { Users } from "../../../domain/users/tables.ts"
import * as Endpoint from "../../service/endpoint.ts"
import { keptFor } from "./removal.ts"

// A guest whose address belongs to an existing user signs in as that user, and shows with a token who the guest was.

/** The last token of each guest. */
export const GuestTokens = Table.make(
  "guest_token",
  Schema.Struct({ user_id: Schema.String, hash: Schema.String, expires_at: Schema.DateTimeUtc }),
  {
    key: "user_id",
    unique: ["hash"],
    references: { user_id: Users },
    expires: "expires_at",
    data: { secret: ["hash"], other: ["user_id", "expires_at"] },
  },
)

const tokens = singleUseToken(GuestTokens, { kind: "guest" })

/** Seconds. */
const lifetime = 600

export const guestToken = Endpoint.make({
  method: "POST",
  path: "/guest/token",
  summary: "Issues a token, valid once for ten minutes, with which the guest is recognized after a sign-in as another user.",
  access: "session",
  output: Schema.Struct({ guest_token: Schema.String, expires_in: Schema.Int }),
  errors: [Forbidden],
  handler: Effect.fnUntraced(function* guestToken() {
    const { user } = yield* ownGuest
    const { token, write } = yield* tokens.issue({ user_id: user.row.id }, lifetime)
    yield* (yield* Store).commit([check(Users, user), write])
    return Endpoint.reply({ guest_token: token, expires_in: lifetime })
  }, retryOnConflict),
})

export const guestMerge = Endpoint.make({
  method: "POST",
  path: "/guest/merge",
  summary: "Records that the user of the session was this guest (event `guest.merged`), and ends the guest's sessions.",
  access: "session",
  input: Schema.Struct({ guest_token: Schema.String }),
  output: Endpoint.Success,
  errors: [InvalidToken, EmailNotVerified],
  handler: Effect.fnUntraced(function* guestMerge({ guest_token }) {
    const { user } = yield* rereadSession
    yield* refuseGuest(user.row)
    const [token, guest] = yield* orFail(tokens.readWithReferenced(guest_token, "user_id"), () => new InvalidToken())
    const row = yield* orFail((yield* Store).read(Guests, { user_id: guest.row.id }), () => new InvalidToken())
    const visit_at = DateTime.addDuration(yield* DateTime.now, keptFor)
    yield* (yield* Store).commit([
      check(Users, user),
      removeVersioned(GuestTokens, token),
      update(Guests, row, { merged_into: user.row.id, has_ended: true, visit_at }),
      ...(yield* revokeAll(guest)),
    ])
    return Endpoint.reply(Endpoint.succeeded)
  }, retryOnConflict),
})
