// Prepares users, organizations and tokens by the API of a started server.

import { host } from "./requests.ts"

export const password = "correct horse battery staple"
export const origin = `https://${host}`
export const issuer = `${origin}/api/auth`
export const administrator = "admin@example.com"

/** The client of the module `idp` that the operations use. It is confidential, so it may use a refresh token many times. */
export const client = {
  client_id: "bench",
  client_secret: "the secret of the client of the benchmark",
  redirect_uris: ["https://app.example.com/callback"],
  scopes: ["openid", "email", "read"],
  grant_types: ["authorization_code", "client_credentials"],
  refresh_tokens: true,
  // The tokens of one preparation are used for the whole comparison.
  access_token_ttl: 3600,
  resource_server: true,
}
export const clientHeaders = {
  authorization: `Basic ${Buffer.from(`${client.client_id}:${encodeURIComponent(client.client_secret)}`).toString("base64")}`,
  "content-type": "application/x-www-form-urlencoded",
}

/** A user with a session. */
export interface User {
  readonly email: string
  readonly cookie: string
  /** The session's credential for `Authorization: Bearer`. */
  readonly bearer: string
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** A user and one of their organizations. */
export interface Member {
  readonly user: User
  readonly organization: string
}

interface Call {
  readonly cookie?: string
  readonly body?: object
  readonly form?: Readonly<Record<string, string>>
}

/** Calls an endpoint; throws unless it succeeds or redirects. */
export const call = async (port: number, method: "GET" | "POST", path: string, { cookie, body, form }: Call = {}): Promise<Response> => {
  const headers = new Headers(form === undefined ? (body === undefined ? {} : { "content-type": "application/json" }) : clientHeaders)
  if (cookie !== undefined) headers.set("cookie", cookie)
  const sent = form === undefined ? body && JSON.stringify(body) : new URLSearchParams(form).toString()
  const url = `http://127.0.0.1:${port}/api/auth${path}`
  const answer = await fetch(url, { method, headers, redirect: "manual", ...(sent === undefined ? {} : { body: sent }) })
  if (answer.status >= 400) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`)
  return answer
}

/** Maps values to results, at most eight at a time. */
export const eachOf = async <A, B>(values: ReadonlyArray<A>, work: (value: A, index: number) => Promise<B>): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  const waiting = values.entries()
  const worker = async () => {
    for (const [index, value] of waiting) results[index] = await work(value, index)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return results
}

const userOf = (email: string, answer: Response): User => {
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  return { email, cookie, bearer: cookie.slice(cookie.indexOf("=") + 1) }
}

export const signUp = async (port: number, email: string): Promise<User> =>
  userOf(email, await call(port, "POST", "/sign-up/email", { body: { email, password, name: `Person ${email}` } }))

export const signIn = async (port: number, email: string): Promise<User> =>
  userOf(email, await call(port, "POST", "/sign-in/email", { body: { email, password } }))

/** Organizations of ten members each, and the organization of each user. */
export const organizations = async (port: number, users: ReadonlyArray<User>): Promise<ReadonlyArray<Member>> => {
  const groups = Array.from({ length: Math.floor(users.length / 10) }, (_, index) => users.slice(index * 10, index * 10 + 10))
  const joined = await eachOf(groups, async ([owner, ...others], index) => {
    const { cookie } = owner!
    const created = await call(port, "POST", "/organization/create", { cookie, body: { name: `Group ${index}`, slug: `group-${index}` } })
    const organization: string = (await created.json()).organization.id
    for (const other of others) {
      const invited = await call(port, "POST", "/organization/invite", {
        cookie,
        body: { organization_id: organization, email: other.email },
      })
      const invitation_id: string = (await invited.json()).invitation.id
      await call(port, "POST", "/organization/accept-invitation", { cookie: other.cookie, body: { invitation_id } })
    }
    return [owner!, ...others].map((user) => ({ user, organization }))
  })
  return joined.flat()
}

/** An access token and a refresh token for each user, by the authorization code flow. */
export const tokens = (port: number, users: ReadonlyArray<User>): Promise<ReadonlyArray<Tokens>> =>
  eachOf(users, async ({ cookie }) => {
    const redirect_uri = client.redirect_uris[0]!
    const asked = { client_id: client.client_id, redirect_uri, response_type: "code", scope: "openid email", state: "bench" }
    const redirected = await call(port, "GET", `/oauth2/authorize?${new URLSearchParams(asked)}`, { cookie })
    const code = new URL(redirected.headers.get("location") ?? "").searchParams.get("code") ?? ""
    return (await call(port, "POST", "/oauth2/token", { form: { grant_type: "authorization_code", code, redirect_uri } })).json()
  })
