import { Effect, Schema } from "effect"
import { admin } from "../../../../application/modules/admin/index.ts"
import { passkey } from "../../../../application/modules/passkey/index.ts"
import { PasskeySettings } from "../../../../application/modules/passkey/settings.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { Authenticator } from "../../../passkeys.ts"
import { authenticator } from "../../../passkeys.ts"
import { rulesOf } from "../../../rule.ts"
import { whileVerified } from "../../../two-factor.ts"
import * as World from "../../../world.ts"

export const built = passkey.build(Schema.decodeSync(PasskeySettings)({}))
const administration = admin.build({ admin_emails: ["root@example.com"], admin_user_ids: [] })

export const modules = [...World.core, built, administration]
export const auth = AuthOf.make(modules)
export const rule = rulesOf(modules)
export const endpoints = built.endpoints
export const { adminBanUser } = administration.endpoints

export const email = "ada@example.com"
export const browser = () => World.browser()
type Browser = ReturnType<typeof browser>

const { passkeyRegisterOptions, passkeyRegisterVerify, passkeyAuthenticateOptions, passkeyAuthenticateVerify } = endpoints

export const signedUp = (address = email) => World.signedUp(address)

/** Adds a passkey of this authenticator to the user of a browser. */
export const added = Effect.fnUntraced(function* (their: Browser, theirs: Authenticator, name?: string) {
  const registration = Effect.gen(function* () {
    const response = theirs.create(yield* their.body(passkeyRegisterOptions))
    const { passkey } = yield* their.body(passkeyRegisterVerify, name === undefined ? { response } : { response, name })
    return { ...passkey, response }
  })
  return yield* whileVerified(their, registration)
})

/** A user with a passkey, and its authenticator. */
export const withPasskey = Effect.fnUntraced(function* (address = email, parameters: Parameters<typeof authenticator>[0] = {}) {
  const theirs = authenticator(parameters)
  const their = yield* signedUp(address)
  const { id, response } = yield* added(their, theirs)
  return { ...their, theirs, passkey_id: id, registered: response }
})

/** The response of an authenticator in this browser. */
export const answered = Effect.fnUntraced(function* (their: Browser, theirs: Authenticator, asked: object = {}) {
  return theirs.get(yield* their.body(passkeyAuthenticateOptions, asked))
})

/** Signs in with a passkey. */
export const signedIn = Effect.fnUntraced(function* (theirs: Authenticator, asked: object = {}) {
  const their = browser()
  const { user } = yield* their.body(passkeyAuthenticateVerify, { response: yield* answered(their, theirs, asked) })
  return { ...their, user }
})
