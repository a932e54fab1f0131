import { appendFileSync } from "node:fs"

// Imports nothing of the service, so that any release can read it.

/** The receiver of a mail that the mail server refuses while `fill` runs. */
export const delayed = "later@example.com"
/** Where `check.ts` receives webhooks. */
export const receiverPort = 4352

/** Appends messages to a file. */
const writtenTo = (file: string) => ({
  send: async (message: { readonly to: string }) => {
    if (message.to === delayed) throw new Error("the mail server is away")
    appendFileSync(file, `${JSON.stringify(message)}\n`)
  },
})

/** A provider whose codes are the names of its users. */
const elsewhere = {
  fetch: async (request: Request) => {
    const name = request.headers.get("authorization")?.replace("Bearer token-of-", "")
    if (name !== undefined) return Response.json({ sub: name, email: `${name}@elsewhere.example`, email_verified: true, name })
    const code = new URLSearchParams(await request.text()).get("code")
    return Response.json({ access_token: `token-of-${code}`, token_type: "Bearer", expires_in: 3600 })
  },
}

const client = (client_id: string, more: object) => ({
  ...{ client_id, client_secret: "", redirect_uris: [`https://${client_id}.example.com/callback`], scopes: ["openid", "email", "profile"] },
  ...more,
})

export const settings = {
  secret: "the secret of the databases in this folder, 32+ bytes",
  public_url: "http://localhost:4350",
  email_password: { enabled: true, hash: { memory_kib: 1024, passes: 1, lanes: 1 } },
  rate_limit: { enabled: false },
  links: {
    sign_in: "http://localhost:4350/sign-in?to={return_to}",
    consent: "http://localhost:4350/consent?request_uri={request_uri}",
  },
  http: elsewhere,
  modules: {
    bearer: {},
    jwt: {},
    two_factor: {},
    username: {},
    organization: {},
    phone: {},
    magic_link: {},
    email_otp: {},
    one_time_token: {},
    passkey: {},
    multi_session: {},
    siwe: {},
    audit: {},
    admin: { admin_emails: ["root@example.com"] },
    events: {
      allow_private_addresses: true,
      webhooks: [
        {
          id: "receiver",
          url: `http://127.0.0.1:${receiverPort}/`,
          types: ["user.banned"],
          secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        },
      ],
    },
    social: {
      providers: [
        {
          id: "elsewhere",
          client_id: "ours",
          client_secret: "a secret of ours",
          redirect_uri: "http://localhost:4350/api/auth/oauth/callback",
          authorize_url: "https://elsewhere.example/authorize",
          token_url: "https://elsewhere.example/token",
          userinfo_url: "https://elsewhere.example/userinfo",
          scopes: ["email"],
          map_user: { account_id: "sub", email: "email", email_verified: "email_verified", name: "name" },
          trust_email: "when_verified",
          keep_tokens: true,
        },
      ],
    },
    idp: {
      registration_tokens: ["an-initial-access-token-of-forty-characters"],
      clients: [
        client("app", { refresh_tokens: true, scopes: ["openid", "email", "offline_access"] }),
        client("site", { client_secret: "a secret of the site", resource_server: true }),
        client("careful", { consent: true }),
        client("api", { access_token_format: "jwt" }),
        client("pair", { subject_type: "pairwise" }),
        client("tv", { redirect_uris: [], grant_types: ["urn:ietf:params:oauth:grant-type:device_code"] }),
      ],
    },
  },
}

/** What the URL of an embedded database begins with, before its folder. */
export const embeddedIn = "embedded:"

const storeOf = (url: string) => {
  if (url.startsWith(embeddedIn)) return { kind: "embedded", directory: url.slice(embeddedIn.length) }
  return { kind: url.startsWith("mongodb") ? "mongo" : "postgres", url }
}

const { STORE_URL = "", MESSAGES = "messages.jsonl" } = process.env

export default {
  ...settings,
  store: storeOf(STORE_URL),
  mail: writtenTo(MESSAGES),
  sms: writtenTo(MESSAGES),
}
