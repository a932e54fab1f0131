import { DateTime, Effect, Option, Schema } from "effect"
import { EmailNotVerified, InvalidCredentials, InvalidOtp, InvalidToken, invalidMember, Unauthorized } from "../../../../domain/errors.ts"
import { countedProof } from "../../../../domain/limits/limits.ts"
import { otherLinkRemovals } from "../../../../domain/mail/mailed-tokens.ts"
import { remove, retryOnConflict, Store, update } from "../../../../domain/ports/store.ts"
import { CurrentSession } from "../../../../domain/sessions/caller.ts"
import { sessionRenewal } from "../../../../domain/sessions/session-renewal.ts"
import { current, endOthers, otherSessionsRevocation, rereadSession } from "../../../../domain/sessions/sessions.ts"
import { pendingSignIn } from "../../../../domain/sign-in/challenges.ts"
import { secondFactorRemovals } from "../../../../domain/sign-in/credentials.ts"
import { accountsOf } from "../../../../domain/sign-in/linked-accounts.ts"
import { noFailures } from "../../../../domain/sign-in/lockout.ts"
import { provePassword } from "../../../../domain/sign-in/passwords.ts"
import { requireEstablishedAddress } from "../../../../domain/sign-in/verification.ts"
import { Users } from "../../../../domain/users/tables.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { steppedUp } from "../../../service/guards.ts"
import { factorNotices } from "../emails.ts"
import type { TwoFactorSettings } from "../settings.ts"
import { boundToSession, boundToSignIn, recipientFor, redeem, send } from "./codes.ts"
import { channels, isOn, isUsable, maskedRecipient, offeredBy, SentMethod } from "./methods.ts"
import { factorTables } from "./tables.ts"

const Password = { password: Schema.optionalKey(Schema.String) }

const refused = (method: SentMethod) =>
  invalidMember("method", `this account gets no codes by ${method} here. Use another method, or another way to sign in.`)

/** What a code would be bound to now: the pending sign-in of a challenge, or else the caller's session. */
const boundTo = Effect.fnUntraced(function* boundTo(method: SentMethod, challenge_token: string | undefined) {
  return challenge_token === undefined ? yield* boundToOwnSession : yield* boundToPending(method, challenge_token)
})

const boundToPending = Effect.fnUntraced(function* boundToPending(method: SentMethod, challenge_token: string) {
  const pending = yield* pendingSignIn(challenge_token)
  if (!(yield* isUsable(method, pending.user.row, pending.pending.row.methods))) return yield* refused(method)
  return boundToSignIn(pending)
})

const boundToOwnSession = Effect.gen(function* () {
  const found = yield* current
  if (Option.isNone(found)) return yield* new Unauthorized()
  const { session, user } = yield* Effect.provideService(rereadSession, CurrentSession, found.value)
  return yield* boundToSession(session.row, user)
})

const sendEndpoint = Endpoint.make({
  method: "POST",
  path: "/2fa/codes/send",
  name: "twoFactorCodesSend",
  summary:
    "Sends a code for a sign-in that waits for the second factor; without `challenge_token` for the caller's session, to turn the method on or to step up. It replaces an earlier code.",
  access: "public",
  readsSession: true,
  passesGates: true,
  input: Schema.Struct({ method: SentMethod, challenge_token: Schema.optionalKey(Schema.String) }),
  output: Endpoint.Success,
  errors: [InvalidToken, Unauthorized],
  handler: Effect.fnUntraced(function* twoFactorCodesSend({ method, challenge_token }) {
    yield* send(method, boundTo(method, challenge_token))
    return Endpoint.reply(Endpoint.succeeded)
  }),
})

const requireOtherWay = Effect.fnUntraced(function* requireOtherWay(method: SentMethod, user_id: string) {
  const { otherWays } = channels[method]
  if ((yield* accountsOf(user_id)).some(({ provider_id }) => otherWays.includes(provider_id))) return
  return yield* invalidMember("method", `this account has no way to sign in after which a code by ${method} counts. Set a password first.`)
})

