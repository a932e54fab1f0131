import { createHash } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { generateSync } from "otplib"
import { expect, it } from "vitest"
import { freshStore } from "./database.ts"
import { atEnd } from "./endings.ts"
import { startMailbox } from "./mailbox.ts"
import { type Program, start } from "./program.ts"
import { pause, until } from "./waiting.ts"

// One user goes through every way of signing in, right and wrong. Every secret of every request, response, mail and short message is
// collected; afterwards none of them may be in the log, an audit record, an event or a span.

const email = "ada@example.com"
const password = "correct horse battery staple"
const phone = "+14155550100"
const callback = "https://app.example.com/callback"
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
const app = {
  ...{ client_id: "app", client_secret: "a client secret of the app", redirect_uris: [callback] },
  ...{ scopes: ["openid", "email"], refresh_tokens: true },
}

/** Keeps the bodies that are posted to it, by path. */
const startReceiver = async () => {
  const bodies = new Map<string, Array<string>>()
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    bodies.set(request.url ?? "", [...(bodies.get(request.url ?? "") ?? []), text])
    response.setHeader("content-type", "application/json").end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, at: (path: string) => bodies.get(path) ?? [] }
}

const isSecretName = (name: string) => /password|token|secret|code|otp|verifier|assertion|authorization|cookie/.test(name)
/** Members with such a name that are public, such as the code of an error. */
const isPublic = (name: string, value: string) =>
  name === "error" ||
  value.length < 6 ||
  /^[a-z]+(_[a-z]+)+$/.test(value) ||
  /^(token_type|code_challenge.*|issued_token_type|token_type_hint)$/.test(name)

/** The secrets of a text: long tokens, and codes of six to eight digits. */
const inText = (text: string) => text.match(/[\w-]{32,}(\.[\w-]+)*|\b[A-Z0-9]{4}-[A-Z0-9]{4}\b|(?<![\w.])\d{6,8}(?![\w.])/g) ?? []

/** Collects secrets. */
const startCollection = () => {
  const secrets = new Set<string>()
  const fromValue = (value: unknown, name = ""): void => {
    if (Array.isArray(value)) for (const each of value) fromValue(each, name)
    else if (typeof value === "object" && value !== null) for (const [key, each] of Object.entries(value)) fromValue(each, key)
    else if (typeof value === "string" && isSecretName(name) && !isPublic(name, value)) secrets.add(value)
  }
  const fromUrl = (url: string) => {
    if (URL.canParse(url)) fromValue(Object.fromEntries(new URL(url).searchParams))
  }
  const fromText = (text: string) => {
    for (const each of inText(text)) secrets.add(each)
  }
  return { secrets, fromValue, fromUrl, fromText }
}

const startSession = ({ port }: Program, { secrets, fromValue, fromUrl }: ReturnType<typeof startCollection>) => {
  let cookie = ""
  const request = async (path: string, init: RequestInit = {}) => {
    const headers = { ...(cookie === "" ? {} : { cookie }), ...Object(init.headers) }
    fromValue(headers)
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...init, headers })
    for (const each of response.headers.getSetCookie()) {
      const [pair = ""] = each.split(";")
      const value = pair.slice(pair.indexOf("=") + 1)
      if (value.length > 20) secrets.add(value).add(decodeURIComponent(value).split(".")[0] ?? value)
      if (/session=/.test(pair)) cookie = value === "" ? "" : pair
    }
    fromUrl(response.headers.get("location") ?? "")
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.includes("json") === true && text !== ""
    const body = isJson ? JSON.parse(text) : {}
    if (response.ok) fromValue(body)
    fromUrl(body.uri ?? body.totp_uri ?? "")
    return { status: response.status, body, location: response.headers.get("location") ?? "" }
  }
  const call = (path: string, body?: object) => {
    fromValue(body)
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
    return request(`/api/auth${path}`, sent)
  }
  const form = (path: string, parameters: Record<string, string>) => {
    fromValue(parameters)
    return request(`/api/auth${path}`, { method: "POST", body: new URLSearchParams(parameters) })
  }
  return { request, call, form, signOut: () => call("/sign-out", {}) }
}

