import { generateSync } from "otplib"

// What clients of a service hold: `fill` makes it over HTTP, so that it works with any release, and `checks` uses it with another one.

/** A message that the service has sent. */
interface Message {
  readonly to: string
  readonly text: string
}

export interface Held {
  /** When it was made, in milliseconds. */
  readonly at: number
  readonly ada: string
  readonly jwt: string
  readonly oneTime: string
  readonly totp: { readonly secret: string; readonly backupCodes: ReadonlyArray<string>; readonly challenge: string }
  readonly verification: string
  readonly reset: string
  readonly magicLink: string
  readonly emailCode: string
  readonly phoneCode: string
  readonly ivan: string
  readonly invitation: string
  readonly organization: string
}

type Body = Readonly<Record<string, any>>

interface Answer {
  readonly status: number
  readonly body: Body
  /** The session that the answer begins. */
  readonly token: string
}

/** Sends a request with a bearer token: POST with a body, else GET. */
export type Call = (path: string, body?: object, token?: string) => Promise<Answer>

/** The origin of the service, as its configuration has it. */
export const origin = "http://localhost:4350"

export const caller =
  (send: (request: Request) => Promise<Response>): Call =>
  async (path, body, token) => {
    const headers = {
      origin,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const sent = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) }
    const response = await send(new Request(`${origin}/api/auth${path}`, sent))
    return { status: response.status, body: await response.json(), token: response.headers.get("set-auth-token") ?? "" }
  }

const password = "correct horse battery staple"
const of = (name: string) => ({ email: `${name}@example.com`, password })
export const phone = "+14155552671"
/** The receiver of a mail that the mail server refuses while `fill` runs. */
export const delayed = "later@example.com"

export const fill = async (call: Call, sentTo: (to: string) => Promise<Message>): Promise<Held> => {
  const ok = async (...request: Parameters<Call>) => {
    const answer = await call(...request)
    if (answer.status !== 200) throw new Error(`${request[0]}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
  const signUp = async (name: string) => (await ok("/sign-up/email", { ...of(name), name })).token
  const tokenTo = async (email: string) => (await sentTo(email)).text.match(/token=([\w.~-]+)/)?.[1] ?? ""
  const codeTo = async (to: string) => (await sentTo(to)).text.match(/\b(\d{6})\b/)?.[1] ?? ""
  const verified = async (name: string) => {
    const token = await signUp(name)
    const { email } = of(name)
    await ok("/send-verification-email", { email })
    await ok("/verify-email", { token: await tokenTo(email) })
    return token
  }

  const ada = await verified("ada")
  const bob = await verified("bob")
  const { secret, backup_codes } = (await ok("/2fa/totp/enable", { password }, bob)).body
  await ok("/2fa/totp/confirm", { code: generateSync({ secret }) }, bob)
  const challenge = (await ok("/sign-in/email", of("bob"))).body["challenge_token"]

  await signUp("carol")
  await ok("/send-verification-email", { email: of("carol").email })
  await signUp("dan")
  await ok("/request-password-reset", { email: of("dan").email })
  await ok("/username/set", { username: "heidi" }, await signUp("heidi"))
  await ok("/magic-link/send", { email: of("erin").email })
  await ok("/email-otp/send", { email: of("frank").email })
  await ok("/phone/send-otp", { phone }, ada)

  const organization = (await ok("/organization/create", { name: "Engines", slug: "engines" }, ada)).body["organization"].id
  const ivan = await verified("ivan")
  const { invitation } = (await ok("/organization/invite", { organization_id: organization, email: of("ivan").email }, ada)).body
  await ok("/organization/invite", { organization_id: organization, email: delayed }, ada)

  return {
    at: Date.now(),
    ada,
    jwt: (await ok("/token", undefined, ada)).body["token"],
    oneTime: (await ok("/one-time-token/generate", {}, ada)).body["token"],
    totp: { secret, backupCodes: backup_codes, challenge },
    verification: await tokenTo(of("carol").email),
    reset: await tokenTo(of("dan").email),
    magicLink: await tokenTo(of("erin").email),
    emailCode: await codeTo(of("frank").email),
    phoneCode: await codeTo(phone),
    ivan,
    invitation: invitation.id,
    organization,
  }
}

/** What another release has to answer to what clients hold, by the kind of row. */
export const checks = (call: Call, held: Held, now: () => number): Readonly<Record<string, () => Promise<unknown>>> => {
  const statusOf = async (...request: Parameters<Call>) => (await call(...request)).status
  const challengeOf = async () => (await call("/sign-in/email", of("bob"))).body["challenge_token"]
  return {
    "a session": async () => (await call("/get-session", undefined, held.ada)).body["user"].email === of("ada").email,
    "a list of sessions": async () => (await call("/list-sessions", undefined, held.ada)).body["sessions"].length === 1,
    "a linked account": async () => (await call("/list-accounts", undefined, held.ada)).body["accounts"].length === 1,
    "a password": () => statusOf("/sign-in/email", of("ada")),
    "a user name": () => statusOf("/sign-in/username", { username: "heidi", password }),
    "a JWT": () => statusOf("/token/verify", { token: held.jwt }),
    "a one-time token": () => statusOf("/one-time-token/verify", { token: held.oneTime }),
    "a second factor that was asked for": async () => {
      const code = generateSync({ secret: held.totp.secret, epoch: Math.floor(now() / 1000) })
      return statusOf("/2fa/totp/challenge", { challenge_token: held.totp.challenge, code })
    },
    "a backup code": async () =>
      statusOf("/2fa/totp/challenge", { challenge_token: await challengeOf(), backup_code: held.totp.backupCodes[0] }),
    "a verification link": () => statusOf("/verify-email", { token: held.verification }),
    "a reset link": () => statusOf("/reset-password", { token: held.reset, new_password: `${password} 2` }),
    "a magic link": () => statusOf("/magic-link/verify", { token: held.magicLink }),
    "a code by mail": () => statusOf("/sign-in/email-otp", { email: of("frank").email, otp: held.emailCode }),
    "a code by SMS": () => statusOf("/phone/verify", { phone, otp: held.phoneCode }, held.ada),
    "an invitation": () => statusOf("/organization/accept-invitation", { invitation_id: held.invitation }, held.ivan),
    "an organization": async () =>
      (await call(`/organization/list-members?organization_id=${held.organization}`, undefined, held.ada)).body["members"].length === 2,
    "the audit log": async () => (await call("/audit/list", undefined, held.ada)).body["entries"].length > 0,
    "a new user": () => statusOf("/sign-up/email", { ...of("new"), name: "New" }),
  }
}
