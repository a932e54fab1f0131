import {
  AuthenticatorEmulator,
  deserializeCredential,
  PasskeysCredentialsMemoryRepository,
  serializeCredential,
  WebAuthnEmulator,
} from "nid-webauthn-emulator"
import { generateSync } from "otplib"
import { kind, of, origin, password } from "../calls.ts"

/** An authenticator with these passkeys. */
const authenticatorWith = (passkeys: ReadonlyArray<string>) => {
  const stored = new PasskeysCredentialsMemoryRepository()
  for (const passkey of passkeys) stored.saveCredential(deserializeCredential(passkey))
  const emulator = new WebAuthnEmulator(new AuthenticatorEmulator({ credentialsRepository: stored }))
  return {
    create: (options: any) => emulator.createJSON(origin, options),
    get: (options: any) => emulator.getJSON(origin, options),
    passkeys: () => stored.loadCredentials().map(serializeCredential),
  }
}

/** Second factors and passkeys. */
export const factors = kind({
  fill: async ({ ok, verified }) => {
    const bob = await verified("bob")
    const { secret, backup_codes } = (await ok("/2fa/totp/enable", { password }, bob)).body
    await ok("/2fa/totp/confirm", { code: generateSync({ secret }) }, bob)
    const begun = async () => (await ok("/sign-in/email", of("bob"))).body["challenge_token"] as string
    await ok("/2fa/totp/challenge", { challenge_token: await begun(), backup_code: backup_codes[1] })
    const paula = await verified("paula")
    const unconfirmed = (await ok("/2fa/totp/enable", { password }, paula)).body["secret"] as string

    const authenticator = authenticatorWith([])
    const quinn = await verified("quinn")
    const options = (await ok("/passkey/register/options", {}, quinn)).body
    await ok("/passkey/register/verify", { response: authenticator.create(options), name: "laptop" }, quinn)
    return {
      totp: { secret: secret as string, backupCodes: backup_codes as ReadonlyArray<string>, challenge: await begun() },
      paula,
      unconfirmed,
      quinn,
      signIn: authenticator.get((await ok("/passkey/authenticate/options", {})).body),
      // With the counter of the sign-in that has begun.
      passkeys: authenticator.passkeys(),
      registration: (await ok("/passkey/register/options", {}, quinn)).body,
    }
  },
  checks: ({ call, statusOf, now }, { totp, paula, unconfirmed, quinn, passkeys, signIn, registration }) => {
    const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(now() / 1000) })
    const begun = async () => (await call("/sign-in/email", of("bob"))).body["challenge_token"]
    const answered = async (backup_code: string | undefined) =>
      statusOf("/2fa/totp/challenge", { challenge_token: await begun(), backup_code })
    return {
      "a second factor that was asked for": () =>
        statusOf("/2fa/totp/challenge", { challenge_token: totp.challenge, code: codeOf(totp.secret) }),
      "a backup code": () => answered(totp.backupCodes[0]),
      "a backup code that was used": async () => (await answered(totp.backupCodes[1])) >= 400,
      "an authenticator app that is not confirmed": () => statusOf("/2fa/totp/confirm", { code: codeOf(unconfirmed) }, paula),
      "a list of passkeys": async () => (await call("/passkey/list", undefined, quinn)).body["passkeys"][0].name === "laptop",
      "a sign-in with a passkey that has begun": () => statusOf("/passkey/authenticate/verify", { response: signIn }),
      "a passkey": async () => {
        const options = (await call("/passkey/authenticate/options", {})).body
        return statusOf("/passkey/authenticate/verify", { response: authenticatorWith(passkeys).get(options) })
      },
      "a registration of a passkey that has begun": () =>
        statusOf("/passkey/register/verify", { response: authenticatorWith([]).create(registration), name: "phone" }, quinn),
    }
  },
})