it("no secret of any flow is in the log, an audit record, an event or a span", async () => {
  const [receiver, mailbox, collection] = [await startReceiver(), await startMailbox(), startCollection()]
  const webhooks = [{ id: "receiver", url: `${receiver.url}/events`, secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] }]
  const program = await start({
    ...{ store: await freshStore(), mail: mailbox.mail, log: { level: "trace", format: "json" } },
    sms: { kind: "webhook", url: `${receiver.url}/sms` },
    telemetry: { traces: { url: `${receiver.url}/v1/traces` } },
    modules: {
      ...{ admin: {}, audit: {}, events: { webhooks, allow_private_addresses: true }, bearer: {}, jwt: {}, one_time_token: {} },
      ...{ email_otp: {}, magic_link: {}, phone: {}, two_factor: {}, idp: { clients: [app] } },
    },
  })
  const { call, form, request, signOut } = startSession(program, collection)
  const { fromText, secrets } = collection
  const mailed = async (subject: RegExp) => {
    const { text = "" } = await mailbox.messageTo(email, subject)
    fromText(text)
    return text
  }
  const tokenIn = (text: string) => text.match(/token=([\w.-]+)/)?.[1] ?? expect.fail(text)
  const codeIn = (text: string) => text.match(/\b\d{6}\b/)?.[0] ?? expect.fail(text)
  const ok = async (answer: Promise<{ readonly status: number; readonly body: any; readonly location: string }>) => {
    const { status, body, location } = await answer
    expect(status, JSON.stringify(body)).toBeLessThan(400)
    return { ...body, location }
  }

  await ok(call("/sign-up/email", { email, password }))
  await call("/sign-up/email", { email, password: "the password of a second sign-up" })
  await call("/sign-in/email", { email, password: "a wrong password of a guess" })
  await ok(call("/send-verification-email", { email }))
  await ok(call("/verify-email", { token: tokenIn(await mailed(/Verify|Confirm/i)) }))
  await call("/verify-email", { token: "a-token-that-is-wrong-and-long-enough" })
  await ok(call("/change-password", { current_password: password, new_password: "another password than before" }))
  await signOut()

  await ok(call("/request-password-reset", { email }))
  await ok(call("/reset-password", { token: tokenIn(await mailed(/Reset/i)), new_password: password }))
  await ok(call("/email-otp/send", { email }))
  const code = codeIn(await mailed(/code/i))
  await call("/sign-in/email-otp", { email, otp: code === "654321" ? "123456" : "654321" })
  await ok(call("/sign-in/email-otp", { email, otp: code }))
  await signOut()
  await ok(call("/magic-link/send", { email }))
  await ok(call("/magic-link/verify", { token: tokenIn(await mailed(/^Sign in to /)) }))

  await ok(call("/phone/send-otp", { phone }))
  await until("a short message", () => receiver.at("/sms").length > 0 || undefined)
  fromText(receiver.at("/sms").join())
  await ok(call("/phone/verify", { phone, otp: codeIn(JSON.parse(receiver.at("/sms")[0] ?? "{}").body) }))
  await ok(call("/one-time-token/generate", {})).then(({ token }) => ok(call("/one-time-token/verify", { token })))
  await ok(call("/token")).then(({ token }) => ok(call("/token/verify", { token })))

  const query = new URLSearchParams({
    ...{ client_id: "app", redirect_uri: callback, response_type: "code", scope: "openid email", state: "s" },
    ...{ code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "S256" },
  })
  const { client_id, client_secret } = app
  const credentials = { client_id, client_secret }
  const { location } = await ok(request(`/api/auth/oauth2/authorize?${query}`))
  const granted = { grant_type: "authorization_code", code: new URL(location).searchParams.get("code") ?? "", redirect_uri: callback }
  await form("/oauth2/token", { ...granted, client_id, client_secret: "a wrong secret of a client", code_verifier: verifier })
  const tokens = await ok(form("/oauth2/token", { ...granted, ...credentials, code_verifier: verifier }))
  const refreshed = await ok(
    form("/oauth2/token", { ...credentials, grant_type: "refresh_token", refresh_token: tokens.refresh_token ?? "" }),
  )
  const authorization = `Bearer ${refreshed.access_token}`
  secrets.add(refreshed.access_token)
  await ok(request("/api/auth/oauth2/userinfo", { headers: { authorization } }))
  await ok(form("/oauth2/introspect", { ...credentials, token: refreshed.access_token }))
  await ok(form("/oauth2/revoke", { ...credentials, token: refreshed.access_token }))
  await form("/oauth2/token", { ...granted, ...credentials, code_verifier: verifier })

  const { secret, backup_codes } = await ok(call("/2fa/totp/enable", { password }))
  fromText([backup_codes].flat().join(" "))
  const shown = () => generateSync({ secret })
  secrets.add(shown())
  await ok(call("/2fa/totp/confirm", { code: shown() }))
  await signOut()
  const { challenge_token } = await ok(call("/sign-in/email", { email, password }))
  await call("/2fa/totp/challenge", { challenge_token, code: "000000" })

  // Faults whose messages could repeat what was sent.
  const json = { "content-type": "application/json" }
  const faulty = ["in-the-query-of-a-path", "in-broken-json-of-a-body", "in-a-graphql-document", "in-a-graphql-variable", "of-a-wrong-type"]
  const [inQuery, inJson, inDocument, inVariable, ofWrongType] = faulty.map((each) => `secret-${each}`)
  for (const each of faulty) secrets.add(`secret-${each}`)
  await request(`/no-such-path?token=${inQuery}`)
  await request(`/api/auth/verify-email?token=${inQuery}`)
  await request("/api/auth/sign-in/email", { method: "POST", headers: json, body: `{"email":"${email}","password":"${inJson}` })
  await call("/sign-in/email", { email, password: [ofWrongType] })
  const graphql = (body: object) => request("/graphql", { method: "POST", headers: json, body: JSON.stringify(body) })
  await graphql({ query: `mutation { signInEmail(email: "${email}", password: "${inDocument}") { user { id } } nothing }` })
  await graphql({ query: `mutation { signInEmail(email: "${email}", password: "${inDocument}" { user`, variables: {} })
  await graphql({ query: "mutation ($p: Int!) { signInEmail(email: $p) { user { id } } }", variables: { p: inVariable } })
  await request("/api/auth/get-session", { headers: { authorization: `Bearer ${inQuery}`, cookie: `session=${inJson}` } })

  const audit = () => program.command("audit", "export")
  await until("all events to be delivered", async () => (await program.command("events", "list", "--json")).trim() === "" || undefined, 60)
  await pause(1_000)
  const records = await audit()
  await program.stop()
  const outputs = { log: program.logs(), records, events: receiver.at("/events").join("\n"), spans: receiver.at("/v1/traces").join("\n") }
  for (const [name, text] of Object.entries(outputs)) expect(text.length, name).toBeGreaterThan(1_000)
  expect(secrets.size).toBeGreaterThan(40)
  const isIn = (text: string, each: string) =>
    /^\d+$/.test(each) ? new RegExp(`(?<![\\w.-])${each}(?![\\w.-])`).test(text) : text.includes(each)
  // The search finds secrets where they have to be.
  expect([...secrets].some((each) => isIn(receiver.at("/sms").join(), each))).toBe(true)
  const found = Object.entries(outputs).flatMap(([name, text]) =>
    [...secrets].filter((each) => isIn(text, each)).map((each) => [name, each]),
  )
  expect(found).toEqual([])
}, 480_000)