const enable = Endpoint.make({
  method: "POST",
  path: "/2fa/codes/enable",
  name: "twoFactorCodesEnable",
  summary:
    "Makes sent codes a second factor of the user with a code that was just sent, and ends all of the user's sessions but this one, which gets a new token.",
  ...steppedUp,
  changesCredential: true,
  input: Schema.Struct({ method: SentMethod, code: Schema.String, ...Password }),
  output: Endpoint.Success,
  errors: [InvalidCredentials, InvalidOtp, EmailNotVerified],
  handler: Effect.fnUntraced(function* twoFactorCodesEnable({ method, code, password }) {
    const enabling = Effect.gen(function* () {
      const { session, user } = yield* rereadSession
      const { id } = user.row
      yield* requireEstablishedAddress(user.row)
      yield* recipientFor(method, user.row)
      yield* requireOtherWay(method, id)
      const isProved = yield* provePassword(id, password)
      const { notices, proves, turnedOn } = channels[method]
      const consumed = yield* redeem(yield* boundToSession(session.row, user), method, code)

      const others = yield* otherSessionsRevocation(session, user)
      // The password and the code prove two factors. The code alone may prove no more than the sign-in did.
      const proof = isProved
        ? { multi_factor: true, methods: ["pwd", proves] as const }
        : { multi_factor: session.row.multi_factor, methods: [proves] as const }
      const { writes, ...renewed } = yield* sessionRenewal(session, proof)
      const factor = turnedOn({ user_id: id, ...noFailures, created_at: yield* DateTime.now })
      // A link that confirms a change of address could have been requested before the factor protected the address.
      const links = yield* otherLinkRemovals(user.row)
      yield* (yield* Store).commit([
        consumed,
        factor,
        ...others.writes,
        ...writes,
        ...links,
        ...(yield* factorNotices(user.row, notices.on)),
      ])
      return { ...renewed, user: user.row }
    })
    const issued = yield* countedProof(retryOnConflict(enabling))
    yield* endOthers(issued.session)
    return Endpoint.reply(Endpoint.succeeded, issued)
  }),
})

const disable = Endpoint.make({
  method: "POST",
  path: "/2fa/codes/disable",
  name: "twoFactorCodesDisable",
  summary: "Ends sent codes of this method as a second factor of the user. Success is false if they were none.",
  ...steppedUp,
  input: Schema.Struct({ method: SentMethod, ...Password }),
  output: Schema.Struct({ success: Schema.Boolean }),
  errors: [InvalidCredentials],
  handler: Effect.fnUntraced(function* twoFactorCodesDisable({ method, password }) {
    const disabling = Effect.gen(function* () {
      const { user } = yield* rereadSession
      const { id } = user.row
      if (!(yield* isOn(method, id))) return false
      yield* provePassword(id, password)
      const emails = yield* factorNotices(user.row, channels[method].notices.off)
      const added = yield* secondFactorRemovals(user.row)
      yield* (yield* Store).commit([remove(factorTables[method], id), update(Users, user, {}), ...emails, ...added])
      return true
    })
    return Endpoint.reply({ success: yield* countedProof(retryOnConflict(disabling)) })
  }),
})

const status = (settings: TwoFactorSettings) =>
  Endpoint.make({
    method: "GET",
    path: "/2fa/codes/status",
    name: "twoFactorCodesStatus",
    summary: "By which methods the user can have codes sent, and which of them are on as a second factor.",
    access: "session",
    output: Schema.Struct({
      methods: Schema.Array(
        Schema.Struct({
          method: SentMethod,
          enabled: Schema.Boolean,
          recipient: Schema.NullOr(Schema.String).pipe(
            Schema.annotateKey({ description: "Where codes go, mostly masked; null without a verified address or number." }),
          ),
        }),
      ),
    }),
    handler: Effect.fnUntraced(function* twoFactorCodesStatus() {
      const { user } = yield* CurrentSession
      const shown = Effect.fnUntraced(function* shownMethod(method: SentMethod) {
        return { method, enabled: yield* isOn(method, user.id), recipient: yield* maskedRecipient(method, user) }
      })
      return Endpoint.reply({ methods: yield* Effect.forEach(offeredBy(settings), shown) })
    }),
  })

export const sentCodeEndpoints = (settings: TwoFactorSettings) => [sendEndpoint, enable, disable, status(settings)] as const
